// Owns: who gets a session: the capacity, a socket that joins a session opened over HTTP, what JSON-RPC may do with one.
// Must not know: what is in a frame.
import type { WebSocket } from 'ws';
import type { Environment } from './environment.ts';
import { errorFrame } from './frames.ts';
import { capacityMessage, type RpcSessions } from './jsonrpc.ts';
import type { Registry, Seat } from './registry.ts';

export type SessionsEdges = {
  registry: Registry;
  capacity: number;
  newId: () => string;
  newEnvironment: () => Environment;
};

export type Sessions = {
  /** A seat for a socket, at the session it names or at a new one, or the frame that refuses it. */
  admit(socket: WebSocket, session: string | null): Seat | { refusal: string };
  /** The sessions as the MCP door sees them from a socket's session, or from HTTP. */
  rpc(own: string | null): RpcSessions;
};

/** Sessions over a registry, up to a capacity. */
export function createSessions({ registry, capacity, newId, newEnvironment }: SessionsEdges): Sessions {
  const count = (): { active: number; max: number } => ({ active: registry.active(), max: capacity });
  const isFull = (): boolean => registry.active() >= capacity;
  const join = (socket: WebSocket, session: string): Seat | { refusal: string } => {
    const seat = registry.attach(session, socket);
    if (seat === 'unknown') return refuse(`Unknown session_id: ${session}`);
    return seat === 'taken' ? refuse(`Session ${session} already has an attached WebSocket`) : seat;
  };
  return {
    admit: (socket, session) => {
      if (session !== null && session !== '') return join(socket, session);
      return isFull() ? { refusal: full(count()) } : registry.seat(newId(), newEnvironment(), socket);
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

const refuse = (why: string): { refusal: string } => ({ refusal: errorFrame('SESSION_ERROR', why) });

const full = ({ active, max }: { active: number; max: number }): string =>
  errorFrame('CAPACITY_REACHED', capacityMessage(active, max), {
    active_sessions: active,
    max_sessions: max,
  });
