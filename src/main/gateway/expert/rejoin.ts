// Owns: the clients behind one question: who waits for it, a retry that finds it again, and what happens when all left.
import type { Privilege } from '../../../shared/events/actor.ts';
import type { Purpose } from '../../../shared/events/consultations.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Schedule } from '../../desk/wait.ts';
import type { Advice } from '../../episode/consult.ts';
import type { Delivered, OpenAsk } from './asking.ts';

export type Answered = { episode: string; consultation: string; purpose: Purpose; advice: Advice };
/** A client's place at a question. */
export type Waiting = {
  episode: string;
  consultation: string;
  answered: Promise<Answered>;
  /** The client got it; committed once, whoever of several clients is first. */
  took(given: Delivered, privilege: Privilege): void;
  /** The client is gone. `isFinal` when it said so: nobody waits for it to come back. */
  leave(isFinal: boolean): void;
};

export type Rejoin = {
  /**
   * A place at the question of this key: a new one from `open`, or the one that is pending or answered already.
   * `isRetry` is what the client says; null when it does not say.
   */
  enter(key: string, isRetry: boolean | null, open: (signal: AbortSignal) => OpenAsk): Waiting;
  close(): void;
};

/** Clients come back within a few seconds after they gave up on a connection. */
const GRACE_MS = 5_000;
/** An answer is kept for those who lost it. */
const KEPT_MS = 10 * 60_000;
const GONE = new Failure('cancelled', 'the client gave up waiting');

type Entry = {
  ask: OpenAsk;
  stop: AbortController;
  clients: number;
  isSettled: boolean;
  isTaken: boolean;
  cancelTimer: () => void;
};
/** What is known of the questions; each entry ends by `drop`. */
type Book = {
  entries: Map<string, Entry[]>;
  drop: (key: string, entry: Entry) => void;
  keep: (key: string, entry: Entry, ms: number) => void;
};

export function createRejoin({
  schedule,
  graceMs = GRACE_MS,
}: {
  schedule: Schedule;
  graceMs?: number;
}): Rejoin {
  const book = createBook(schedule);
  return {
    enter: (key, isRetry, open) => {
      const entry = joinable(book.entries.get(key) ?? [], isRetry) ?? begin(book, key, open);
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
  const entries = new Map<string, Entry[]>();
  const drop = (key: string, entry: Entry): void => {
    entry.cancelTimer();
    const others = (entries.get(key) ?? []).filter((one) => one !== entry);
    if (others.length === 0) entries.delete(key);
    else entries.set(key, others);
    entry.stop.abort(GONE);
    if (!entry.isTaken) entry.ask.abandon(GONE.message);
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

function begin({ entries, keep }: Book, key: string, open: (signal: AbortSignal) => OpenAsk): Entry {
  const stop = new AbortController();
  const entry: Entry = {
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

function placeAt({ drop, keep }: Book, key: string, entry: Entry, graceMs: number): Waiting {
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
function joinable(entries: readonly Entry[], isRetry: boolean | null): Entry | undefined {
  const abandoned = entries.find(({ clients, isTaken }) => clients === 0 && !isTaken);
  return abandoned ?? (isRetry === false ? undefined : entries.at(-1));
}
