// The console for a browser: its files, and its socket over the same router and feeds as the desktop.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Caller } from '../../shared/contract/contract.ts';
import { SeatId, SUBPROTOCOL_PREFIX } from '../../shared/contract/envelope.ts';
import type { Key } from '../settings/keyShapes.ts';
import type { App } from '../app/types.ts';
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

type DoorContext = { app: App; token: string };

/** `GET /` and the static files need no token; the socket and `GET /console` do: the console's own, or an invite's. */
export function createConsoleDoor({ app, token, files }: DoorContext & { files: string }): ListenerDoor {
  const serveFile = createStaticFiles(files, SECURITY_HEADERS);
  const knock = { app, token };
  const guests = createGuests();
  app.settings.onInviteRevoked((id) => guests.dismiss(id, 'this invite was revoked'));
  app.keys.onChanged((revoked) => {
    if (revoked !== null) guests.dismiss(revoked, 'this key was revoked');
  });
  return {
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/console') return checkToken(request, knock);
      return serveFile(request, pathname);
    },
    refuse: (request) => refusalStatus(request, knock),
    subprotocol: (offered) =>
      [...offered].find((one) => isKnownToken(knock, tokenInSubprotocol(one))) ?? false,
    accept: (socket, path) => {
      const known = callerOf(knock, tokenInSubprotocol(socket.protocol), path);
      // Revoked between the knock and the opening.
      if (known === null) return socket.close(REVOKED_CLOSE, 'the token is not valid any more');
      const { caller, key } = known;
      const admitted = key === null ? null : app.keys.admit(key, 'console');
      if (admitted?.isAdmitted === false) return socket.close(TRY_LATER, admitted.why);
      const leave = app.seats.connect(caller.seat);
      const stop = serveSocket(app, socket, caller, leave);
      if (admitted !== null) socket.on('close', admitted.release);
      const guest = caller.invite ?? key?.id;
      if (guest === undefined) return;
      guests.welcome(guest, socket, () => {
        stop();
        app.seats.dismiss(caller.seat);
      });
    },
  };
}

/** Close code of a socket whose invite or key was revoked. */
const REVOKED_CLOSE = 4401;
/** Close code of a socket whose key is limited. */
const TRY_LATER = 1013;

/** The open sockets of each invite and each key, so that revoking it closes them. */
function createGuests() {
  const guests = new Map<string, Set<(reason: string) => void>>();
  return {
    welcome: (invite: string, socket: WebSocket, stop: () => void): void => {
      const own = guests.get(invite) ?? new Set();
      guests.set(invite, own);
      const dismiss = (reason: string): void => {
        // Nothing that is still on its way may be carried out.
        stop();
        socket.close(REVOKED_CLOSE, reason);
      };
      own.add(dismiss);
      socket.on('close', () => own.delete(dismiss));
    },
    dismiss: (invite: string, reason: string): void => {
      for (const dismiss of guests.get(invite) ?? []) dismiss(reason);
      guests.delete(invite);
    },
  };
}

export function isToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

export const tokenInSubprotocol = (subprotocol: string): string =>
  subprotocol.startsWith(SUBPROTOCOL_PREFIX) ? subprotocol.slice(SUBPROTOCOL_PREFIX.length) : '';

const isKnownToken = ({ app, token }: DoorContext, given: string): boolean =>
  isToken(given, token) || app.settings.inviteOf(given) !== null || consoleKey(app, given) !== null;

/** A named key to the console, for its owner at another machine. */
function consoleKey(app: App, given: string): Key | null {
  const key = app.keys.find(given);
  return key?.scopes.includes('console') === true ? key : null;
}

/** Who a token stands for: the owner at the seat the console names, or an invited expert at the invite's seat. */
function callerOf(
  { app, token }: DoorContext,
  given: string,
  path: string,
): { caller: Caller; key: Key | null } | null {
  if (isToken(given, token)) return { caller: { seat: seatInPath(path) }, key: null };
  const key = consoleKey(app, given);
  if (key !== null) return { caller: { seat: seatInPath(path) }, key };
  const invite = app.settings.inviteOf(given);
  return invite === null ? null : { caller: { seat: invite.seat, invite: invite.id }, key: null };
}

/** A browser cannot see why a socket was refused, so it can ask here first. */
function checkToken(request: Request, knock: DoorContext): Response {
  const given = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? '';
  return new Response(null, { status: isKnownToken(knock, given) ? 204 : 401, headers: SECURITY_HEADERS });
}

function refusalStatus(request: IncomingMessage, knock: DoorContext): number | null {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname !== '/console') return 404;
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  return offered.some((one) => isKnownToken(knock, tokenInSubprotocol(one))) ? null : 401;
}

const seatInPath = (path: string): string => {
  const given = new URL(path, 'http://localhost').searchParams.get('seat');
  return SeatId.safeParse(given).data ?? 'seat-unnamed';
};
