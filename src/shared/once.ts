/** Runs at the first call alone, and gives what it gave then. */
export function once<T>(run: () => T): () => T {
  let done: { value: T } | null = null;
  return () => (done ??= { value: run() }).value;
}
