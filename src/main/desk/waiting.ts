// Waiting at the desk for one outcome: a decision in the log, a deadline, a stop, or the desk closing. Each held call gets
// exactly one.
import type { CallDecision, EpisodeRecord } from '../../shared/episode/record.ts';
import { isClosing } from '../../shared/episode/restarts.ts';
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import type { EventOf, LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import { callOf } from '../../shared/episode/calls.ts';

/** A person's decision about a held call, with what they had seen of the log. */
export type CallDecisionEvent = Extract<LogEvent, { call: string; seen_seq: number }>;

export type CallDesk = {
  /** Resolves with what was decided. At the deadline the stated fallback is recorded, unless it is `wait`. */
  waitForCall(episode: string, call: string, signal: AbortSignal): Promise<CallDecision>;
  /** Commits a decision about a held call. Throws `already_answered` or `not_found`. */
  decideCall(episode: string, actor: Actor, event: CallDecisionEvent): Recorded;
};

export function createCallDesk(edges: WaitEdges): CallDesk {
  const { log } = edges;
  type NewsOfCall = EventOf<'call.expired' | 'call.cancelled' | 'call.extended'>;
  const settle = (episode: string, call: string, event: NewsOfCall): void => {
    if (callOf(log.record(episode), call)?.decision === null) log.append(episode, SYSTEM, event);
  };
  return {
    waitForCall: (episode, call, signal) => {
      const { tapped, ...record } = log.record(episode);
      const fallback = callOf(record, call)?.held?.fallback ?? 'wait';
      return waitAtDesk(edges, {
        stream: episode,
        id: call,
        look: (record) => callOf(record, call)?.decision ?? null,
        // A tapped call has the tap's own limit as well (gateway/tap/child/holds.ts), which runs out a moment later, and
        // which goes on while this process is away.
        isKeptElsewhere: tapped !== null,
        deadline_at: (record) =>
          fallback === 'wait' ? null : (callOf(record, call)?.held?.deadline_at ?? null),
        expire: () => settle(episode, call, { kind: 'call.expired', call, fallback }),
        restate: (deadlineAt) =>
          settle(episode, call, { kind: 'call.extended', call, deadline_at: deadlineAt }),
        cancel: (reason) => settle(episode, call, { kind: 'call.cancelled', call, reason }),
        signal,
      });
    },
    decideCall: (episode, actor, event) =>
      log.append(episode, actor, (record) => {
        checkOpen(record, event.call);
        return event;
      }),
  };
}

function checkOpen(record: EpisodeRecord, id: string): void {
  const call = callOf(record, id);
  if (call === null || call.held === null) {
    throw new Failure('not_found', `no call ${id} of episode ${record.id} waits for a decision`, {
      next: 'It may have gone on already; look at the timeline.',
    });
  }
  if (call.decision === null && record.ended === null) return;
  if (call.decision === null) throw new Failure('closed', 'the episode ended before this call was decided');
  throw alreadyDecided(call.decision);
}

export const alreadyDecided = (decision: CallDecision): Failure =>
  new Failure('already_answered', decidedText(decision), {
    next: 'Nothing was sent. Your changes are kept so that you can copy them.',
  });

function decidedText(decision: CallDecision): string {
  const { type, actor } = decision;
  if (type === 'cancelled') return `this call was not executed: ${decision.reason}`;
  if (type !== 'expired') return `this call was already ${type} by ${actor.id ?? actor.type}`;
  return decision.fallback === 'approve'
    ? 'this call was executed, as was chosen for when nobody decides in time'
    : 'this call was not executed: nobody approved it in time';
}

export type Schedule = (delayMs: number, run: () => void) => () => void;
type WaitEdges = {
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
    const armed = edges.deadlines.arm({
      name: deadlineName(stream, wait.id),
      deadline_at: () => wait.deadline_at(log.record(stream)),
      isFresh: wait.isKeptElsewhere === true,
      expire: wait.expire,
      ...(wait.restate === undefined ? {} : { restate: wait.restate }),
    });
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
        // An episode ends because someone stopped it, or because something broke that has a name.
        wait.cancel(signal.reason instanceof Failure ? signal.reason.message : 'the episode was stopped');
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

/**
 * Deadlines of what waits at the desk. A deadline in the log is a moment of the wall clock, which people set and which
 * jumps; what is left of it runs on a clock that does not, and goes on where it was after a restart.
 */
type DeadlineEdges = {
  log: EventLog;
  /** UTC ms. */
  clock: () => number;
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  schedule: Schedule;
};

/** The name of a wait where its deadline is kept. */
export const deadlineName = (stream: string, id: string): string => `${stream} ${id}`;

type WaitingDeadline = {
  name: string;
  /** UTC ms as the record has it now; null for none. */
  deadline_at: () => number | null;
  expire: () => void;
  /** It began in this process: what another one had kept of it is over. */
  isFresh?: boolean;
  /** Says in the log what the deadline is on the wall clock, once that clock has jumped or the program has been down. */
  restate?: (deadlineAt: number) => void;
};

export type Deadlines = {
  /** Counts down from now on, or goes on counting down what another process left. */
  arm(wait: WaitingDeadline): ArmedWait;
  /** What is left of a wait; null where it has no deadline. */
  leftMs(name: string): number | null;
  /** Keeps what is left of every wait for the process that comes next, and counts none of them any longer. */
  close(): void;
};

type ArmedWait = {
  /** The record may hold another deadline now. */
  changed: () => void;
  /** Counts no longer. An outcome that is settled has nothing left for another process to go on with. */
  end: (isSettled: boolean) => void;
};

/** The time that programs have run on this log, all in all, which deadlines are kept in. */
const UPTIME_MARK = 'uptime_ms';
const DEADLINE_MARK = 'deadline:';
/** A process that is killed gives back at most this much of a deadline. */
const BEAT_MS = 5_000;
/** The wall clock is corrected by less than this all the time. */
const JUMP_MS = 2_000;

/** The rest of a deadline that is over at `expiresAt`, both in the uptime of the log. */
const remainingMs = (expiresAt: number, uptime: number): number => Math.max(0, expiresAt - uptime);

type ArmedDeadline = WaitingDeadline & { setTo: number; expiresAt: number; cancel: () => void };

type DeadlineBook = DeadlineEdges & { uptime: () => number; armed: Map<string, ArmedDeadline> };
type Beat = { start: () => void; stop: () => void };

export function createDeadlines(edges: DeadlineEdges): Deadlines {
  const { log, monotonic } = edges;
  const before = log.mark(UPTIME_MARK);
  const startedAt = monotonic();
  const uptime = (): number => before + monotonic() - startedAt;
  const book: DeadlineBook = { ...edges, uptime, armed: new Map() };
  forgetEnded(log);
  const beat = createBeat(book);
  return {
    arm: (wait) => armWait(book, beat, wait),
    leftMs: (name) => {
      const known = book.armed.get(name);
      return known === undefined ? null : remainingMs(known.expiresAt, uptime());
    },
    close: () => {
      if (book.armed.size > 0) log.keepMarks([{ name: UPTIME_MARK, value: uptime() }]);
      beat.stop();
      for (const one of book.armed.values()) one.cancel();
      book.armed.clear();
    },
  };
}

function armWait(book: DeadlineBook, beat: Beat, wait: WaitingDeadline): ArmedWait {
  const { log, armed } = book;
  const mark = DEADLINE_MARK + wait.name;
  const set = (kept: number): void => {
    const setTo = wait.deadline_at();
    const known = armed.get(wait.name);
    if (setTo === null || setTo === known?.setTo) return;
    known?.cancel();
    anchor(book, wait, setTo, kept);
    beat.start();
  };
  set(wait.isFresh === true ? 0 : log.mark(mark));
  return {
    changed: () => set(0),
    end: (isSettled) => {
      armed.get(wait.name)?.cancel();
      if (!armed.delete(wait.name)) return;
      if (isSettled) log.dropMarks([mark]);
      if (armed.size === 0) beat.stop();
    },
  };
}

/** Sets the timer. `kept` is when the wait of another process was over, in uptime; 0 where none had kept it. */
function anchor(book: DeadlineBook, wait: WaitingDeadline, setTo: number, kept: number): void {
  const { log, clock, uptime, schedule, armed } = book;
  const expiresAt = kept > 0 ? kept : uptime() + Math.max(0, setTo - clock());
  const one: ArmedDeadline = { ...wait, setTo, expiresAt, cancel: () => undefined };
  armed.set(wait.name, one);
  if (kept === 0) {
    log.keepMarks([
      { name: UPTIME_MARK, value: uptime() },
      { name: DEADLINE_MARK + wait.name, value: expiresAt },
    ]);
  }
  const fire = (): void => {
    const left = remainingMs(expiresAt, uptime());
    if (left > 0) one.cancel = schedule(left, fire);
    else wait.expire();
  };
  one.cancel = schedule(remainingMs(expiresAt, uptime()), fire);
  if (kept > 0) restateOne(book, one);
}

/** The wall clock is told what is left, where the two have come apart. */
function restateOne({ clock, uptime }: DeadlineBook, { setTo, expiresAt, restate }: ArmedDeadline): void {
  const shownAt = Math.round(clock() + remainingMs(expiresAt, uptime()));
  if (Math.abs(shownAt - setTo) > JUMP_MS) restate?.(shownAt);
}

/** Keeps the uptime while something waits, and notices when the wall clock has jumped. */
function createBeat(book: DeadlineBook): Beat {
  const { log, uptime, armed, schedule } = book;
  let cancel: (() => void) | null = null;
  const beat = (): void => {
    log.keepMarks([{ name: UPTIME_MARK, value: uptime() }]);
    for (const one of armed.values()) restateOne(book, one);
    cancel = schedule(BEAT_MS, beat);
  };
  return {
    start: () => {
      cancel ??= schedule(BEAT_MS, beat);
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}

/** Deadlines of episodes that are over are kept no longer. */
function forgetEnded(log: EventLog): void {
  const open = new Set(log.projections.open());
  const isOver = (name: string): boolean =>
    !open.has(name.slice(DEADLINE_MARK.length).split(' ', 1).join(''));
  log.dropMarks(log.marks(DEADLINE_MARK).filter(isOver));
}
