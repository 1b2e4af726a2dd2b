// How long this thread is held by one thing, in processor time: how busy the machine is does not count.
import { processorTime } from './freezing.ts';

/** Resolves with what `run` gives, and the longest hold of the thread while it ran, in milliseconds. */
export async function longestHold<T>(run: () => Promise<T>): Promise<{ given: T; longestMs: number }> {
  let longestMs = 0;
  let before = processorTime();
  const look = (): void => {
    const now = processorTime();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  const looking = setInterval(look, 1);
  try {
    const given = await run();
    look();
    return { given, longestMs };
  } finally {
    clearInterval(looking);
  }
}
