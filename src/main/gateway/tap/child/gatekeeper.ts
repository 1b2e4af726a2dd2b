// Admits requests to the tap's own port: this machine's names, no other site's pages, and a token that is known.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  BAD_ROLLOUT,
  hostNameIn,
  isLoopbackName,
  isOurOrigin,
  isRolloutName,
  readGivenKey,
} from '../../origin.ts';
import type { KeyLimit } from '../../../settings/keyLimits.ts';
import type { TapLinkKey } from '../linkProtocol.ts';

/** A page of another site may reach a loopback port: it is told apart by the names it uses. */
export function isOurs({ headers }: IncomingMessage): boolean {
  const { host = '', origin = null } = headers;
  return isLoopbackName(hostNameIn(host) ?? '') && isOurOrigin(origin, new URL(`http://${host}`));
}

/** `/t/<key>/<rest>`, where a name may stand behind the key; or null for another path. */
function tapPath(url: string): { given: string; path: string; query: string } | null {
  const [path = '', query = ''] = url.split('?', 2);
  const [, door, given, ...rest] = path.split('/');
  if (door !== 't' || given === undefined || given === '' || rest.length === 0) return null;
  return { given, path: `/${rest.join('/')}`, query };
}

export type DoorRefusal = { status: number; why: string; retryAfterS?: number };

export type AdmittedRequest = { key: TapLinkKey; rollout: string | null; path: string; query: string };

/** Whose key a request brings and what it wants, or why it is not let in. Only digests are compared. */
export function admitRequest(
  known: { keys(): ReadonlyMap<string, TapLinkKey>; strangers(): ReadonlyMap<string, string> },
  request: IncomingMessage,
): AdmittedRequest | DoorRefusal {
  if (!isOurs(request)) {
    return {
      status: 403,
      why: 'the tap answers to this machine’s own names, and not to pages of other sites',
    };
  }
  const found = tapPath(request.url ?? '');
  if (found === null) return { status: 404, why: 'there is nothing here: a tap is at /t/<key>/…' };
  const { secret, rollout } = readGivenKey(found.given);
  const sha256 = createHash('sha256').update(secret).digest('hex');
  const key = known.keys().get(sha256);
  if (key !== undefined) {
    if (rollout !== null && !isRolloutName(rollout)) return { status: 400, why: BAD_ROLLOUT };
    return { key, rollout, path: found.path, query: found.query };
  }
  const stranger = known.strangers().get(sha256);
  return stranger === undefined
    ? { status: 401, why: 'this key is not known, or it was revoked' }
    : { status: 403, why: `the key “${stranger}” does not open this door: it needs tap` };
}

export const limitsOf = (key: TapLinkKey): KeyLimit[] =>
  [key, ...(key.within ?? [])].map(({ sha256, at_once, per_minute }) => ({
    id: sha256,
    atOnce: at_once,
    perMinute: per_minute,
  }));
