// Budgets in tokens and money, of one episode and of a whole run. They are looked at before a model is asked: a reply
// that is under way is never cut off, so the last one may go over.
import { spendingOf, sumSpending, type Spending } from '../../shared/episode/spending.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Limits } from '../../shared/events/lifecycle.ts';

type Budget = Pick<Limits, 'tokens' | 'cost'>;

/** Why no further reply may be asked for. `budget_unknown`: there is a budget, and the server does not say what it takes. */
export type BudgetReason = 'budget' | 'budget_unknown';

/** What all episodes of a run may spend together. */
export type RunBudget = {
  note: (episode: string, spending: Spending | null) => void;
  reached: () => BudgetReason | null;
};

export function createRunBudget(budget: Budget): RunBudget {
  const episodes = new Map<string, Spending>();
  return {
    note: (episode, spending) => {
      if (spending !== null) episodes.set(episode, spending);
    },
    reached: () => {
      const spent = sumSpending([...episodes.values()]);
      return spent === null ? null : budgetReached(budget, spent);
    },
  };
}

/** Whether the episode, or the run it is part of, may ask its model no more. */
export function episodeBudget(
  record: EpisodeRecord,
  limits: Budget,
  run: RunBudget | undefined,
): BudgetReason | null {
  const spending = spendingOf(record);
  run?.note(record.id, spending);
  return (spending === null ? null : budgetReached(limits, spending)) ?? run?.reached() ?? null;
}

function budgetReached(
  { tokens, cost }: Budget,
  spent: Pick<Spending, 'input_tokens' | 'output_tokens' | 'cost' | 'unknown'>,
): BudgetReason | null {
  if (tokens === undefined && cost === undefined) return null;
  if (tokens !== undefined && spent.input_tokens + spent.output_tokens >= tokens) return 'budget';
  if (cost !== undefined && spent.cost !== null && spent.cost >= cost) return 'budget';
  return spent.unknown > 0 || (cost !== undefined && spent.cost === null) ? 'budget_unknown' : null;
}
