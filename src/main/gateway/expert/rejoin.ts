// The clients behind one question: who waits for it, who may come back to it, and what happens when all have gone.
// Rollouts of one task ask the same in the same words, so words alone bring nobody back: one rollout's answer must
// never reach another.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Privilege } from '../../../shared/events/actor.ts';
import type { Link, Purpose, RejoinedBy } from '../../../shared/events/consultations.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Schedule } from '../../desk/waiting.ts';
import type { ConsultAdvice } from '../../episode/consult.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { DeliveredAdvice, OpenQuestion } from './asking.ts';

export type AnsweredQuestion = {
  episode: string;
  consultation: string;
  link: Link | null;
  purpose: Purpose;
  advice: ConsultAdvice;
};
export type WaitingClient = {
  episode: string;
  consultation: string;
  answered: Promise<AnsweredQuestion>;
  /** The client got it; committed once, whoever of several clients is first. */
  took(given: DeliveredAdvice, privilege: Privilege): void;
  /** The client is gone. `isFinal` when it said so: nobody waits for it to come back. */
  leave(isFinal: boolean): void;
};

/** By what a question is found again: digests of what was asked, and of the name that its client gave it, if any. */
export type QuestionIdentity = { request: string; idempotency: string | null };
type AskingClient = QuestionIdentity & {
  /** It says that it sends the same again. */
  isRetry: boolean;
  /** One answer is for everybody who asks the same. */
  isShared: boolean;
};

export type Rejoin = {
  /**
   * A place at a question: a new one from `open`, or one that is there for this client. Throws `bad_input` when the
   * client's name for it belongs to another request.
   */
  enter(client: AskingClient, open: (signal: AbortSignal) => OpenQuestion): WaitingClient;
  /** A question that a process before this one had: nobody waits for it, and its client may come back. */
  restore(identity: QuestionIdentity, open: (signal: AbortSignal) => OpenQuestion): void;
  close(): void;
};

/** Clients come back within a few seconds after they gave up on a connection. */
const RETRY_GRACE_MS = 5_000;
/** After a restart they have to find the port open first. */
const RESTART_GRACE_MS = 60_000;
/** An answer is kept for those who lost it, and a question that was given up is remembered so that no other is mistaken for it. */
export const KEPT_MS = 10 * 60_000;
const CLIENT_GONE = new Failure('cancelled', 'the client gave up waiting');

type QuestionEntry = QuestionIdentity & {
  ask: OpenQuestion;
  stop: AbortController;
  clients: number;
  isSettled: boolean;
  isTaken: boolean;
  /** Its client was gone too long: it is remembered, and nobody can come back to it. */
  isGivenUp: boolean;
  cancelTimer: () => void;
};
/** The known questions, by the digest of the request. */
type Book = {
  entries: Map<string, QuestionEntry[]>;
  schedule: Schedule;
  /** The log closes soon: what clients leave now is the next start's. */
  isClosed: boolean;
};

export function createRejoin({
  schedule,
  graceMs = RETRY_GRACE_MS,
}: {
  schedule: Schedule;
  graceMs?: number;
}): Rejoin {
  const book: Book = { entries: new Map(), schedule, isClosed: false };
  return {
    enter: (client, open) => {
      const entry = findAgain(book, client) ?? beginQuestion(book, client, open);
      entry.clients += 1;
      // A pending question loses its farewell; an answered one keeps its time.
      if (!entry.isSettled) entry.cancelTimer();
      return placeAt(book, entry, graceMs);
    },
    restore: (identity, open) => {
      const entry = beginQuestion(book, identity, open);
      entry.isTaken = entry.ask.isDelivered;
      after(book, entry, RESTART_GRACE_MS, () => giveUp(book, entry));
    },
    close: () => {
      book.isClosed = true;
      for (const entry of [...book.entries.values()].flat()) entry.cancelTimer();
      book.entries.clear();
    },
  };
}

function after({ schedule, isClosed }: Book, entry: QuestionEntry, ms: number, run: () => void): void {
  entry.cancelTimer();
  if (isClosed) return;
  entry.cancelTimer = schedule(ms, run);
}

/** The question ends, and is remembered for a while. */
function giveUp(book: Book, entry: QuestionEntry): void {
  entry.isGivenUp = true;
  entry.stop.abort(CLIENT_GONE);
  if (!entry.isTaken) entry.ask.abandon(CLIENT_GONE.message);
  after(book, entry, KEPT_MS, () => forget(book, entry));
}

function forget({ entries }: Book, entry: QuestionEntry): void {
  entry.cancelTimer();
  const others = (entries.get(entry.request) ?? []).filter((one) => one !== entry);
  if (others.length === 0) entries.delete(entry.request);
  else entries.set(entry.request, others);
  if (!entry.isGivenUp && !entry.isTaken) entry.ask.abandon(CLIENT_GONE.message);
}

function beginQuestion(
  book: Book,
  { request, idempotency }: QuestionIdentity,
  open: (signal: AbortSignal) => OpenQuestion,
): QuestionEntry {
  const { entries } = book;
  const stop = new AbortController();
  const entry: QuestionEntry = {
    request,
    idempotency,
    ask: open(stop.signal),
    stop,
    clients: 0,
    isSettled: false,
    isTaken: false,
    isGivenUp: false,
    cancelTimer: () => undefined,
  };
  entries.set(request, [...(entries.get(request) ?? []), entry]);
  const settled = (): void => {
    entry.isSettled = true;
    if (!entry.isGivenUp && entries.get(request)?.includes(entry) === true)
      after(book, entry, KEPT_MS, () => forget(book, entry));
  };
  entry.ask.advice.then(settled, settled);
  return entry;
}

function placeAt(book: Book, entry: QuestionEntry, graceMs: number): WaitingClient {
  const { episode, consultation, link, purpose, advice } = entry.ask;
  let isIn = true;
  return {
    episode,
    consultation,
    answered: advice.then((given) => ({ episode, consultation, link, purpose, advice: given })),
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
      if (isFinal) giveUp(book, entry);
      else after(book, entry, graceMs, () => giveUp(book, entry));
    },
  };
}

/** The question this client comes back to, as the log has it then; undefined for a new one. */
function findAgain(book: Book, client: AskingClient): QuestionEntry | undefined {
  const { idempotency, request, isRetry, isShared } = client;
  const same = book.entries.get(request) ?? [];
  if (idempotency !== null) return rejoined(named(book, request, idempotency), 'idempotency_key');
  if (isShared) return same.findLast(({ isGivenUp }) => !isGivenUp);
  return isRetry ? rejoined(brokenAlone(same), 'retry') : undefined;
}

/** Throws `bad_input` when the name belongs to another request. */
function named({ entries }: Book, request: string, idempotency: string): QuestionEntry | undefined {
  const found = [...entries.values()]
    .flat()
    .find((entry) => entry.idempotency === idempotency && !entry.isGivenUp);
  if (found === undefined || found.request === request) return found;
  throw new Failure('bad_input', 'this idempotency key was used with another request', {
    next: 'Use a key of its own for each question.',
  });
}

/**
 * The only question of these words whose client is gone without its answer. Of two nobody knows which is whose, and one
 * that was given up meanwhile may have been this client's.
 */
function brokenAlone(same: readonly QuestionEntry[]): QuestionEntry | undefined {
  const broken = same.filter(
    ({ clients, isTaken, idempotency }) => clients === 0 && !isTaken && idempotency === null,
  );
  const [only] = broken;
  return broken.length === 1 && only?.isGivenUp === false ? only : undefined;
}

/** The claim is in the log before anybody is told an answer; a question that the log has as over is none. */
function rejoined(found: QuestionEntry | undefined, by: RejoinedBy): QuestionEntry | undefined {
  if (found === undefined || found.isTaken || found.ask.rejoin(by)) return found;
  return undefined;
}

// The questions of clients that the end of a process cut off, as the log has them.
type CutOffQuestion = { episode: string; consultation: string; identity: QuestionIdentity };

const PAGE = 200;
/** Older pages are not looked through: a client that lost an answer asks again within minutes. */
const PAGES_MAX = 25;

/**
 * Open and undelivered ones, and, for clients that named them, those that were delivered since then (UTC ms) or whose
 * episode has ended since.
 */
export function cutOffQuestions(log: EventLog, since: number): CutOffQuestion[] {
  const ids = new Set([...log.projections.open(), ...endedSince(log, since)]);
  return [...ids].flatMap((id) => questionsOf(log.record(id), since));
}

function endedSince(log: EventLog, since: number): string[] {
  const found: string[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { query: '', status: null, condition: null, offset: page * PAGE, limit: PAGE };
    const fresh = log.projections.episodes(query).rows.filter(({ updated_at }) => updated_at >= since);
    if (fresh.length === 0) break;
    found.push(...fresh.map(({ id }) => id));
  }
  return found;
}

const questionsOf = ({ id, ended, consultations }: EpisodeRecord, since: number): CutOffQuestion[] =>
  consultations.flatMap(({ id: consultation, client, decision, delivered }) => {
    if (client === null || (decision?.type === 'cancelled' && decision.isByEnd !== true)) return [];
    const { request_sha256: request, idempotency_sha256: idempotency } = client;
    const over = delivered ?? ended;
    // Whether somebody has read the answer of an ended episode is not known: without a name it is nobody's.
    const isWanted = over === null || (idempotency !== null && over.at >= since);
    return isWanted ? [{ episode: id, consultation, identity: { request, idempotency } }] : [];
  });
