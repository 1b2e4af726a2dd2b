// Owns: reaching the environment of a key: its socket before the client's is accepted, its HTTP answers as they are.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { openWire } from './handshake.ts';

/** What an environment may answer in one frame or body. */
const ANSWER_MAX = 100 << 20;
const CONNECT_MS = 10_000;

export type Opened = Awaited<ReturnType<typeof openWire>>;

const base = (url: string): string => url.replace(/\/+$/, '').replace(/\/ws$/, '');

/**
 * Opens the environment's socket, or says with which status the client is refused. The environment may speak first (it
 * is full): nothing is read before the client is there to hear it.
 */
export const openUpstream = (url: string, query: string): Promise<Opened> =>
  openWire(`${base(url).replace(/^ws/, 'http')}/ws${query === '' ? '' : `?${query}`}`, {
    timeoutMs: CONNECT_MS,
    max: ANSWER_MAX,
  });

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const secureAgent = new SecureAgent({ keepAlive: true, maxSockets: 256 });

export type Answered = { status: number; type: string; body: Buffer };

/** One HTTP request to the environment. Rejects when it cannot be reached. */
export function ask(url: string, method: string, path: string, body: Buffer | null): Promise<Answered> {
  const target = `${base(url)}${path}`;
  const isSecure = target.startsWith('https:');
  const headers = body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: isSecure ? secureAgent : agent };
    const outgoing = (isSecure ? secureRequest : request)(target, options, (response) => {
      bodyOf(response, ANSWER_MAX).then(
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
export async function bodyOf(incoming: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > max) throw new RangeError(`over ${String(max >> 20)} MiB`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
