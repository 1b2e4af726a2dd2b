// The authorities that are trusted for one server: those of this Node and those of a file that a person named.
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import tls from 'node:tls';
import { Failure } from '../../shared/failure.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,60})-----(?:(?!-----BEGIN )[^])*?-----END \1-----/g;
/** Bytes: every authority there is takes a tenth of it. */
const FILE_MAX = 4 * 1024 * 1024;
const NEXT =
  'Name a file with the authority’s certificate in PEM, which begins with -----BEGIN CERTIFICATE-----; ask whoever runs the server for it.';

/** The certificates of a PEM file beside the usual ones. Throws `bad_input` naming the file and the line. */
export function readAuthorities(file: string): string[] {
  let text: string;
  try {
    // Looked at before it is opened: a device has no end, and opening a pipe waits for whoever writes to it.
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is no plain file');
    if (found.size > FILE_MAX) throw new Error(`it has ${String(found.size)} bytes, and may have 4 MiB`);
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read the authority’s certificate ${file}: ${reasonOf(cause)}`, {
      cause,
      next: 'Correct the path under Setup → Environments; it is a path on this machine.',
    });
  }
  const blocks = [...text.matchAll(BLOCK)];
  const certificates = blocks.filter(([, kind = '']) => /^(?:X509 |TRUSTED )?CERTIFICATE$/.test(kind));
  const [first] = blocks;
  if (certificates.length === 0) {
    const what =
      first === undefined
        ? 'none of its lines begins with -----BEGIN CERTIFICATE-----'
        : `line ${String(lineAt(text, first.index))} begins ${aKind(first[1] ?? '')}`;
    throw new Failure('bad_input', `${file} holds no certificate: ${what}`, { next: NEXT });
  }
  for (const { 0: pem, index } of certificates) {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      const line = String(lineAt(text, index));
      throw new Failure('bad_input', `${file}: the certificate that begins on line ${line} cannot be read`, {
        cause,
        next: NEXT,
      });
    }
  }
  return [...usualAuthorities(), ...certificates.map(([pem]) => pem)];
}

/** With those of NODE_EXTRA_CA_CERTS, where this Node tells them. */
const usualAuthorities = (): readonly string[] =>
  (tls as Partial<Pick<typeof tls, 'getCACertificates'>>).getCACertificates?.('default') ??
  tls.rootCertificates;

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
const aKind = (kind: string): string => (kind.endsWith('PRIVATE KEY') ? 'a private key' : `“${kind}”`);
const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'it may not be read by this user';
  if (code === 'EISDIR') return 'it is a folder';
  return cause instanceof Error ? cause.message : String(cause);
};
