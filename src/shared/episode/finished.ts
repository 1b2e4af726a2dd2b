// Whether an episode that is over need not be run again.

/** It came to its end, or to its limit; not where something failed, stopped it, or cut it off. */
export const isFinished = (outcome: string | null | undefined): boolean =>
  outcome === 'done' || outcome === 'limit';
