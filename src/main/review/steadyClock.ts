// A clock for what must neither end nor last longer because somebody sets the wall clock: the wall's time when it was made,
// and from then on one that never jumps.
export function steadyClock({
  clock,
  monotonic,
}: {
  /** UTC ms. */
  clock: () => number;
  monotonic: () => number;
}): () => number {
  const apart = clock() - monotonic();
  return () => apart + monotonic();
}
