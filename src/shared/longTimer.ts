/** setTimeout's own limit; a longer wait is taken in stretches. */
const TIMER_MAX_MS = 2_147_483_647;

/** Runs once after a delay of any length; returns its undo. */
export function startTimer(delayMs: number, run: () => void): () => void {
  const isLast = delayMs <= TIMER_MAX_MS;
  let cancel = (): void => undefined;
  const timer = setTimeout(
    () => {
      if (isLast) run();
      else cancel = startTimer(delayMs - TIMER_MAX_MS, run);
    },
    isLast ? delayMs : TIMER_MAX_MS,
  );
  cancel = () => clearTimeout(timer);
  return () => cancel();
}
