// Reads a request's body within limits on size, encoding and depth, and digests it so that a retry is recognised.
import { createHash } from 'node:crypto';
import { canonical } from '../../../shared/canonical.ts';
import type { Job, RunJob } from '../../log/largeThread.ts';
import type { GatewayCaller } from '../gateway.ts';

const REQUEST_BYTES_MAX = 8 * 1024 * 1024;
/**
 * The conversation of a model that reads a million tokens is 4 to 6 MiB of text, and a turn of it some 12 values. Texts come
 * back from another thread in next to no time; for small values that takes as long as to parse them, some 30 ms for 200,000.
 */
const QUESTION_VALUES_MAX = 50_000;
/** A report or a transcript comes once in a while, and may list every token. */
export const TRANSCRIPT_VALUES_MAX = 500_000;
const REQUEST_DEPTH_MAX = 100;

type ReadBody = { value: unknown } | ExpertRefusal;

/** The body as JSON, or why it cannot be read. What is over a limit is not parsed. */
export async function readBody(
  request: Request,
  runLarge: RunJob,
  valuesMax = QUESTION_VALUES_MAX,
): Promise<ReadBody> {
  const bytes = await bytesWithin(request, REQUEST_BYTES_MAX);
  if (bytes === null) return tooLarge(`the request is over ${String(REQUEST_BYTES_MAX / 1024 / 1024)} MiB`);
  return runLarge(READ_JSON, { bytes, valuesMax });
}

export const READ_JSON: Job<{ bytes: Uint8Array; valuesMax: number }, ReadBody> = {
  name: 'read JSON',
  run: ({ bytes, valuesMax }) => {
    const { depth, values } = jsonSize(bytes, valuesMax);
    if (depth > REQUEST_DEPTH_MAX) return bad(null, 'the body is nested too deeply', 'invalid_json');
    if (values > valuesMax)
      return tooLarge(`the request holds over ${valuesMax.toLocaleString('en')} JSON values`);
    try {
      return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
    } catch (thrown) {
      return bad(null, `the body is not JSON: ${(thrown as Error).message}`, 'invalid_json');
    }
  },
};

const tooLarge = (message: string): ExpertRefusal => ({
  status: 413,
  message,
  param: null,
  code: 'request_too_large',
});

/** Null where there are more. The rest is read and dropped, so that its sender comes to read why it was refused. */
async function bytesWithin({ body }: Request, max: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size <= max) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > max ? null : Buffer.concat(chunks);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The depth and the most values of a JSON text, without parsing it. Counts to `max`. */
function jsonSize(bytes: Uint8Array, max: number): { depth: number; values: number } {
  let [depth, deepest, values] = [0, 0, 1];
  for (let at = 0; at < bytes.length && values <= max; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) values += 1;
    else if (OPENS.has(byte)) {
      depth += 1;
      values += 1;
      if (depth > deepest) deepest = depth;
    } else if (CLOSES.has(byte)) depth -= 1;
  }
  return { depth: deepest, values };
}

function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
}

/** The delivery of an answer is no part of the question. */
const TRAVEL: ReadonlySet<string> = new Set(['stream', 'stream_options']);

const sha256 = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

/** The same digest for the same question, whatever the order of its fields. */
export const bodyDigest = (body: object): string =>
  sha256(Object.fromEntries(Object.entries(body).filter(([name]) => !TRAVEL.has(name))));

/** Of a question by one key. */
export const requestDigest = (body: string, ...about: readonly string[]): string => sha256([about, body]);

// Refusals at the expert's door: OpenAI's error shape, which names what of the request was at fault.
export type ExpertRefusal = {
  status: 400 | 404 | 405 | 413 | 503;
  message: string;
  param: string | null;
  code: string;
};

const OPENAI_ERROR_TYPES: Record<ExpertRefusal['status'], string> = {
  400: 'invalid_request_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  413: 'invalid_request_error',
  503: 'server_error',
};

/** A refusal as the client's library reads it. */
export const refusedResponse = ({ status, message, param, code }: ExpertRefusal): Response =>
  new Response(JSON.stringify({ error: { message, type: OPENAI_ERROR_TYPES[status], param, code } }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });

export const bad = (param: string | null, message: string, code = 'unsupported_value'): ExpertRefusal => ({
  status: 400,
  message,
  param,
  code,
});

/** As other services take it. */
const NAME_MAX = 255;
/** The key of an MCP client, in the `_meta` of its call. */
export const META_KEY = 'interject/idempotency_key';

type Named = { name: string };

/** The client's name for its question; null where it has none, a refusal where that is no name. */
export function idempotencyKey(headers: Headers, meta?: unknown): Named | ExpertRefusal | null {
  const inMeta = typeof meta === 'object' && meta !== null ? Reflect.get(meta, META_KEY) : undefined;
  const name: unknown = inMeta ?? headers.get('idempotency-key');
  if (name === null) return null;
  if (typeof name === 'string' && name.length > 0 && name.length <= NAME_MAX) return { name };
  return bad('Idempotency-Key', `an idempotency key is a text of 1 to ${String(NAME_MAX)} characters`);
}

/** One key of the gateway does not find what another one named. */
export const namedBy = ({ key }: GatewayCaller, named: Named | null): string | null =>
  named === null
    ? null
    : createHash('sha256')
        .update(JSON.stringify([key.id, named.name]))
        .digest('hex');
