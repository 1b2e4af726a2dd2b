// Budgets of one episode and of a whole run. They are looked at before a model is asked: a reply that is under way is
// never cut off, so the last one may go over.
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { type Spending, spendingOf, sumSpending } from '../../shared/episode/spending.ts';
import type {
  BudgetName,
  Limits,
  LimitSource,
  ReachedLimit,
  SharedBudget,
} from '../../shared/events/lifecycle.ts';
import type { EventLog } from '../log/eventLog.ts';

/** The reason to stop. `budget_unknown`: there is a budget, and the server does not say what it takes. */
export type LimitHit = { reason: 'turns' | 'time' | 'budget' | 'budget_unknown'; limit: ReachedLimit };
/** Source of each limit; one that is not named was set with the start. */
export type LimitSources = Partial<Record<BudgetName, LimitSource>>;

export type RunBudget = {
  /** As episodes are started with it. */
  shared: SharedBudget;
  /** Says before an episode begins that it shares this budget. */
  join: (episode: string) => void;
  note: (record: EpisodeRecord) => void;
  reached: () => LimitHit | null;
};
/** The spending of its episodes in processes that are gone, and the time they ran. */
type SpentBefore = {
  episodes: readonly { id: string; spending: Spending | null; turns: number }[];
  usedMs: number;
};

type RunBudgetEdges = {
  monotonic: () => number;
  before: SpentBefore;
  join: (episode: string) => void;
  /** Keeps how long the run has gone on, for the process that comes next. */
  keepTime: (usedMs: number) => void;
};

/** Its time begins now, or goes on from before, and people who are waited for count in it. */
function createRunBudget(
  shared: SharedBudget,
  { monotonic, before, join, keepTime }: RunBudgetEdges,
): RunBudget {
  const { limits, from } = shared;
  const startedAt = monotonic();
  const usedMs = (): number => before.usedMs + monotonic() - startedAt;
  const episodes = new Map(before.episodes.map((one) => [one.id, one]));
  const hit = hitter(limits, 'run', from);
  return {
    shared,
    join,
    note: (record) => {
      const { id, counts } = record;
      episodes.set(id, { id, spending: spendingOf(record), turns: counts.turns });
      if (limits.time_ms !== undefined) keepTime(usedMs());
    },
    reached: () => {
      const all = [...episodes.values()];
      const { turns, time_ms } = limits;
      if (turns !== undefined && all.reduce((sum, one) => sum + one.turns, 0) >= turns)
        return hit('turns', 'budget');
      if (time_ms !== undefined && usedMs() >= time_ms) return hit('time_ms', 'budget');
      const spent = sumSpending(all.flatMap(({ spending }) => spending ?? []));
      return spent === null ? null : spentHit(limits, spent, hit);
    },
  };
}

/** The limit by which the episode, or its run, may ask its model no more. */
export function episodeBudget(
  record: EpisodeRecord,
  {
    limits,
    limitSources = {},
    runBudget,
  }: { limits: Limits; limitSources?: LimitSources | undefined; runBudget?: RunBudget | undefined },
): LimitHit | null {
  const spending = spendingOf(record);
  runBudget?.note(record);
  const own = spending === null ? null : spentHit(limits, spending, hitter(limits, 'episode', limitSources));
  return own ?? runBudget?.reached() ?? null;
}

type Hit = (name: BudgetName, reason: LimitHit['reason']) => LimitHit;

export const hitter =
  (limits: Partial<Limits>, of: ReachedLimit['of'], sources: LimitSources): Hit =>
  (name, reason) => ({
    reason,
    limit: { name, of, value: limits[name] ?? 0, from: sources[name] ?? 'start' },
  });

function spentHit(
  { tokens, cost }: Partial<Limits>,
  spent: Pick<Spending, 'input_tokens' | 'output_tokens' | 'cost' | 'unknown'>,
  hit: Hit,
): LimitHit | null {
  if (tokens !== undefined && spent.input_tokens + spent.output_tokens >= tokens)
    return hit('tokens', 'budget');
  if (cost !== undefined && spent.cost !== null && spent.cost >= cost) return hit('cost', 'budget');
  if (cost !== undefined && (spent.unknown > 0 || spent.cost === null)) return hit('cost', 'budget_unknown');
  return tokens !== undefined && spent.unknown > 0 ? hit('tokens', 'budget_unknown') : null;
}

// The shared budget of a run's episodes, over restarts too: an episode that goes on finds what all of its run had spent
// before.
export type RunBudgets = {
  /** Of a run that begins. One with a name goes on counting what its episodes spent before, in other processes too. */
  open: (shared: Omit<SharedBudget, 'id'>, run?: string) => RunBudget;
  /** The one that an episode of the log was started with; null where there was none. */
  again: (record: Pick<EpisodeRecord, 'started'>) => RunBudget | null;
};

/** The members of a budget, and how long the run had been going. */
const MARK = 'budget:';
const memberMark = (id: string, episode: string): string => `${MARK}${id} ${episode}`;
const timeMark = (id: string): string => `${MARK}${id}`;
/** A named run is found by its name: it may be begun again. */
const NAMED = 'run ';
const isNamed = (id: string): boolean => id.startsWith(NAMED);
const PAGE = 500;

export function createRunBudgets({
  log,
  monotonic,
  newId,
}: {
  log: EventLog;
  monotonic: () => number;
  newId: () => string;
}): RunBudgets {
  forgetEnded(log);
  const restored = new Map<string, RunBudget>();
  const make = (shared: SharedBudget, before: SpentBefore): RunBudget =>
    createRunBudget(shared, {
      monotonic,
      before,
      join: (episode) => {
        if (!isNamed(shared.id)) log.keepMarks([{ name: memberMark(shared.id, episode), value: 1 }]);
      },
      keepTime: (usedMs) => log.keepMarks([{ name: timeMark(shared.id), value: usedMs }]),
    });
  return {
    open: (shared, run) =>
      run === undefined
        ? make({ ...shared, id: newId() }, { episodes: [], usedMs: 0 })
        : make({ ...shared, id: `${NAMED}${run}` }, spentBefore(log, `${NAMED}${run}`)),
    again: ({ started }) => {
      const shared = started?.run_budget;
      if (shared === undefined) return null;
      const known = restored.get(shared.id) ?? make(shared, spentBefore(log, shared.id));
      restored.set(shared.id, known);
      return known;
    },
  };
}

function spentBefore(log: EventLog, id: string): SpentBefore {
  const rows = isNamed(id) ? rowsOfRun(log, id.slice(NAMED.length)) : rowsOfMembers(log, id);
  return {
    usedMs: log.mark(timeMark(id)),
    episodes: rows.map((row) => ({ id: row.id, spending: row.spent ?? null, turns: row.turns })),
  };
}

function rowsOfMembers(log: EventLog, id: string): EpisodeRow[] {
  const prefix = memberMark(id, '');
  return log.marks(prefix).flatMap((mark) => log.projections.episode(mark.slice(prefix.length)) ?? []);
}

function rowsOfRun({ projections }: EventLog, run: string): EpisodeRow[] {
  const all: EpisodeRow[] = [];
  const asked = { query: '', status: null, condition: null, filter: { run, source: 'run' } } as const;
  for (;;) {
    const { rows } = projections.episodes({ ...asked, offset: all.length, limit: PAGE });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

/** Drops the marks of runs of which no episode can go on. */
function forgetEnded(log: EventLog): void {
  const marks = log.marks(MARK).filter((mark) => !isNamed(mark.slice(MARK.length)));
  if (marks.length === 0) return;
  const begun = log.projections.open().flatMap((id) => log.read(id, 0, 1));
  const queued = log.queue.all().flatMap(({ opening }) => opening.slice(0, 1));
  const open = new Set(
    [...begun, ...queued].flatMap(({ event }) =>
      event.kind === 'episode.started' ? [event.run_budget?.id ?? ''] : [],
    ),
  );
  log.dropMarks(marks.filter((mark) => !open.has(mark.slice(MARK.length).split(' ', 1).join(''))));
}
