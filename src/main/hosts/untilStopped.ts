// Work of a command that a person may break off: Ctrl-C asks it to stop, as does a reader that has gone, and it clears up
// after itself.

/**
 * The signal is aborted when the process is asked to end, and when nobody reads what the command prints any more; nothing
 * else ends it meanwhile.
 */
export async function untilStopped<T>(
  { gone }: { gone: AbortSignal },
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const leave = onStop(() => stopping.abort(), gone);
  try {
    return await work(stopping.signal);
  } finally {
    leave();
  }
}

/** Calls `stop` then; returns the undo. */
export function onStop(stop: () => void, gone: AbortSignal): () => void {
  const whenAsked = (): void => stop();
  process.once('SIGINT', whenAsked);
  process.once('SIGTERM', whenAsked);
  gone.addEventListener('abort', whenAsked, { once: true });
  if (gone.aborted) stop();
  return () => {
    process.off('SIGINT', whenAsked);
    process.off('SIGTERM', whenAsked);
    gone.removeEventListener('abort', whenAsked);
  };
}
