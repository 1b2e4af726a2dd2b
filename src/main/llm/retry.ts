// Retries of model requests: which failures, when, and how often. The schedule is pure; sleeping is an edge.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, type FailureCode } from '../../shared/failure.ts';
import { troubleOf } from './failures.ts';

/** Tries of a request in all, by what went wrong with it. */
const MOST_TRIES: Partial<Record<FailureCode, number>> = {
  model_rate_limited: 8,
  model_unavailable: 6,
  model_timeout: 3,
  model_empty: 2,
};
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** A server that asks for more than this is not waited for. */
const LONGEST_ASKED_MS = 10 * 60_000;

/**
 * The delay before the next try, or null when there is none. `tries` counts the tries so far; `random` in [0, 1)
 * spreads episodes that failed at the same moment. A wait the server asked for is never shortened.
 */
export function retryDelay(failure: Failure, tries: number, random: number): number | null {
  const trouble = troubleOf(failure);
  if (trouble?.isPassing !== true || tries >= (MOST_TRIES[failure.code] ?? 1)) return null;
  const spread = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)) * (0.5 + random / 2);
  if (trouble.retryAfterMs === null) return Math.round(spread);
  if (trouble.retryAfterMs > LONGEST_ASKED_MS) return null;
  return Math.round(trouble.retryAfterMs + random * FIRST_MS);
}

export type RetryEdges = {
  /** Resolves after the time, rejects when the signal ends it. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Told before each wait, and once with null when it will not be tried again. */
  failed: (failure: Failure, retryInMs: number | null) => void;
};

export const sleepFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  await pause(ms, undefined, { signal });
};

/** Runs until it succeeds or the schedule gives up; throws the last failure. What is no failure is thrown at once. */
export async function withRetries<T>(
  run: () => Promise<T>,
  { sleep, random, failed }: RetryEdges,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code === 'cancelled') throw thrown;
      if (signal.aborted) throw retryCancelled();
      const delay = retryDelay(thrown, tries, random());
      failed(thrown, delay);
      if (delay === null) throw thrown;
      await sleep(delay, signal).catch(() => {
        throw retryCancelled();
      });
    }
  }
}

const retryCancelled = (): Failure => new Failure('cancelled', 'the wait for the model was cancelled');
