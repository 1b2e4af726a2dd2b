// Returns memory to the system once many clients have left.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A crowd: so many connections, or episodes, closed since memory was last given back. */
const CROWD = 200;
/** So long after the last of them has left. */
const AFTER_LEAVING_MS = 1_000;

/** V8's own collector, which needs no flag at the start of the process. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  // The flavour that gives pages back to the system; the others keep them for the next crowd.
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** So many quiet moments are waited for while others' frames pass: collecting stops them for some tens of milliseconds. */
const PATIENCE = 30;

/**
 * Calls `collect` once, a while after at least 200 connections have closed and while no more of them close: once a second
 * has gone by in which nothing passed (`passed` counts what did), and in any case after half a minute.
 */
export function createMemoryBack(
  collect: () => void,
  passed: () => number,
): { closed: () => void; stop: () => void } {
  let left = 0;
  let waiting: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  const lookIn = (tries: number): void => {
    const before = passed();
    waiting = setTimeout(() => {
      if (passed() !== before && tries > 1) return lookIn(tries - 1);
      waiting = null;
      left = 0;
      collect();
    }, AFTER_LEAVING_MS);
  };
  return {
    closed: () => {
      left += 1;
      if (left < CROWD) return;
      stop();
      lookIn(PATIENCE);
    },
    stop,
  };
}
