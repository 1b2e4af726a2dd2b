// The time limit of one episode. The loop looks at it before each turn; a request to the environment that is still
// unanswered when the time is up is given up, so a server that hangs in a reset or a step cannot outlast the limit. It runs
// on a clock that never jumps.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { timeUsed } from '../../shared/episode/restarts.ts';
import { Failure } from '../../shared/failure.ts';
import type { EnvironmentSession } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';

export type EpisodeTime = {
  /** Counts from zero again: another try to begin. */
  restart: () => void;
  /**
   * The turns begin, with so much of the time used already: null for what the reset took. An episode that was brought to
   * where another one was has used nothing, one that goes on after the program was killed what it had used by then.
   */
  beginTurns: (usedMs: number | null) => void;
  /** Awaits something that a person decides: it does not count. */
  whileWaiting: <T>(wait: Promise<T>) => Promise<T>;
  isUp: () => boolean;
  /** The same session, whose requests end with the time. */
  bound: (session: EnvironmentSession) => EnvironmentSession;
  /** Why the environment was given up on; null where it was not. */
  overrun: () => Failure | null;
};

type EpisodeTimeDependencies = {
  limitMs: number;
  environment: string;
  /** UTC ms. It jumps when somebody sets it. */
  clock: () => number;
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  /** Keeps how much of the time is used for the process that comes next, where the times of the log do not tell it. */
  keepUsed: (usedMs: number) => void;
};

/** The wall clock is corrected by less than this all the time. */
const JUMP_MS = 2_000;

export function createEpisodeTime(parts: EpisodeTimeDependencies): EpisodeTime {
  const { limitMs, monotonic, keepUsed } = parts;
  let [resetMs, pausedMs] = [0, 0];
  let startedAt: number | null = null;
  let overrun: Failure | null = null;
  const usedMs = (): number => (startedAt === null ? resetMs : resetMs + monotonic() - startedAt - pausedMs);
  const hasJumped = jumpsOf(parts);
  const within: Within = async (request, signal, send) => {
    const sentAt = monotonic();
    const leftMs = Math.max(0, limitMs - usedMs());
    const up = new AbortController();
    const giveUp = (): Failure => {
      overrun = outlasted(parts, request, leftMs);
      // The session ends with what was asked: its late answer would be read as the next one's.
      up.abort();
      return overrun;
    };
    try {
      const stop = signal === undefined ? up.signal : AbortSignal.any([up.signal, signal]);
      return await unlessLate(send(stop), leftMs, giveUp);
    } finally {
      if (startedAt === null) resetMs += monotonic() - sentAt;
    }
  };
  return {
    restart: () => {
      resetMs = 0;
    },
    beginTurns: (before) => {
      if (before !== null) resetMs = before;
      // Who was waited for before, as for a brief, was waited for in none of the time.
      pausedMs = 0;
      startedAt = monotonic();
    },
    whileWaiting: async (wait) => {
      const since = monotonic();
      try {
        return await wait;
      } finally {
        pausedMs += monotonic() - since;
      }
    },
    isUp: () => {
      const used = usedMs();
      if (hasJumped()) keepUsed(used);
      return used > limitMs;
    },
    bound: (session) => boundSession(session, within),
    overrun: () => overrun,
  };
}

/** Sends a request that ends with the time. */
type Within = <T>(
  request: string,
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

const boundSession = (session: EnvironmentSession, within: Within): EnvironmentSession => ({
  ...session,
  // A built-in world knows it only once it is reset.
  get addsRewards() {
    return session.addsRewards;
  },
  reset: (request, signal) => within('reset', signal, (stop) => session.reset(request, stop)),
  listTools: (signal) => within('the listing of its tools', signal, (stop) => session.listTools(stop)),
  callTool: (name, args, signal) => within(name, signal, (stop) => session.callTool(name, args, stop)),
});

/** Tells if somebody has set the wall clock since. */
function jumpsOf({ clock, monotonic }: EpisodeTimeDependencies): () => boolean {
  const apart = clock() - monotonic();
  return () => Math.abs(clock() - monotonic() - apart) > JUMP_MS;
}

/** A timer set for longer fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The result of `work`, or `giveUp`'s failure after `leftMs`, whatever the work does with its signal. */
function unlessLate<T>(work: Promise<T>, leftMs: number, giveUp: () => Failure): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(giveUp()), Math.min(leftMs, TIMER_MAX_MS));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const seconds = (ms: number): string => `${(ms / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;

const outlasted = (
  { environment, limitMs }: EpisodeTimeDependencies,
  request: string,
  leftMs: number,
): Failure =>
  new Failure(
    'env_timeout',
    `${environment} did not answer ${request} in the ${seconds(leftMs)} that were left of the episode’s ${seconds(limitMs)}`,
    {
      next: 'The server may be overloaded or stuck: look at its log. If it only takes long, give the episode more time (Settings, Budgets).',
    },
  );

// An episode's time used before the program was killed: by the times of its log, or, if somebody set the wall clock
// meanwhile, as it was kept.
const MARK = 'used:';

export const keepUsedTime = (log: EventLog, episode: string, usedMs: number): void =>
  log.keepMarks([{ name: MARK + episode, value: Math.max(1, usedMs) }]);

export function usedTime(log: EventLog, record: EpisodeRecord, until: number): number {
  const kept = log.mark(MARK + record.id);
  return Math.round(kept > 0 ? kept : timeUsed(record, until));
}

/** Forgets the times of episodes that are over. */
export function forgetUsedTimes(log: EventLog): void {
  const marks = log.marks(MARK);
  if (marks.length === 0) return;
  const open = new Set(log.projections.open());
  log.dropMarks(marks.filter((mark) => !open.has(mark.slice(MARK.length))));
}
