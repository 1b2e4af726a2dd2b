// Where hundreds come at the same moment, the event loop goes round between them, so that timers, keys and whoever else
// is served do not wait for all of them.
import type { AppEdges } from '../app/types.ts';

/** Work of a crowd in one round of the loop, in ms. One piece more may begin just before it is used up. */
const A_ROUND_MS = 8;

type Edges = {
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  /** Runs its work in the next round of the event loop. */
  later: (run: () => void) => void;
  /** Runs its work once what was let on has done all it can do now. */
  afterwards: (run: () => void) => void;
};

const NODE: Edges = {
  monotonic: () => performance.now(),
  later: setImmediate,
  // Asked for from a promise's job, Node's next tick comes when no such job is left.
  afterwards: (run) => queueMicrotask(() => process.nextTick(run)),
};

/** Who comes alone is let on at once; a crowd one by one, in the order they came, while the round has time left. */
export function createTurns({ monotonic, later, afterwards }: Edges = NODE): NonNullable<AppEdges['turn']> {
  const waiting: (() => void)[] = [];
  /** When the first turn of this round was taken; null where none was taken yet. */
  let began: number | null = null;
  /** Somebody was let on, and may still have something to do. */
  let isTaken = false;
  const mayGo = (): boolean => !isTaken && (began === null || monotonic() - began < A_ROUND_MS);
  const take = (): void => {
    if (began === null) {
      began = monotonic();
      later(round);
    }
    isTaken = true;
    afterwards(() => {
      isTaken = false;
      letOn();
    });
  };
  const letOn = (): void => {
    if (waiting.length === 0 || !mayGo()) return;
    take();
    waiting.shift()?.();
  };
  const round = (): void => {
    began = null;
    letOn();
  };
  return () => {
    if (waiting.length > 0 || !mayGo()) return new Promise((goOn) => waiting.push(goOn));
    take();
    return Promise.resolve();
  };
}
