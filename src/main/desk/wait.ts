// Waiting at the desk for one outcome: a decision in the log, a deadline, a stop, or the desk closing.
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { isClosing } from '../../shared/episode/restarts.ts';
import type { EventLog } from '../log/eventLog.ts';
import { deadlineName, type Deadlines } from './deadlines.ts';

export type Schedule = (delayMs: number, run: () => void) => () => void;
export type WaitEdges = {
  log: EventLog;
  deadlines: Deadlines;
  /** Whoever waits now; closing settles them all. */
  waiting: Set<() => void>;
};

type Wait<T> = {
  stream: string;
  id: string;
  /** The outcome as the record holds it, or null while there is none. */
  look: (record: EpisodeRecord) => T | null;
  /** UTC ms at which `expire` is called, read from the record each time it changes, since deadlines can be extended; null for none. */
  deadline_at: (record: EpisodeRecord) => number | null;
  /** Somebody else counts the same deadline on, whether this process is there or not: what another one had left counts nothing. */
  isKeptElsewhere?: boolean;
  /** Commits what the deadline means; the outcome is then found by `look`. */
  expire: () => void;
  /** Commits the deadline as it is on the wall clock now, where that has jumped. */
  restate?: (deadlineAt: number) => void;
  /** Commits that the episode stopped, with the reason. */
  cancel: (reason: string) => void;
  signal: AbortSignal;
};

/** Resolves with the outcome. Rejects with `closed` when Interject or the desk closes: it waits on after the next start. */
export function waitAtDesk<T>(edges: WaitEdges, wait: Wait<T>): Promise<T> {
  const { log, waiting } = edges;
  const { stream, look, signal } = wait;
  return new Promise((resolve, reject) => {
    // Look before subscribing: an answer given while we were down has no event left to hear.
    const settled = look(log.record(stream));
    if (settled !== null) return resolve(settled);
    const undo: ((isSettled: boolean) => void)[] = [];
    const stop = (isSettled: boolean): void => {
      for (const step of undo) step(isSettled);
      waiting.delete(shut);
    };
    const shut = (): void => {
      stop(false);
      reject(new Failure('closed', 'the desk was closed'));
    };
    waiting.add(shut);
    const armed = armDeadline(edges, wait);
    undo.push(
      armed.end,
      log.subscribe((_recorded, record) => {
        const found = look(record);
        if (found === null) return armed.changed();
        stop(true);
        resolve(found);
      }, stream),
    );
    // It may be restated while it is armed.
    armed.changed();
    const abort = (): void => {
      if (isClosing(signal)) return shut();
      try {
        wait.cancel(reasonOf(signal));
      } catch (thrown) {
        // What cannot be written, as on a full disk, ends the wait of who asked, and never the process.
        stop(false);
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    };
    signal.addEventListener('abort', abort, { once: true });
    undo.push(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

const armDeadline = <T>(
  { log, deadlines }: WaitEdges,
  { stream, id, deadline_at, isKeptElsewhere = false, expire, restate }: Wait<T>,
): ReturnType<Deadlines['arm']> =>
  deadlines.arm({
    name: deadlineName(stream, id),
    deadline_at: () => deadline_at(log.record(stream)),
    isFresh: isKeptElsewhere,
    expire,
    ...(restate === undefined ? {} : { restate }),
  });

/** An episode ends because someone stopped it, or because something broke that has a name. */
const reasonOf = (signal: AbortSignal): string =>
  signal.reason instanceof Failure ? signal.reason.message : 'the episode was stopped';
