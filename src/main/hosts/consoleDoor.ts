// Owns: the console for a browser: its files, and its socket over the same router and feeds as the desktop.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { WebSocket } from 'ws';
import { SeatId, SUBPROTOCOL_PREFIX, ToMain, type ToView } from '../../shared/contract/envelope.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { App } from '../app.ts';
import type { Door } from './listener.ts';

/** A view that has this much unsent is slow: its feeds wait. */
const UNSENT_MAX = 4 * 1024 * 1024;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

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

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** `GET /` and the static files need no token; the socket and `GET /console` do. */
export function createConsoleDoor({ app, token, files }: { app: App; token: string; files: string }): Door {
  const served = readFiles(files);
  return {
    handle: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/console') return checkToken(request, token);
      const file = served.get(pathname === '/' ? '/index.html' : pathname);
      if (file === undefined) return new Response('not found', { status: 404, headers: SECURITY_HEADERS });
      return new Response(file.body, {
        headers: { ...SECURITY_HEADERS, 'content-type': file.type, 'cache-control': file.cache },
      });
    },
    refuse: (request) => refusal(request, token),
    subprotocol: (offered) => [...offered].find((one) => one.startsWith(SUBPROTOCOL_PREFIX)) ?? false,
    accept: (socket, path) => serve(app, socket, seatOf(path)),
  };
}

type StaticFile = { body: Uint8Array<ArrayBuffer>; type: string; cache: string };

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of entriesOf(folder)) {
    const path = join(entry.parentPath, entry.name);
    const url = `/${relative(folder, path).split(sep).join('/')}`;
    files.set(url, {
      body: new Uint8Array(readFileSync(path)),
      type: TYPES[extname(entry.name)] ?? 'application/octet-stream',
      cache: url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  } catch (cause) {
    throw new Failure('not_built', `the console is not built: ${folder} is missing`, {
      cause,
      next: 'Run `npm run build`, then start again.',
    });
  }
}

function isToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A browser cannot see why a socket was refused, so it can ask here first. */
function checkToken(request: Request, token: string): Response {
  const given = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? '';
  return new Response(null, { status: isToken(given, token) ? 204 : 401, headers: SECURITY_HEADERS });
}

function refusal(request: IncomingMessage, token: string): number | null {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname !== '/console') return 404;
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const isKnown = offered.some(
    (one) => one.startsWith(SUBPROTOCOL_PREFIX) && isToken(one.slice(SUBPROTOCOL_PREFIX.length), token),
  );
  return isKnown ? null : 401;
}

const seatOf = (path: string): string => {
  const given = new URL(path, 'http://localhost').searchParams.get('seat');
  return SeatId.safeParse(given).data ?? 'seat-unnamed';
};

function serve(app: App, socket: WebSocket, seat: string): void {
  const subscriptions = new Map<number, () => void>();
  const leave = app.seats.connect(seat);
  const send = (message: ToView): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const canSend = (): boolean => socket.bufferedAmount < UNSENT_MAX;
  socket.on('message', (data: Buffer) => {
    const message = readMessage(data);
    if (message === null) return socket.close(1008, 'not a message of this protocol');
    switch (message.type) {
      case 'request':
        void app.route(message.method, message.input, { seat }).then(
          (value) => send({ type: 'value', id: message.id, value }),
          (thrown: unknown) => send({ type: 'failure', id: message.id, failure: failureShape(thrown) }),
        );
        return;
      case 'subscribe':
        subscriptions.get(message.id)?.();
        subscriptions.set(
          message.id,
          app.subscribe(message.topic, (push) => send({ type: 'push', id: message.id, push }), canSend),
        );
        return;
      case 'unsubscribe':
        subscriptions.get(message.id)?.();
        subscriptions.delete(message.id);
    }
  });
  socket.on('close', () => {
    for (const unsubscribe of subscriptions.values()) unsubscribe();
    subscriptions.clear();
    leave();
  });
}

function readMessage(data: Buffer): ToMain | null {
  try {
    return ToMain.safeParse(JSON.parse(data.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
