// One HTTP request to a server, with the headers and authorities that are set for it. Credentials never go to another
// host: redirects are followed on the same one only.
import { request, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { FRAME_MAX } from '../../shared/wire.ts';
import type { Address } from './address.ts';

export type HttpAnswer = { status: number; text: string };
export type HttpRequest = {
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: object;
  timeoutMs: number;
  charsMax: number;
  signal?: AbortSignal;
};

const HEAD_CHARS = 64 * 1024;
const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Rejects with the cause where there is no answer, and with a `TooLong` for one over `charsMax`. */
export async function askHttp(
  { connect }: Address,
  path: string,
  { timeoutMs, signal, body, charsMax }: HttpRequest,
): Promise<HttpAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  let url = new URL(connect.http(path));
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url, connect, body, stop);
    const { statusCode: status = 0, headers } = response;
    const next = REDIRECTS.has(status) && body === undefined ? headers.location : undefined;
    if (next === undefined || redirects === REDIRECTS_MAX || !isSameHost(next, url))
      return { status, text: await readText(response, charsMax) };
    response.resume();
    url = new URL(next, url);
  }
}

const isSameHost = (location: string, from: URL): boolean =>
  URL.canParse(location, from.href) && new URL(location, from).origin === from.origin;

function send(
  url: URL,
  { headers: own, ca }: Address['connect'],
  body: object | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const text = body === undefined ? null : JSON.stringify(body);
  const headers = {
    ...own,
    accept: 'application/json',
    ...(text === null
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  };
  return new Promise((resolve, reject) => {
    const options = { method: text === null ? 'GET' : 'POST', headers, signal };
    const outgoing =
      url.protocol === 'https:'
        ? secureRequest(url, ca === null ? options : { ...options, ca: [...ca] })
        : request(url, options);
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(text ?? undefined);
  });
}

/** An answer that was read, and of which only the beginning was kept. */
export class TooLong extends RangeError {
  readonly head: string;
  readonly length: number;
  constructor(head: string, length: number) {
    super(`an answer of ${String(length)} characters`);
    [this.head, this.length] = [head, length];
  }
}

/** To its end, so that the server is not cut off in the middle; up to what a frame may have. */
async function readText(response: IncomingMessage, charsMax: number): Promise<string> {
  response.setEncoding('utf8');
  let [text, length] = ['', 0];
  for await (const chunk of response) {
    const read = String(chunk);
    length += read.length;
    if (text.length <= charsMax) text += read;
    if (length > FRAME_MAX) break;
  }
  if (length > charsMax) throw new TooLong(text.slice(0, HEAD_CHARS), length);
  return text;
}
