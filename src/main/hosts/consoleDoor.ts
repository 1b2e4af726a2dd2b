// The console for a browser: its files, and its socket over the same router and feeds as the desktop.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Caller } from '../../shared/contract/contract.ts';
import { SeatId } from '../../shared/contract/envelope.ts';
import { TRY_LATER } from '../../shared/contract/greeting.ts';
import { startTimer } from '../../shared/longTimer.ts';
import { targetIn } from '../gateway/origin.ts';
import type { App } from '../app/types.ts';
import { createConsoleLimits, type ConsoleLimits } from './consoleLimits.ts';
import {
  cookieFor,
  createHolders,
  entryOf,
  isEntry,
  isOwnPage,
  tokenInCookie,
  tokenInSubprotocol,
  tokensOf,
  type ConsoleHolder,
} from './consoleTokens.ts';
import type { ListenerDoor } from './listener.ts';
import { serveSocket } from './serveSocket.ts';
import { createStaticFiles } from './staticFiles.ts';

export const CONTENT_SECURITY_POLICY = [
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
