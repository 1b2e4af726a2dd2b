// Owns: episodes that are whole and wait to be committed together: many small ones cost little more than one.
import type { EventLog } from '../../log/eventLog.ts';
import type { ImportedStream } from '../../log/importCommit.ts';

/** What one transaction holds the process up for stays under what a person notices. */
const EVENTS = 1_500;
const WAITS_MS = 200;

export type Batch = {
  /** Takes an episode in; true when the batch was committed with it. */
  add(stream: ImportedStream, index: number): boolean;
  flush(): void;
};

/** Each episode is told to `onCommitted` once it is in the log. */
export function createBatch(
  log: Pick<EventLog, 'importStreams'>,
  onCommitted: (stream: ImportedStream, index: number) => void,
): Batch {
  let waiting: { stream: ImportedStream; index: number }[] = [];
  let events = 0;
  let since = performance.now();
  const flush = (): void => {
    const now = waiting;
    waiting = [];
    events = 0;
    since = performance.now();
    if (now.length === 0) return;
    log.importStreams(now.map(({ stream }) => stream));
    for (const { stream, index } of now) onCommitted(stream, index);
  };
  return {
    flush,
    add: (stream, index) => {
      waiting.push({ stream, index });
      events += stream.entries.length;
      const isFull = events >= EVENTS || performance.now() - since >= WAITS_MS;
      if (isFull) flush();
      return isFull;
    },
  };
}
