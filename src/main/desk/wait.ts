// Waiting at the desk for one outcome: a decision in the log, a deadline, a stop, or the desk closing.
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

export type Schedule = (delayMs: number, run: () => void) => () => void;
export type WaitEdges = {
  log: EventLog;
  clock: () => number;
  schedule: Schedule;
  /** Whoever waits now; closing settles them all. */
  waiting: Set<() => void>;
};

type Wait<T> = {
  stream: string;
  /** The outcome as the record holds it, or null while there is none. */
  look: (record: EpisodeRecord) => T | null;
  /** UTC ms at which `expire` is called, read from the record each time it changes, since deadlines can be extended; null for none. */
  deadline_at: (record: EpisodeRecord) => number | null;
  /** Commits what the deadline means; the outcome is then found by `look`. */
  expire: () => void;
  /** Commits that the episode stopped, with the reason. */
  cancel: (reason: string) => void;
  signal: AbortSignal;
};

/** Resolves with the outcome. Rejects with `closed` when the desk closes. */
export function waitAtDesk<T>(edges: WaitEdges, wait: Wait<T>): Promise<T> {
  const { log, waiting } = edges;
  const { stream, look, signal } = wait;
  return new Promise((resolve, reject) => {
    // Look before subscribing: an answer given while we were down has no event left to hear.
    const settled = look(log.record(stream));
    if (settled !== null) return resolve(settled);
    const undo: (() => void)[] = [];
    const stop = (): void => {
      for (const step of undo) step();
      waiting.delete(shut);
    };
    const shut = (): void => {
      stop();
      reject(new Failure('closed', 'the desk was closed'));
    };
    waiting.add(shut);
    undo.push(
      log.subscribe((recorded, record) => {
        const found = recorded.stream === stream ? look(record) : null;
        if (found === null) return;
        stop();
        resolve(found);
      }),
    );
    const abort = (): void => wait.cancel(reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    undo.push(() => signal.removeEventListener('abort', abort));
    undo.push(atDeadline(edges, wait));
    if (signal.aborted) abort();
  });
}

/** Calls `expire` when the deadline has come; one that was moved on meanwhile is waited for again. */
function atDeadline<T>(
  { log, clock, schedule }: WaitEdges,
  { stream, deadline_at, expire }: Wait<T>,
): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    const at = deadline_at(log.record(stream));
    if (at === null) return;
    const left = at - clock();
    if (left <= 0) return expire();
    cancel = schedule(left, arm);
  };
  const first = deadline_at(log.record(stream));
  if (first !== null) cancel = schedule(Math.max(0, first - clock()), arm);
  return () => cancel();
}

/** An episode ends because someone stopped it, or because something broke that has a name. */
const reasonOf = (signal: AbortSignal): string =>
  signal.reason instanceof Failure ? signal.reason.message : 'the episode was stopped';
