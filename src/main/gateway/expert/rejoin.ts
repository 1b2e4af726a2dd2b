// The clients behind one question: who waits for it, a retry that finds it again, and what happens when all have
// gone.
import type { Privilege } from '../../../shared/events/actor.ts';
import type { Purpose } from '../../../shared/events/consultations.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Schedule } from '../../desk/wait.ts';
import type { ConsultAdvice } from '../../episode/consult.ts';
import type { DeliveredAdvice, OpenQuestion } from './asking.ts';

export type AnsweredQuestion = {
  episode: string;
  consultation: string;
  purpose: Purpose;
  advice: ConsultAdvice;
};
/** A client's place at a question. */
export type WaitingClient = {
  episode: string;
  consultation: string;
  answered: Promise<AnsweredQuestion>;
  /** The client got it; committed once, whoever of several clients is first. */
  took(given: DeliveredAdvice, privilege: Privilege): void;
  /** The client is gone. `isFinal` when it said so: nobody waits for it to come back. */
  leave(isFinal: boolean): void;
};

export type Rejoin = {
  /**
   * A place at the question of this key: a new one from `open`, or the one that is pending or answered already.
   * `isRetry` is what the client says; null when it does not say.
   */
  enter(key: string, isRetry: boolean | null, open: (signal: AbortSignal) => OpenQuestion): WaitingClient;
  close(): void;
};

/** Clients come back within a few seconds after they gave up on a connection. */
const RETRY_GRACE_MS = 5_000;
/** An answer is kept for those who lost it. */
const KEPT_MS = 10 * 60_000;
const CLIENT_GONE = new Failure('cancelled', 'the client gave up waiting');

type QuestionEntry = {
  ask: OpenQuestion;
  stop: AbortController;
  clients: number;
  isSettled: boolean;
  isTaken: boolean;
  cancelTimer: () => void;
};
/** What is known of the questions; each entry ends by `drop`. */
type Book = {
  entries: Map<string, QuestionEntry[]>;
  drop: (key: string, entry: QuestionEntry) => void;
  keep: (key: string, entry: QuestionEntry, ms: number) => void;
};

export function createRejoin({
  schedule,
  graceMs = RETRY_GRACE_MS,
}: {
  schedule: Schedule;
  graceMs?: number;
}): Rejoin {
  const book = createBook(schedule);
  return {
    enter: (key, isRetry, open) => {
      const entry = joinable(book.entries.get(key) ?? [], isRetry) ?? beginQuestion(book, key, open);
      entry.clients += 1;
      // A pending question loses its farewell; an answered one keeps its time.
      if (!entry.isSettled) entry.cancelTimer();
      return placeAt(book, key, entry, graceMs);
    },
    close: () => {
      for (const entry of [...book.entries.values()].flat()) entry.cancelTimer();
      book.entries.clear();
    },
  };
}

function createBook(schedule: Schedule): Book {
  const entries = new Map<string, QuestionEntry[]>();
  const drop = (key: string, entry: QuestionEntry): void => {
    entry.cancelTimer();
    const others = (entries.get(key) ?? []).filter((one) => one !== entry);
    if (others.length === 0) entries.delete(key);
    else entries.set(key, others);
    entry.stop.abort(CLIENT_GONE);
    if (!entry.isTaken) entry.ask.abandon(CLIENT_GONE.message);
  };
  return {
    entries,
    drop,
    keep: (key, entry, ms) => {
      entry.cancelTimer();
      entry.cancelTimer = schedule(ms, () => drop(key, entry));
    },
  };
}

function beginQuestion(
  { entries, keep }: Book,
  key: string,
  open: (signal: AbortSignal) => OpenQuestion,
): QuestionEntry {
  const stop = new AbortController();
  const entry: QuestionEntry = {
    ask: open(stop.signal),
    stop,
    clients: 0,
    isSettled: false,
    isTaken: false,
    cancelTimer: () => undefined,
  };
  entries.set(key, [...(entries.get(key) ?? []), entry]);
  const settled = (): void => {
    entry.isSettled = true;
    if (entries.get(key)?.includes(entry) === true) keep(key, entry, KEPT_MS);
  };
  entry.ask.advice.then(settled, settled);
  return entry;
}

function placeAt({ drop, keep }: Book, key: string, entry: QuestionEntry, graceMs: number): WaitingClient {
  const { episode, consultation, purpose, advice } = entry.ask;
  let isIn = true;
  return {
    episode,
    consultation,
    answered: advice.then((given) => ({ episode, consultation, purpose, advice: given })),
    took: (given, privilege) => {
      if (entry.isTaken) return;
      entry.isTaken = true;
      entry.ask.deliver(given, privilege);
    },
    leave: (isFinal) => {
      if (!isIn) return;
      isIn = false;
      entry.clients -= 1;
      if (entry.clients > 0 || entry.isSettled) return;
      if (isFinal) drop(key, entry);
      else keep(key, entry, graceMs);
    },
  };
}

/**
 * Rollouts of one task ask the same in the same words: a client that says it is no retry is another rollout, unless a
 * question has nobody left who waits for it.
 */
function joinable(entries: readonly QuestionEntry[], isRetry: boolean | null): QuestionEntry | undefined {
  const abandoned = entries.find(({ clients, isTaken }) => clients === 0 && !isTaken);
  return abandoned ?? (isRetry === false ? undefined : entries.at(-1));
}
