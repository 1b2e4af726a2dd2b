// Retries of connecting and resetting: which failures are worth another try, when, and how often.
import { Failure, type FailureCode } from '../../shared/failure.ts';
/** A scenario whose world fails to start time after time is broken itself. */
const RESET_RETRIES = 2;
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Tries when an episode goes on after a restart: the server may still hold the sessions that died. */
export const CONTINUE_RETRIES = 4;

/** True if it may be over by itself before long. */
export const isPassing = (code: FailureCode): boolean =>
  new Set(['env_capacity', 'env_unreachable', 'env_closed', 'env_timeout', 'reset_failed']).has(code);

/** The delay before the next try, or null when there is none; `random` in [0, 1) spreads episodes. */
export function startDelay(
  thrown: unknown,
  { tries, retries, random }: { tries: number; retries: number; random: number },
): number | null {
  if (!(thrown instanceof Failure) || !isPassing(thrown.code)) return null;
  const most = thrown.code === 'reset_failed' ? Math.min(retries, RESET_RETRIES) : retries;
  if (tries > most) return null;
  return Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + random / 2));
}
