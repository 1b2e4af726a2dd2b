// Waiting until the log says so. Looks before it listens: what was committed earlier has no news left to hear.
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from './eventLog.ts';

/** Resolves with the first answer `look` finds in the stream's record. Throws `cancelled` when the signal aborts. */
export function waitFor<T>(
  log: EventLog,
  stream: string,
  look: (record: EpisodeRecord) => T | null,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const now = look(log.record(stream));
    if (now !== null) return resolve(now);
    const stop = (): void => {
      unlisten();
      signal.removeEventListener('abort', abort);
    };
    const unlisten = log.subscribe((_recorded, record) => {
      const found = look(record);
      if (found === null) return;
      stop();
      resolve(found);
    }, stream);
    const abort = (): void => {
      stop();
      reject(
        signal.reason instanceof Failure ? signal.reason : new Failure('cancelled', 'the wait was cancelled'),
      );
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
