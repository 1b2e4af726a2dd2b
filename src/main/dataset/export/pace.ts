import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../../../shared/failure.ts';

export type YieldToOthers = () => Promise<void>;

/** The work's time without a break: less than a person notices. */
const SLICE_MS = 10;

/** Call it often: it waits now and then. Throws `cancelled` once the signal says so. */
export function createPace(signal: AbortSignal): YieldToOthers {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await nextTurn();
    if (signal.aborted) throw new Failure('cancelled', 'the export was cancelled');
    until = performance.now() + SLICE_MS;
  };
}
