// Reads small files side by side so that none waits for another's answer. A large file is read alone, but copied
// beside others, because copying only waits for the disk.

/** As many as keep a thread at work while each of them asks and waits. */
const LANE_COUNT = 24;

/** Resolves when everything else is done and nothing else is begun until the work is over. */
export type RunAlone = () => Promise<void>;

/** Begins small ones in their order; a large one takes its turn when it asks to be alone. None may throw. */
export function createLanes() {
  const running = new Set<Promise<void>>();
  let turn: Promise<void> = Promise.resolve();
  /** Resolves when the next large one may be taken in: one at most is ahead of the one that is read. */
  let ahead: Promise<void> = Promise.resolve();
  const quiet = async (most: number): Promise<void> => {
    while (running.size > most) await Promise.race(running);
  };
  const small = (work: (alone: RunAlone) => Promise<void>): void => {
    turn = turn.then(async () => {
      await quiet(LANE_COUNT - 1);
      const one = work(() => Promise.resolve()).finally(() => running.delete(one));
      running.add(one);
    });
  };
  const large = (work: (alone: RunAlone) => Promise<void>): void => {
    const { promise: isRead, resolve: begin } = Promise.withResolvers<void>();
    const alone: RunAlone = () => {
      turn = turn.then(async () => {
        await quiet(0);
        begin();
        await whole;
      });
      return isRead;
    };
    const whole = ahead.then(() => work(alone));
    ahead = Promise.race([isRead, whole]);
  };
  return (isSmall: boolean, work: (alone: RunAlone) => Promise<void>): void =>
    (isSmall ? small : large)(work);
}
