// The tap's own process: its port, its clients, how long it stays. It outlives main: an environment's episode and a
// foreign client cannot be resumed, so nothing that happens to main may end them. Must not know: the log, the desk,
// or what a frame means to people.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { SLOW_CLIENTS } from '../../origin.ts';
import { answerKnock, KNOCK_ANSWER } from '../../../log/knock.ts';
import { removeTapFile, writeTapFile } from '../linkProtocol.ts';
import { createControl, newPlayer, type TapControl, type TapPlayer, type TapShared } from './control.ts';
import { admitRequest, isOurs, type DoorRefusal, limitsOf } from './gatekeeper.ts';
import { createHolds, type Holds } from './holds.ts';
import { acceptClient, handshakeProblem } from './wire.ts';
import { answerTap, CLOSING, detail, isOfAnotherKey, OTHER_KEY } from './httpDoor.ts';
import { createKeyLimits, type KeyLimits } from '../../../settings/keyLimits.ts';
import { type JoinedClient, joinLine } from './tapLine.ts';
import { collector, createMemoryBack } from '../../memoryBack.ts';
import { createJournal, createSpool, journalNames } from './journal.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { openUpstream, readUpstream } from './upstream.ts';

type TapProcessOptions = {
  folder: string;
  port: number;
  run: string;
  /** UTC ms, for records. */
  clock: () => number;
  /** ms on a clock that never jumps, for limits. */
  monotonic: () => number;
  newId: () => string;
  exit: () => void;
};

/** A client's frame, as uvicorn limits it. */
const FRAME_MAX = 16 << 20;
const SOCKETS_MAX = 4096;
const CLIENT_PING_MS = 20_000;
/** The counts under a key's limits, as a refusal names them. */
const COUNTED = { open: 'connections', rate: 'connections and steps' };
/** Without main and without a client it leaves after this. */
const ALONE_MS = 30_000;
const GOING_AWAY_CODE = 1001;
const REVOKED_CODE = 1008;

type TapProcess = {
  options: TapProcessOptions;
  control: TapControl;
  shared: TapShared;
  holds: Holds;
  sessions: Map<string, TapPlayer>;
  lines: Set<JoinedClient>;
  limits: KeyLimits;
};

/** Opens the port and writes where it is into the data folder. Resolves with the way to end it in order. */
export async function runTapProcess(options: TapProcessOptions): Promise<() => void> {
  const outbox = openOutbox(options);
  const lines: TapProcess['lines'] = new Set();
  let port = 0;
  const control: TapControl = createControl({
    run: options.run,
    port: () => port,
    outbox,
    shared: () => shared,
    holds: () => holds,
    sockets: () => lines.size,
    rekeyed: (keys) => {
      for (const line of lines) if (!keys.has(line.key)) line.close(REVOKED_CODE, 'the key was revoked');
    },
    quit: () => leave(),
  });
  const shared: TapShared = {
    outbox,
    rules: () => control.rules(),
    clock: options.clock,
    newId: options.newId,
    playing: new Map(),
  };
  const holds = createHolds(shared);
  const limits = createKeyLimits(options.monotonic, COUNTED);
  const parts: TapProcess = { options, control, shared, holds, sessions: new Map(), lines, limits };
  const server = createServer({ noDelay: true, ...SLOW_CLIENTS }, (incoming, outgoing) =>
    answerTapHttp(parts, incoming, outgoing),
  );
  server.maxConnections = SOCKETS_MAX * 2;
  const memory = createMemoryBack(collector(), () => outbox.lastSeq());
  server.on('connection', (socket) => socket.once('close', memory.closed));
  const admit = doorkeeper(parts);
  server.on('upgrade', (request, stream: Duplex, head) => void admit(request, stream, head));
  // A client that vanished without a word would keep its environment for ever.
  const pinging = setInterval(() => {
    for (const line of lines) line.ping();
  }, CLIENT_PING_MS);
  const leave = (): void => {
    clearInterval(pinging);
    memory.stop();
    clearInterval(watching);
    holds.close();
    for (const line of lines) line.close(GOING_AWAY_CODE, 'the tap was closed');
    outbox.flush();
    server.close();
    void lastWords(() => outbox.isEmpty()).then(() => {
      control.close();
      outbox.close();
      server.closeAllConnections();
      removeTapFile(options.folder);
      options.exit();
    });
  };
  const watching = watchAlone(parts, leave);
  port = await listening(server, options.port);
  writeTapFile(options.folder, { pid: process.pid, port });
  return leave;
}

/** The records that main does not have yet. */
function openOutbox({ folder, run }: TapProcessOptions): Outbox {
  const { first, second, unsaved } = journalNames(run);
  const [a, b, beside] = [join(folder, first), join(folder, second), join(folder, unsaved)];
  const journal = createJournal({ first: a, second: b, unsaved: beside });
  return createOutbox({ spool: createSpool(join(folder, `tap-${run}.spool`)), journal });
}

/** Main is given a moment to take what is left; what it does not take stays in the file. */
async function lastWords(isEmpty: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isEmpty(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Passes on an environment's own HTTP answers to a key's clients. */
function answerTapHttp(parts: TapProcess, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const admitted = admitRequest(parts.control, incoming);
  const refused = 'why' in admitted ? admitted : fullness(parts);
  if (refused === null && 'key' in admitted) {
    void answerTap({ ...parts, isClosing: parts.control.isClosing }, admitted, incoming, outgoing);
    return;
  }
  const { status, why } = refused ?? { status: 500, why: 'refused' };
  const { body } = detail(status, why);
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

const fullness = ({ lines }: TapProcess): DoorRefusal | null =>
  lines.size >= SOCKETS_MAX
    ? { status: 503, why: `${String(SOCKETS_MAX)} connections are open already` }
    : null;

/** Admits upgrades: main by what it laid into the data folder, clients by their token. */
function doorkeeper(parts: TapProcess) {
  const { control, options, shared, holds, sessions, lines, limits } = parts;
  return async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    stream.on('error', () => stream.destroy());
    if (request.url === '/main') {
      const answer = answerKnock(options.folder, request.headers.authorization);
      if (answer === null || !isOurs(request))
        return refuseUpgrade(stream, { status: 401, why: 'this is not the secret of this tap' });
      const links = new WebSocketServer({ noServer: true, maxPayload: 256 << 20, perMessageDeflate: false });
      links.on('headers', (headers: string[]) => headers.push(`${KNOCK_ANSWER}: ${answer}`));
      return links.handleUpgrade(request, stream, head, (socket) => control.attach(quiet(socket)));
    }
    const admitted = admitRequest(control, request);
    if ('why' in admitted) return refuseUpgrade(stream, admitted);
    const { key, rollout, path, query } = admitted;
    const full = fullness(parts);
    if (full !== null) return refuseUpgrade(stream, full);
    if (control.isClosing(key.environment)) return refuseUpgrade(stream, CLOSING);
    if (path !== '/ws') return refuseUpgrade(stream, { status: 404, why: `there is no socket at ${path}` });
    const problem = handshakeProblem(request);
    if (problem !== null)
      return refuseUpgrade(stream, { status: problem, why: 'this is no handshake of a WebSocket' });
    const session = new URLSearchParams(query).get('session_id') ?? '';
    if (isOfAnotherKey(sessions.get(session), key)) return refuseUpgrade(stream, OTHER_KEY);
    const entered = limits.admit(limitsOf(key));
    if (!entered.isAdmitted) {
      const { why, retryAfterS } = entered;
      control.limited(key.name);
      return refuseUpgrade(stream, { status: 429, why: `this key is limited: ${why}`, retryAfterS });
    }
    stream.on('close', entered.release);
    const opened = await openUpstream(key, query);
    if ('status' in opened) {
      return refuseUpgrade(stream, {
        status: opened.status,
        why: `the environment at ${readUpstream(key.url).base} ${opened.why}`,
      });
    }
    const { wire: upstream } = opened;
    if (stream.destroyed) return upstream.terminate();
    const player =
      sessions.get(session) ?? newPlayer({ key, rollout }, request.headers['user-agent'] ?? null);
    const client = acceptClient(request, stream, head, FRAME_MAX);
    const pace = (): number => limits.holdUp(limitsOf(key));
    const line = joinLine({ shared, holds, player, client, upstream, pace }, () => {
      lines.delete(line);
      sessions.delete(session);
    });
    lines.add(line);
  };
}

/** Without a listener an oversized or broken frame of main's would end the process; `close` follows in any case. */
function quiet(socket: WebSocket): WebSocket {
  socket.on('error', () => undefined);
  return socket;
}

const HTTP_REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

function refuseUpgrade(stream: Duplex, { status, why, retryAfterS }: DoorRefusal): void {
  const { body } = detail(status, why);
  const lines = [
    `HTTP/1.1 ${String(status)} ${HTTP_REASONS[status] ?? 'Refused'}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${String(body.length)}`,
    ...(retryAfterS === undefined ? [] : [`Retry-After: ${String(retryAfterS)}`]),
  ];
  // A client that never closes its own end would keep the connection.
  stream.once('finish', () => stream.destroy());
  stream.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}

function watchAlone({ control, lines, options }: TapProcess, leave: () => void): NodeJS.Timeout {
  let since = options.monotonic();
  return setInterval(() => {
    if (control.isAttached() || lines.size > 0) since = options.monotonic();
    else if (options.monotonic() - since >= ALONE_MS) leave();
  }, 1000);
}

/** The wanted port, else a free one. */
function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const listen = (wanted: number): void => {
      server.once('error', (cause: NodeJS.ErrnoException) => {
        if (cause.code === 'EADDRINUSE' && wanted !== 0) listen(0);
        else reject(cause);
      });
      server.listen({ port: wanted, host: '127.0.0.1', backlog: 1024 }, () => {
        server.removeAllListeners('error');
        resolve((server.address() as AddressInfo).port);
      });
    };
    listen(port);
  });
}
