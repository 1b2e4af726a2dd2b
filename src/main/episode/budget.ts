// Budgets of one episode and of a whole run. They are looked at before a model is asked: a reply that is under way is
// never cut off, so the last one may go over.
import { spendingOf, sumSpending, type Spending } from '../../shared/episode/spending.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type {
  BudgetName,
  Limits,
  LimitSource,
  ReachedLimit,
  SharedBudget,
} from '../../shared/events/lifecycle.ts';

/** Why an episode goes no further. `budget_unknown`: there is a budget, and the server does not say what it takes. */
export type LimitHit = { reason: 'turns' | 'time' | 'budget' | 'budget_unknown'; limit: ReachedLimit };
/** Who set each limit; one that is not named was set with the start. */
export type LimitSources = Partial<Record<BudgetName, LimitSource>>;

/** What all episodes of a run may take together. */
export type RunBudget = {
  /** As episodes are started with it. */
  shared: SharedBudget;
  /** Says before an episode begins that it shares this budget. */
  join: (episode: string) => void;
  note: (record: EpisodeRecord) => void;
  reached: () => LimitHit | null;
};

type Spent = { id: string; spending: Spending | null; turns: number };
/** What its episodes took in processes that are gone, and for how long it went on there. */
export type SpentBefore = { episodes: readonly Spent[]; usedMs: number };

type RunBudgetEdges = {
  monotonic: () => number;
  before: SpentBefore;
  join: (episode: string) => void;
  /** Keeps how long the run has gone on, for the process that comes next. */
  keepTime: (usedMs: number) => void;
};

/** Its time begins now, or goes on from before, and people who are waited for count in it. */
export function createRunBudget(
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

/** Whether the episode, or the run it is part of, may ask its model no more. */
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

/** Says which of the limits it was. */
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
