// Grants sessions: the capacity, a socket that joins a session opened over HTTP, what JSON-RPC may do with one. Must
// not know: what is in a frame.
import type { WebSocket } from 'ws';
import type { Environment } from './environment.ts';
import { errorFrame } from './frames.ts';
import { capacityMessage, type RpcSessions, type SessionCount } from './jsonrpc.ts';

type SessionsEdges = {
  registry: Registry;
  capacity: number;
  newId: () => string;
  newEnvironment: () => Environment;
};

type WorldSessions = {
  /** A seat for a socket, at the session it names or at a new one, or the frame that refuses it. */
  admit(
    socket: WebSocket,
    session: string | null,
    newEnvironment: () => Environment,
  ): SessionSeat | { refusal: string };
  /** The sessions as the MCP door sees them from a socket's session, or from HTTP. */
  rpc(own: string | null): RpcSessions;
};

export function createWorldSessions({
  registry,
  capacity,
  newId,
  newEnvironment,
}: SessionsEdges): WorldSessions {
  const count = (): SessionCount => ({ active_sessions: registry.active(), max_sessions: capacity });
  const isFull = (): boolean => registry.active() >= capacity;
  const join = (socket: WebSocket, session: string): SessionSeat | { refusal: string } => {
    const seat = registry.attach(session, socket);
    if (seat === 'unknown') return refuseSession(`Unknown session_id: ${session}`);
    return seat === 'taken' ? refuseSession(`Session ${session} already has an attached WebSocket`) : seat;
  };
  return {
    admit: (socket, session, makeEnvironment) => {
      if (session !== null && session !== '') return join(socket, session);
      return isFull()
        ? { refusal: errorFrame('CAPACITY_REACHED', capacityMessage(count()), count()) }
        : registry.seat(newId(), makeEnvironment(), socket);
    },
    rpc: (own) => ({
      own,
      open: () => {
        if (isFull()) return null;
        const id = newId();
        registry.open(id, newEnvironment());
        return id;
      },
      end: (id) => registry.end(id),
      step: (id, action) => {
        registry.touch(id);
        return registry.find(id)?.step(action) ?? null;
      },
      count,
    }),
  };
}

const refuseSession = (why: string): { refusal: string } => ({ refusal: errorFrame('SESSION_ERROR', why) });

/** Upstream's numbers: a ping every 20 s, and worlds idle over 600 s given up once there are more than 3000. */
const SOCKET_PING_MS = 20_000;
const SWEEP_MS = 5_000;
const SESSION_IDLE_MS = 600_000;
const IDLE_ALLOWED = 3_000;
const CLOSE_GOING_AWAY = 1001;

type SessionSeat = {
  id: string;
  environment: Environment;
  /** Frees the session at once, before the other side has acknowledged the end of the socket. */
  leave: () => void;
};
type HeldSession = {
  id: string;
  environment: Environment;
  socket: WebSocket | null;
  /** Ends with its socket: the socket made it, or its end was asked for meanwhile. */
  endsWithSocket: boolean;
  activeAt: number;
  isAlive: boolean;
};

type Registry = {
  active(): number;
  /** A session without a socket; it lasts until it is closed, or has been idle too long. */
  open(id: string, environment: Environment): void;
  find(id: string): Environment | null;
  /** A session that a socket brings with it and takes away again. */
  seat(id: string, environment: Environment, socket: WebSocket): SessionSeat;
  attach(id: string, socket: WebSocket): SessionSeat | 'unknown' | 'taken';
  touch(id: string): void;
  playing(episodeId: string): Environment | null;
  /** Ends a session, or lets it end with the socket that is attached to it. */
  end(id: string): 'unknown' | 'ended' | 'ending';
  stats(): object;
  close(): void;
};

/** Sessions by id. The clock gives ms and never jumps. */
export function createRegistry(clock: () => number): Registry {
  const seats = new Map<string, HeldSession>();
  const remove = (seat: HeldSession): void => {
    seats.delete(seat.id);
    seat.environment.release();
  };
  const pinging = setInterval(() => pingSockets(seats), SOCKET_PING_MS).unref();
  const sweeping = setInterval(() => sweep(seats, clock(), remove), SWEEP_MS).unref();
  const hold = (id: string, environment: Environment, endsWithSocket: boolean): HeldSession => {
    const seat: HeldSession = {
      id,
      environment,
      socket: null,
      endsWithSocket,
      activeAt: clock(),
      isAlive: true,
    };
    seats.set(id, seat);
    return seat;
  };
  const connect = (seat: HeldSession, socket: WebSocket): SessionSeat => {
    seat.activeAt = clock();
    return plug(seat, socket, remove);
  };

  return {
    active: () => seats.size,
    open: (id, environment) => void hold(id, environment, false),
    find: (id) => seats.get(id)?.environment ?? null,
    seat: (id, environment, socket) => connect(hold(id, environment, true), socket),
    attach: (id, socket) => {
      const seat = seats.get(id);
      if (seat === undefined) return 'unknown';
      return seat.socket === null ? connect(seat, socket) : 'taken';
    },
    playing: (episodeId) =>
      [...seats.values()].find(({ environment }) => environment.state().episode_id === episodeId)
        ?.environment ?? null,
    touch: (id) => {
      const seat = seats.get(id);
      if (seat !== undefined) seat.activeAt = clock();
    },
    end: (id) => {
      const seat = seats.get(id);
      if (seat === undefined) return 'unknown';
      seat.endsWithSocket = true;
      if (seat.socket !== null) return 'ending';
      remove(seat);
      return 'ended';
    },
    stats: () => statsOf([...seats.values()], clock()),
    close: () => {
      clearInterval(pinging);
      clearInterval(sweeping);
      for (const seat of seats.values()) {
        remove(seat);
        seat.socket?.close(CLOSE_GOING_AWAY, 'the server is shutting down');
      }
    },
  };
}

function plug(seat: HeldSession, socket: WebSocket, remove: (seat: HeldSession) => void): SessionSeat {
  seat.socket = socket;
  seat.isAlive = true;
  socket.on('pong', () => {
    seat.isAlive = true;
  });
  const unplug = (): void => {
    if (seat.socket !== socket) return;
    seat.socket = null;
    if (seat.endsWithSocket) remove(seat);
  };
  socket.on('close', unplug);
  // After an error (a frame over the limit) `ws` only waits for the other side to agree.
  socket.on('error', unplug);
  return { id: seat.id, environment: seat.environment, leave: unplug };
}

function pingSockets(seats: ReadonlyMap<string, HeldSession>): void {
  for (const seat of seats.values()) {
    if (seat.socket === null) continue;
    if (seat.isAlive) seat.socket.ping();
    else seat.socket.terminate();
    seat.isAlive = false;
  }
}

function sweep(
  seats: ReadonlyMap<string, HeldSession>,
  now: number,
  remove: (seat: HeldSession) => void,
): void {
  const idle = [...seats.values()].filter(({ activeAt }) => now - activeAt > SESSION_IDLE_MS);
  const playing = [...seats.values()].filter(({ environment }) => environment.scenario() !== null);
  for (const seat of idle) {
    // A client that opened a session over HTTP and vanished would hold its slot for ever.
    if (seat.socket === null) remove(seat);
    else if (playing.length > IDLE_ALLOWED) seat.environment.release();
  }
}

function statsOf(seats: readonly HeldSession[], now: number): object {
  const playing = seats.flatMap(({ environment, activeAt }) => {
    const scenario = environment.scenario();
    return scenario === null ? [] : [{ scenario, idleS: (now - activeAt) / 1000 }];
  });
  const scenarios: Record<string, number> = {};
  for (const { scenario } of playing) scenarios[scenario] = (scenarios[scenario] ?? 0) + 1;
  return {
    total_sessions: playing.length,
    max_idle_time_config: SESSION_IDLE_MS / 1000,
    cleanup_interval_config: SWEEP_MS / 1000,
    allowed_idle_sessions_config: IDLE_ALLOWED,
    max_idle_s: Math.round(Math.max(0, ...playing.map(({ idleS }) => idleS)) * 10) / 10,
    scenarios,
  };
}
