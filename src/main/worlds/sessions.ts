// Who gets a session: the capacity, a socket that joins a session opened over HTTP, what JSON-RPC may do with one.
// Must not know: what is in a frame.
import type { WebSocket } from 'ws';
import type { Environment } from './environment.ts';
import { errorFrame } from './frames.ts';
import { capacityMessage, type RpcSessions, type SessionCount } from './jsonrpc.ts';
import type { Registry, SessionSeat } from './registry.ts';

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
