// Opens a session at an address, over its socket or over `POST /mcp`: as it is set, or as the server has it.
import { Failure } from '../../shared/failure.ts';
import { RESET_SECONDS } from '../../shared/serverConnection.ts';
import { readAddress, type Address } from './address.ts';
import { KEEP_SESSION_MS } from './connection.ts';
import { openMcpSession } from './mcpSession.ts';
import { openSocketSession, type OpenEnvSession, type Timeouts } from './session.ts';

const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  resetMs: RESET_SECONDS * 1000,
  stepMs: 120_000,
  keepMs: KEEP_SESSION_MS,
};

/** The HTTP statuses with which a server, or a proxy before it, says that it has no socket there. */
const NO_SOCKET: ReadonlySet<unknown> = new Set([200, 400, 404, 405, 426, 501]);

export type OpenOptions = { timeouts?: Partial<Timeouts>; signal?: AbortSignal; answerMax?: number };

/** Nothing is reset yet. Throws `bad_input`, `env_unreachable`, `env_not_openenv`. */
export async function openSession(to: string | Address, options: OpenOptions = {}): Promise<OpenEnvSession> {
  const address = typeof to === 'string' ? readAddress(to) : to;
  const timeouts = {
    ...DEFAULT_TIMEOUTS,
    ...options.timeouts,
    ...(address.resetMs === null ? {} : { resetMs: address.resetMs }),
  };
  const overMcp = (): Promise<OpenEnvSession> => openMcpSession(address, timeouts, options.signal);
  if (address.transport === 'mcp') return overMcp();
  try {
    return await openSocketSession(address, timeouts, options);
  } catch (thrown) {
    const hasNoSocket = thrown instanceof Failure && NO_SOCKET.has(thrown.cause);
    if (address.transport === 'socket' || !hasNoSocket) throw thrown;
    // Where it has no tools either, that it has no socket is what a person is told.
    return overMcp().catch(() => Promise.reject(thrown));
  }
}
