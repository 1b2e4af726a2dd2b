// Owns: who may knock at the tap's own port: this machine's names, no other site's pages, and a token that is known.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackName, isOurOrigin } from '../../origin.ts';
import type { TapKey } from '../link.ts';

const hostName = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/** A page of another site may reach a loopback port: it is told apart by the names it uses. */
export function isOurs({ headers }: IncomingMessage): boolean {
  if (headers.host === undefined || !isLoopbackName(hostName(headers.host))) return false;
  return isOurOrigin(headers.origin ?? null, new URL(`http://${headers.host}`));
}

/** `/t/<token>/<rest>`, or null for another path. */
export function tapPath(url: string): { token: string; path: string; query: string } | null {
  const [path = '', query = ''] = url.split('?', 2);
  const [, door, token, ...rest] = path.split('/');
  if (door !== 't' || token === undefined || token === '' || rest.length === 0) return null;
  return { token, path: `/${rest.join('/')}`, query };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The key of a token; only digests are compared. */
export const keyOf = (keys: ReadonlyMap<string, TapKey>, token: string): TapKey | null =>
  keys.get(digest(token)) ?? null;

export function isSecret(given: string | undefined, secret: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(secret)));
}
