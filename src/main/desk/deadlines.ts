// Deadlines of what waits at the desk. A deadline in the log is a moment of the wall clock, which people set and which
// jumps; what is left of it runs on a clock that does not, and goes on where it was after a restart.
import type { EventLog } from '../log/eventLog.ts';
import type { Schedule } from './wait.ts';

export type DeadlineEdges = {
  log: EventLog;
  /** UTC ms. */
  clock: () => number;
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  schedule: Schedule;
};

/** What a wait is called where its deadline is kept. */
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

/** How long programs have been running on this log, all in all: the time that deadlines are kept in. */
const UPTIME_MARK = 'uptime_ms';
const DEADLINE_MARK = 'deadline:';
/** A process that is killed gives back at most this much of a deadline. */
const BEAT_MS = 5_000;
/** The wall clock is corrected by less than this all the time. */
const JUMP_MS = 2_000;

/** What is left of a deadline that is over at `expiresAt`, both in the uptime of the log. */
export const remainingMs = (expiresAt: number, uptime: number): number => Math.max(0, expiresAt - uptime);

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
