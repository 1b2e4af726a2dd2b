// Who may knock at the tap's own port: this machine's names, no other site's pages, and a token that is known.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostNameIn, isLoopbackName, isOurOrigin } from '../../origin.ts';
import type { TapLinkKey } from '../linkProtocol.ts';

/** A page of another site may reach a loopback port: it is told apart by the names it uses. */
export function isOurs({ headers }: IncomingMessage): boolean {
  const { host = '', origin = null } = headers;
  return isLoopbackName(hostNameIn(host) ?? '') && isOurOrigin(origin, new URL(`http://${host}`));
}

/** `/t/<token>/<rest>`, or null for another path. */
function tapPath(url: string): { token: string; path: string; query: string } | null {
  const [path = '', query = ''] = url.split('?', 2);
  const [, door, token, ...rest] = path.split('/');
  if (door !== 't' || token === undefined || token === '' || rest.length === 0) return null;
  return { token, path: `/${rest.join('/')}`, query };
}

const tokenDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

export type DoorRefusal = { status: number; why: string; retryAfterS?: number };
type KnownKeys = { keys(): ReadonlyMap<string, TapLinkKey>; strangers(): ReadonlyMap<string, string> };

/** Whose key a request brings and what it wants, or why it is not let in. Only digests are compared. */
export function admitRequest(
  known: KnownKeys,
  request: IncomingMessage,
): { key: TapLinkKey; path: string; query: string } | DoorRefusal {
  if (!isOurs(request)) {
    return {
      status: 403,
      why: 'the tap answers to this machine’s own names, and not to pages of other sites',
    };
  }
  const found = tapPath(request.url ?? '');
  if (found === null) return { status: 404, why: 'there is nothing here: a tap is at /t/<key>/…' };
  const sha256 = tokenDigest(found.token);
  const key = known.keys().get(sha256);
  if (key !== undefined) return { key, path: found.path, query: found.query };
  const stranger = known.strangers().get(sha256);
  return stranger === undefined
    ? { status: 401, why: 'this key is not known, or it was revoked' }
    : { status: 403, why: `the key “${stranger}” does not open this door: it needs tap` };
}

export function isSecret(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(tokenDigest(given)), Buffer.from(tokenDigest(secret)));
}
