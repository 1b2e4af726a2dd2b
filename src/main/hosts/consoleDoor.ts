// The console for a browser: its files, and its socket over the same router and feeds as the desktop.
import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import type { Caller } from '../../shared/contract/contract.ts';
import { SeatId } from '../../shared/contract/envelope.ts';
import { seatOfToken, SUBPROTOCOL_PREFIX } from '../../shared/contract/greeting.ts';
import { TRY_LATER } from '../../shared/contract/greeting.ts';
import { startTimer } from '../../shared/longTimer.ts';
import { targetIn } from '../gateway/origin.ts';
import type { App } from '../app/types.ts';
import type { ListenerDoor } from './listener.ts';
import { serveSocket, type SocketLimits } from './serveSocket.ts';
import { createStaticFiles } from './staticFiles.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Invite } from '../../shared/contract/seat.ts';
import type { Key } from '../settings/keyShapes.ts';
import { Failure } from '../../shared/failure.ts';
import { once } from '../../shared/once.ts';
import { createKeyLimits, type AdmissionResult } from '../settings/keyLimits.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

type DoorContext = {
  app: App;
  holderOf: (token: string) => ConsoleHolder | null;
  guests: ReturnType<typeof createGuests>;
  limits: ConsoleLimits;
  clock: () => number;
};

/**
 * `GET /` and the static files need no token; the socket and `/console` do: the owner's own, a key's or an invite's.
 * `clock` is UTC ms.
 */
export function createConsoleDoor({
  app,
  files,
  clock = Date.now,
}: {
  app: App;
  files: string;
  clock?: () => number;
}): ListenerDoor {
  const serveFile = createStaticFiles(files, SECURITY_HEADERS);
  const holderOf = createHolders(app, clock);
  const guests = createGuests();
  const door = { app, holderOf, guests, limits: createConsoleLimits(() => performance.now()), clock };
  app.settings.onInviteRevoked((id) => guests.dismiss(id, 'this invite was revoked'));
  app.settings.onOwnerTokenRenewed(() => guests.dismiss('owner', 'the owner’s token was renewed'));
  app.keys.onChanged((revoked) => {
    for (const id of revoked) guests.dismiss(id, 'this key was revoked');
  });
  const known = (request: IncomingMessage): string | undefined =>
    tokensOf(request, app.folder).find((token) => holderOf(token) !== null);
  return {
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/console' || isEntry(pathname)) return answerEntry(door, request, pathname);
      return serveFile(request, pathname);
    },
    refuse: (request) => {
      const path = targetIn(request.url)?.pathname ?? '';
      if (path !== '/console' && !isEntry(path)) return 404;
      return known(request) === undefined ? 401 : null;
    },
    subprotocol: (offered) => [...offered].find((one) => holderOf(tokenInSubprotocol(one)) !== null) ?? false,
    accept: (socket, path, request) => admit(door, socket, path, known(request)),
  };
}

/** Serves a socket for whom its token stands for, as long as the token holds. */
function admit(
  { app, holderOf, guests, limits, clock }: DoorContext,
  socket: WebSocket,
  path: string,
  token: string | undefined,
): void {
  const holder = token === undefined ? null : holderOf(token);
  // Revoked between the knock and the opening.
  if (holder === null) return socket.close(REVOKED_CLOSE, 'the token is not valid any more');
  const entered = limits.enter(holder);
  if ('why' in entered) {
    if (holder.type === 'invite') app.keys.noteInvite(holder.invite, 'limited');
    return socket.close(TRY_LATER, entered.why);
  }
  socket.on('close', entered.leave);
  const admitted = holder.type === 'key' ? app.keys.admit(holder.key, 'console') : null;
  if (admitted?.isAdmitted === false) return socket.close(TRY_LATER, admitted.why);
  if (admitted !== null) socket.on('close', admitted.release);
  const caller = callerOf(holder, path);
  const leave = app.seats.connect(caller.seat);
  const stop = serveSocket(app, socket, caller, leave, entered);
  const dismissed = (): void => {
    stop();
    if (holder.type !== 'owner') app.seats.dismiss(caller.seat);
  };
  guests.welcome(holder.id, socket, dismissed);
  if (holder.type !== 'invite') return;
  app.keys.noteInvite(holder.invite, 'used');
  socket.on('message', () => app.keys.touchInvite(holder.id));
  const { expires_at: until } = holder.invite;
  if (until !== null)
    closeAt(until, clock, socket, () => guests.dismiss(holder.id, 'this invite has expired'));
}

function callerOf(holder: ConsoleHolder, path: string): Caller {
  switch (holder.type) {
    case 'owner':
      return { seat: seatInPath(path) };
    case 'key':
      return { seat: `key-${holder.id}`, key: holder.id };
    case 'invite':
      return { seat: holder.invite.seat, invite: holder.id };
  }
}

/** Close code of a socket whose token ended. */
const REVOKED_CLOSE = 4401;
/** Calls when that time has come, unless the socket has gone before. */
function closeAt(until: number, clock: () => number, socket: WebSocket, close: () => void): void {
  let cancel = (): void => undefined;
  const wait = (): void => {
    const left = until - clock();
    if (left <= 0) return close();
    cancel = startTimer(left, wait);
  };
  wait();
  socket.on('close', () => cancel());
}

/** The open sockets of each holder, so that the end of a token closes them. */
function createGuests() {
  const guests = new Map<string, Set<(reason: string) => void>>();
  return {
    welcome: (holder: string, socket: WebSocket, stop: () => void): void => {
      const own = guests.get(holder) ?? new Set();
      guests.set(holder, own);
      const dismiss = (reason: string): void => {
        // Nothing that is still on its way may be carried out; who ended it is still told that it is done.
        stop();
        setImmediate(() => socket.close(REVOKED_CLOSE, reason));
      };
      own.add(dismiss);
      socket.on('close', () => own.delete(dismiss));
    },
    dismiss: (holder: string, reason: string): void => {
      for (const dismiss of guests.get(holder) ?? []) dismiss(reason);
      guests.delete(holder);
    },
  };
}

/**
 * `POST /console` turns a token into the cookie of its entry. `GET` says whether a token or a cookie still opens the
 * console, and changes nothing: a browser cannot see why a socket was refused.
 */
function answerEntry({ app, holderOf }: DoorContext, request: Request, path: string): Response {
  const { method, headers } = request;
  const bearer = headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? '';
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && (method !== 'POST' || path !== '/console')) return answerWith(405);
  if (path !== '/console' || !isReading) {
    if (!isOwnPage(request, isReading)) return answerWith(403);
  }
  const token = path === '/console' ? bearer : tokenInCookie(path, headers.get('cookie') ?? '', app.folder);
  if (token === null || holderOf(token) === null) return answerWith(401);
  if (isReading) return answerWith(204);
  return Response.json(
    { entry: entryOf(token) },
    {
      headers: {
        ...SECURITY_HEADERS,
        'cache-control': 'no-store',
        'set-cookie': cookieFor(token, app.folder, request.url.startsWith('https:')),
      },
    },
  );
}

const answerWith = (status: number): Response =>
  new Response(null, { status, headers: { ...SECURITY_HEADERS, 'cache-control': 'no-store' } });

const seatInPath = (path: string): string => {
  const given = targetIn(path)?.searchParams.get('seat');
  return SeatId.safeParse(given).data ?? 'seat-unnamed';
};

/** `id` is under what its consoles are counted, and closed when the token ends. */
type ConsoleHolder =
  | { type: 'owner'; id: 'owner' }
  | { type: 'key'; id: string; key: Key }
  | { type: 'invite'; id: string; invite: Invite };

/** In constant time, so that an answer's speed says nothing. */
export function isToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

const tokenInSubprotocol = (subprotocol: string): string =>
  subprotocol.startsWith(SUBPROTOCOL_PREFIX) ? subprotocol.slice(SUBPROTOCOL_PREFIX.length) : '';

/** Looks up holders: the owner by their own token, a named key to the console, an invited expert. */
function createHolders({ settings, keys }: Pick<App, 'settings' | 'keys'>, clock: () => number) {
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
 * The path that the cookie of a token is sent to. A cookie goes to every port of a host: another program on this
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
const cookieFor = (token: string, folder: string, isSecure: boolean): string =>
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
function tokenInCookie(path: string, cookies: string | undefined, folder: string): string | null {
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

/** True if a request comes from this console's own page, as its browser says. */
export function isOwnPage({ url, headers }: Pick<Request, 'url' | 'headers'>, isReading: boolean): boolean {
  const origin = headers.get('origin');
  // Browsers name the page of everything but a read, and on which site it is.
  const isOurs =
    origin === null ? isReading : URL.canParse(origin) && new URL(origin).host === new URL(url).host;
  return isOurs && (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
}

type Limits = {
  consoles: number;
  /** Over all of its consoles. */
  subscriptions: number;
  atOnce: number;
  perMinute: number;
};

export const SEAT_LIMITS: Limits = { consoles: 12, subscriptions: 256, atOnce: 64, perMinute: 1200 };
const OWNER_LIMITS: Limits = { consoles: 500, subscriptions: 10_000, atOnce: 2000, perMinute: 60_000 };

type ConsoleLimits = {
  /** One more console, or why there is none. */
  enter(holder: ConsoleHolder): (SocketLimits & { leave: () => void }) | { why: string };
};

type Held = { consoles: number; subscriptions: number };

function createConsoleLimits(monotonic: () => number): ConsoleLimits {
  const held = new Map<string, Held>();
  const requests = createKeyLimits(monotonic);
  return {
    enter: ({ id, type }) => {
      const most = type === 'invite' ? SEAT_LIMITS : OWNER_LIMITS;
      const mine = held.get(id) ?? { consoles: 0, subscriptions: 0 };
      held.set(id, mine);
      if (mine.consoles >= most.consoles) {
        return { why: `${String(most.consoles)} consoles of this seat are open already: close some` };
      }
      mine.consoles += 1;
      return {
        leave: once(() => (mine.consoles -= 1)),
        request: () => admitted(requests.admit([{ id, ...most }])),
        subscribe: () => {
          if (mine.subscriptions >= most.subscriptions) {
            throw tooMuch(`this seat watches ${String(most.subscriptions)} things already`, CLOSE_SOME);
          }
          // What is watched anew is read anew.
          admitted(requests.admit([{ id, ...most }]))();
          mine.subscriptions += 1;
          return once(() => (mine.subscriptions -= 1));
        },
      };
    },
  };
}

const CLOSE_SOME = 'Close some of its consoles, or reload them.';

function admitted(result: AdmissionResult): () => void {
  if (result.isAdmitted) return result.release;
  throw tooMuch(`this seat is limited: ${result.why}`, `Try again in ${String(result.retryAfterS)} s.`);
}

const tooMuch = (message: string, next: string): Failure => new Failure('limit_exceeded', message, { next });
