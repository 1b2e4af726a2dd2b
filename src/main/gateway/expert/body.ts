// Reads a request's body within limits on size, encoding and depth, and digests it so that a retry is recognised.
import { createHash } from 'node:crypto';
import { canonical } from '../../../shared/canonical.ts';
import { bad, type ExpertRefusal } from './refusal.ts';

/** Beyond this nobody reads a request; other bodies of the gateway may be larger. */
const REQUEST_BYTES_MAX = 8 * 1024 * 1024;
const REQUEST_DEPTH_MAX = 100;

/** The body as JSON, or why it cannot be read. */
export async function readBody(request: Request): Promise<{ value: unknown } | ExpertRefusal> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > REQUEST_BYTES_MAX) {
    const message = `the request is over ${String(REQUEST_BYTES_MAX / 1024 / 1024)} MiB`;
    return { status: 413, message, param: null, code: 'request_too_large' };
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isDeep(value) ? bad(null, 'the body is nested too deeply', 'invalid_json') : { value };
  } catch (thrown) {
    return bad(null, `the body is not JSON: ${(thrown as Error).message}`, 'invalid_json');
  }
}

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > REQUEST_DEPTH_MAX) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** How an answer travels is not part of what was asked. */
const TRAVEL: ReadonlySet<string> = new Set(['stream', 'stream_options']);

/** The same digest for the same question by the same key, whatever the order of its fields. */
export function requestDigest(body: Readonly<Record<string, unknown>>, ...about: readonly string[]): string {
  const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !TRAVEL.has(name)));
  return createHash('sha256')
    .update(canonical([about, asked]))
    .digest('hex');
}
