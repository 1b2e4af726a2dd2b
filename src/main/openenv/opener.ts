// Owns: where the session of an environment is opened, and how long that may take.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { openSession, type Session } from './session.ts';

/** The built-in worlds answer in this very process: while many episodes begin at once it is busy, and not away. */
const OWN_CONNECT_MS = 120_000;

/**
 * Opens a session of the built-in worlds at `builtin` (another port each time the product starts), of every other
 * environment at its own address. Throws as `openSession`.
 */
export const createOpener =
  (builtin: { url: string }) =>
  (environment: EnvironmentSpec, signal: AbortSignal): Promise<Session> =>
    environment.builtin
      ? openSession(builtin.url, { signal, timeouts: { connectMs: OWN_CONNECT_MS } })
      : openSession(environment.url, { signal });
