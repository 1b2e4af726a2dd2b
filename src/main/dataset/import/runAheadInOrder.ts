// Starts a few items ahead while their results are handled strictly in order.

/** As many as are begun before the first is done: many small files wait for nothing. */
const AHEAD = 256;

/** The outcome of each that was begun, in order. Once the signal is aborted nothing more is. */
export async function* runAheadInOrder<T, R>(
  items: Iterable<T>,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    if (signal.aborted) break;
    begun.push(run(item));
    const first = begun.length < AHEAD ? undefined : begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const one of begun) yield await one;
}
