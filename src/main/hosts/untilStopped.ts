// Work of a command that a person may break off: Ctrl-C asks it to stop, and it clears up after itself.

/** The signal is aborted when the process is asked to end; nothing else ends it meanwhile. */
export async function untilStopped<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
