// Owns: what small files may be done beside each other, so that none waits for another's answer; a large one is alone.

/** As many as keep a thread at work while each of them asks and waits. */
const LANES = 24;

/** Begins each in its order. None of them may throw. */
export function createLanes() {
  const running = new Set<Promise<void>>();
  let turn: Promise<void> = Promise.resolve();
  return (isSmall: boolean, work: () => Promise<void>): void => {
    turn = turn.then(async () => {
      while (running.size > (isSmall ? LANES - 1 : 0)) await Promise.race(running);
      const one = work().finally(() => running.delete(one));
      running.add(one);
      if (!isSmall) await one;
    });
  };
}
