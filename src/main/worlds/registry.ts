// Owns: who is connected: a slot per socket or MCP session, how long each has been idle, the end of dead sockets.
// Must not know: frames or packs.
import type { WebSocket } from 'ws';
import type { Environment } from './environment.ts';

/** Upstream's numbers: a ping every 20 s, and worlds idle over 600 s given up once there are more than 3000. */
const PING_MS = 20_000;
const SWEEP_MS = 5_000;
const IDLE_MS = 600_000;
const IDLE_ALLOWED = 3_000;
const GOING_AWAY = 1001;

type Seat = { socket: WebSocket; environment: Environment; activeAt: number; isAlive: boolean };

export type Registry = {
  active(): number;
  /** Takes a slot for a socket until it closes. */
  seat(id: string, socket: WebSocket, environment: Environment): { touch: () => void };
  /** A slot without a socket, for MCP over HTTP; held until it is closed. */
  open(id: string): void;
  closeSlot(id: string): boolean;
  stats(): object;
  close(): void;
};

export function createRegistry(clock: () => number): Registry {
  const seats = new Map<string, Seat>();
  const slots = new Set<string>();
  const pinging = setInterval(() => ping(seats), PING_MS).unref();
  const sweeping = setInterval(() => sweep(seats, clock()), SWEEP_MS).unref();
  return {
    active: () => seats.size + slots.size,
    seat: (id, socket, environment) => {
      const seat: Seat = { socket, environment, activeAt: clock(), isAlive: true };
      seats.set(id, seat);
      socket.on('pong', () => {
        seat.isAlive = true;
      });
      socket.on('close', () => {
        seats.delete(id);
        environment.release();
      });
      return {
        touch: () => {
          seat.activeAt = clock();
        },
      };
    },
    open: (id) => slots.add(id),
    closeSlot: (id) => slots.delete(id),
    stats: () => statsOf([...seats.values()], clock()),
    close: () => {
      clearInterval(pinging);
      clearInterval(sweeping);
      const leaving = [...seats.values()];
      seats.clear();
      slots.clear();
      for (const { socket, environment } of leaving) {
        environment.release();
        socket.close(GOING_AWAY, 'the server is shutting down');
      }
    },
  };
}

function ping(seats: ReadonlyMap<string, Seat>): void {
  for (const seat of seats.values()) {
    if (!seat.isAlive) {
      seat.socket.terminate();
      continue;
    }
    seat.isAlive = false;
    seat.socket.ping();
  }
}

function sweep(seats: ReadonlyMap<string, Seat>, now: number): void {
  const worlds = [...seats.values()].filter(({ environment }) => environment.scenario() !== null);
  if (worlds.length <= IDLE_ALLOWED) return;
  for (const { environment, activeAt } of worlds) {
    if (now - activeAt > IDLE_MS) environment.release();
  }
}

function statsOf(seats: readonly Seat[], now: number): object {
  const playing = seats.flatMap(({ environment, activeAt }) => {
    const scenario = environment.scenario();
    return scenario === null ? [] : [{ scenario, idleS: (now - activeAt) / 1000 }];
  });
  const scenarios: Record<string, number> = {};
  for (const { scenario } of playing) scenarios[scenario] = (scenarios[scenario] ?? 0) + 1;
  return {
    total_sessions: playing.length,
    max_idle_time_config: IDLE_MS / 1000,
    cleanup_interval_config: SWEEP_MS / 1000,
    allowed_idle_sessions_config: IDLE_ALLOWED,
    max_idle_s: Math.round(Math.max(0, ...playing.map(({ idleS }) => idleS)) * 10) / 10,
    scenarios,
  };
}
