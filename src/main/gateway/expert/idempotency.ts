// The name a client gives its question, so that it finds it again when its connection broke, or this process did.
import { createHash } from 'node:crypto';
import type { GatewayCaller } from '../gateway.ts';
import { bad, type ExpertRefusal } from './refusal.ts';

/** As other services take it. */
const NAME_MAX = 255;
const HEADER = 'idempotency-key';
/** Where an MCP client says it, in the `_meta` of its call. */
export const META_KEY = 'interject/idempotency_key';

type Named = { name: string };

/** What the client calls its question; null where it does not, a refusal where that is no name. */
export function idempotencyKey(headers: Headers, meta?: unknown): Named | ExpertRefusal | null {
  const inMeta = typeof meta === 'object' && meta !== null ? Reflect.get(meta, META_KEY) : undefined;
  const name: unknown = inMeta ?? headers.get(HEADER);
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
