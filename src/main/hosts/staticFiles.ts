// The console's files in memory, and the answer to a request for one of them: compressed where the browser takes it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Failure } from '../../shared/failure.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** The encodings the build writes beside a file, the smaller first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

type Encoding = (typeof ENCODINGS)[number]['name'] | 'identity';
type Body = { bytes: Uint8Array<ArrayBuffer>; etag: string };
type StaticFile = { type: string; cache: string; bodies: ReadonlyMap<Encoding, Body> };

/** Serves the files of a folder as they were when it was called. Throws `not_built` where there is no folder. */
export function createStaticFiles(folder: string, headers: Readonly<Record<string, string>>) {
  const files = readFiles(folder);
  return (request: Request, path: string): Response => {
    const file = files.get(path === '/' ? '/index.html' : path);
    if (file === undefined) return new Response('not found', { status: 404, headers });
    return answerWith(file, request, headers);
  };
}

function answerWith(file: StaticFile, request: Request, headers: Readonly<Record<string, string>>): Response {
  const encoding = chooseEncoding(request.headers.get('accept-encoding'), file.bodies);
  const body = file.bodies.get(encoding);
  if (body === undefined) return new Response('not found', { status: 404, headers });
  const described = new Headers({ ...headers, 'cache-control': file.cache, etag: body.etag });
  // A cache between us must keep the compressed and the plain bytes apart.
  if (file.bodies.size > 1) described.set('vary', 'Accept-Encoding');
  if (isSame(request.headers.get('if-none-match'), body.etag)) {
    return new Response(null, { status: 304, headers: described });
  }
  described.set('content-type', file.type);
  described.set('content-length', String(body.bytes.length));
  if (encoding !== 'identity') described.set('content-encoding', encoding);
  return new Response(body.bytes, { headers: described });
}

/** The encoding with the highest weight that we have; of equal ones the smaller, and plain bytes last. */
function chooseEncoding(accepted: string | null, have: ReadonlyMap<Encoding, Body>): Encoding {
  const weights = weightsOf(accepted ?? '');
  const best = ENCODINGS.map(({ name }) => ({ name, weight: weights.get(name) ?? weights.get('*') ?? 0 }))
    .filter(({ name, weight }) => weight > 0 && have.has(name))
    .toSorted((a, b) => b.weight - a.weight)[0];
  return best === undefined || best.weight < (weights.get('identity') ?? 0) ? 'identity' : best.name;
}

/** The weights in an Accept-Encoding header, by name: 1 if it gives none, 0 if it cannot be read. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : Number(given);
    if (name !== '') weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}

const isSame = (known: string | null, etag: string): boolean =>
  (known ?? '').split(',').some((one) => [etag, `W/${etag}`, '*'].includes(one.trim()));

function readFiles(folder: string): Map<string, StaticFile> {
  const paths = entriesOf(folder);
  const known = new Set(paths);
  const suffixes = ENCODINGS.map(({ suffix }) => suffix);
  const isCompressed = (path: string): boolean =>
    suffixes.some((suffix) => path.endsWith(suffix) && known.has(path.slice(0, -suffix.length)));
  return new Map(
    paths
      .filter((path) => !isCompressed(path))
      .map((path) => {
        const url = `/${relative(folder, path).split(sep).join('/')}`;
        const bodies = new Map<Encoding, Body>([['identity', readBody(path)]]);
        for (const { name, suffix } of ENCODINGS) {
          if (known.has(path + suffix)) bodies.set(name, readBody(path + suffix));
        }
        return [
          url,
          {
            bodies,
            type: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
            cache: url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
          },
        ];
      }),
  );
}

function readBody(path: string): Body {
  const bytes = new Uint8Array(readFileSync(path));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Folder by folder: the archive of a packaged desktop app lists no folder together with those in it. */
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : entry.isFile() ? [path] : [];
  });

function entriesOf(folder: string): string[] {
  try {
    return filesUnder(folder);
  } catch (cause) {
    throw new Failure('not_built', `the console is not built: ${folder} is missing`, {
      cause,
      next: 'Run `npm run build`, then start again.',
    });
  }
}
