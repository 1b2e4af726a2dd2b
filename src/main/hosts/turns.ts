// Where hundreds come at the same moment, they are let on a few at a time: between them the event loop goes round, so
// that timers, keys and whoever else is served do not wait for all of them.
import type { AppEdges } from '../app/types.ts';

/** So many go on in one round of the loop; each costs some milliseconds. */
const A_ROUND = 3;

/** `later` runs its work in the next round of the event loop. */
export function createTurns(later: (run: () => void) => void = setImmediate): NonNullable<AppEdges['turn']> {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const round = (): void => {
    const next = waiting.splice(0, A_ROUND);
    begun = next.length;
    for (const goOn of next) goOn();
    if (begun > 0) later(round);
  };
  return () => {
    if (begun >= A_ROUND) return new Promise((goOn) => waiting.push(goOn));
    begun += 1;
    if (begun === 1) later(round);
    return Promise.resolve();
  };
}
