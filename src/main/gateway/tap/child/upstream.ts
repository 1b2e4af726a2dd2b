// Reaching the environment of a key: its socket before the client's is accepted, its HTTP answers as they are.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { credentialsOf, type Credentials } from '../../../../shared/redact/address.ts';
import type { TapLinkKey } from '../linkProtocol.ts';
import { openWire } from './wire.ts';

/** The limit of an environment's frame or body. */
const ANSWER_MAX = 100 << 20;
const CONNECT_MS = 10_000;

/** The address of an environment, for the sockets and requests to it; `base` is fit to be shown. */
export function readUpstream(url: string): Credentials & { base: string } {
  if (!URL.canParse(url)) return { base: url, search: '', basic: null, secrets: [] };
  const at = new URL(url.replace(/^ws/, 'http'));
  const path = at.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/ws$/, '');
  return { base: `${at.protocol}//${at.host}${path}`, ...credentialsOf(at) };
}

/** The target of a key, and what goes there with every request. */
export type Upstream = Pick<TapLinkKey, 'url' | 'headers' | 'ca'>;

/** Secrets to hide where the environment repeats them. */
export const upstreamSecrets = ({ url, headers = {} }: Upstream): string[] => [
  ...readUpstream(url).secrets,
  ...Object.values(headers),
];

const sentHeaders = ({ basic }: Credentials, { headers = {} }: Upstream): Record<string, string> => ({
  ...headers,
  ...(basic === null ? {} : { authorization: basic }),
});

/**
 * Opens the environment's socket, or says with which status the client is refused. The environment may speak first (it
 * is full): nothing is read before the client is there to hear it.
 */
export function openUpstream(to: Upstream, query: string): Promise<Awaited<ReturnType<typeof openWire>>> {
  const upstream = readUpstream(to.url);
  const asked = [upstream.search.slice(1), query].filter((part) => part !== '').join('&');
  return openWire(`${upstream.base}/ws${asked === '' ? '' : `?${asked}`}`, {
    headers: sentHeaders(upstream, to),
    ...(to.ca === undefined ? {} : { ca: to.ca }),
    timeoutMs: CONNECT_MS,
    max: ANSWER_MAX,
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const secureAgent = new SecureAgent({ keepAlive: true, maxSockets: 256 });

export type UpstreamAnswer = { status: number; type: string; body: Buffer };

/** One HTTP request to the environment. Rejects when it cannot be reached. */
export function askUpstream(
  to: Upstream,
  method: string,
  path: string,
  body: Buffer | null,
): Promise<UpstreamAnswer> {
  const upstream = readUpstream(to.url);
  const target = `${upstream.base}${path}${upstream.search}`;
  const isSecure = target.startsWith('https:');
  const headers = {
    ...sentHeaders(upstream, to),
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  };
  return new Promise((resolve, reject) => {
    const trusted = isSecure && to.ca !== undefined ? { ca: [...to.ca] } : {};
    const options = { method, headers, agent: isSecure ? secureAgent : agent, ...trusted };
    const outgoing = (isSecure ? secureRequest : request)(target, options, (response) => {
      readBody(response, ANSWER_MAX).then(
        (answer) =>
          resolve({
            status: response.statusCode ?? 502,
            type: response.headers['content-type'] ?? 'application/json',
            body: answer,
          }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** A body up to a size; rejects beyond it. */
export async function readBody(incoming: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > max) throw new RangeError(`over ${String(max >> 20)} MiB`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
