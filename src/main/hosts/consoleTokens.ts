// Who a token of the console stands for, and how a request brings one: a script as subprotocol or bearer, a browser in the
// cookie of an entry of its own.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { seatOfToken, SUBPROTOCOL_PREFIX } from '../../shared/contract/greeting.ts';
import type { Invite } from '../../shared/contract/seat.ts';
import { targetIn } from '../gateway/origin.ts';
import type { Key } from '../settings/keyShapes.ts';
import type { App } from '../app/types.ts';

/** `id` is under what its consoles are counted, and closed when the token ends. */
export type ConsoleHolder =
  | { type: 'owner'; id: 'owner' }
  | { type: 'key'; id: string; key: Key }
  | { type: 'invite'; id: string; invite: Invite };

/** In constant time, so that an answer's speed says nothing. */
export function isToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

export const tokenInSubprotocol = (subprotocol: string): string =>
  subprotocol.startsWith(SUBPROTOCOL_PREFIX) ? subprotocol.slice(SUBPROTOCOL_PREFIX.length) : '';

/** Looks up holders: the owner by their own token, a named key to the console, an invited expert. */
export function createHolders({ settings, keys }: Pick<App, 'settings' | 'keys'>, clock: () => number) {
  let owners = settings.ownerToken();
  settings.onOwnerTokenRenewed((token) => (owners = token));
  return (token: string): ConsoleHolder | null => {
    if (isToken(token, owners)) return { type: 'owner', id: 'owner' };
    const key = keys.find(token);
    if (key?.scopes.includes('console') === true) return { type: 'key', id: key.id, key };
    const invite = settings.inviteOf(token, clock());
    return invite === null ? null : { type: 'invite', id: invite.id, invite };
  };
}

/**
 * Where the cookie of a token is sent, and nowhere else. A cookie goes to every port of a host: another program on this
 * machine would be sent it too if the path could be guessed. An invite's entry names its seat.
 */
export function entryOf(token: string): string {
  const digest = createHash('sha256').update(`entry of ${token}`).digest('hex').slice(0, 32);
  const seat = seatOfToken(token);
  return seat === null ? digest : `${seat}.${digest}`;
}

const ENTRY_PATH = /^\/console\/([a-z0-9.-]+)$/;
/** The longest that browsers keep one. */
const COOKIE_MAX_AGE_S = 400 * 86_400;

/** Another data folder of this host has a cookie of another name. */
const cookieName = (folder: string): string =>
  `interject-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;

/** The `Set-Cookie` that keeps a token: no script reads it, and no other site's page has it sent. */
export const cookieFor = (token: string, folder: string, isSecure: boolean): string =>
  [
    `${cookieName(folder)}=${token}`,
    `Path=/console/${entryOf(token)}`,
    `Max-Age=${String(COOKIE_MAX_AGE_S)}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');

export const isEntry = (path: string): boolean => ENTRY_PATH.test(path);

/** The token in the cookie of the entry that is asked for; null where there is none that belongs to it. */
export function tokenInCookie(path: string, cookies: string | undefined, folder: string): string | null {
  const [, entry] = ENTRY_PATH.exec(path) ?? [];
  const name = `${cookieName(folder)}=`;
  const kept = (cookies ?? '').split(/;\s*/).filter((one) => one.startsWith(name));
  // A page of another port may have put one of its own beside ours.
  return kept.map((one) => one.slice(name.length)).find((token) => entryOf(token) === entry) ?? null;
}

/** The tokens a request for a socket brings. With a cookie it must come from a page, and the listener lets in only ours. */
export function tokensOf(
  request: { url?: string | undefined; headers: IncomingHttpHeaders },
  folder: string,
): string[] {
  const path = targetIn(request.url)?.pathname ?? '';
  if (path === '/console') {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',');
    return offered.map((one) => tokenInSubprotocol(one.trim()));
  }
  if (request.headers.origin === undefined) return [];
  const token = tokenInCookie(path, request.headers.cookie, folder);
  return token === null ? [] : [token];
}

/** Whether a request comes from this console's own page, as its browser says. */
export function isOwnPage({ url, headers }: Pick<Request, 'url' | 'headers'>, isReading: boolean): boolean {
  const origin = headers.get('origin');
  // Browsers name the page of everything but a read, and on which site it is.
  const isOurs =
    origin === null ? isReading : URL.canParse(origin) && new URL(origin).host === new URL(url).host;
  return isOurs && (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
}
