// The budgets of the settings: what an episode, and all episodes of a run together, may take.
import { z } from 'zod';
import type { Budget } from '../events/lifecycle.ts';

/** Null is no limit, or the product's own. */
export const BudgetFields = z.strictObject({
  turns: z.number().int().positive().max(10_000_000).nullable(),
  minutes: z.number().positive().max(10_000_000).nullable(),
  /** In and out together. */
  tokens: z.number().int().positive().nullable(),
  /** In the currency of the prices. */
  cost: z.number().positive().nullable(),
});
export type BudgetFields = z.infer<typeof BudgetFields>;

export const DefaultBudgets = z.strictObject({ per_episode: BudgetFields, per_run: BudgetFields });
export type DefaultBudgets = z.infer<typeof DefaultBudgets>;

/** The fields that are set, as limits. */
export const budgetOf = ({ turns, minutes, tokens, cost }: BudgetFields): Budget => ({
  ...(turns === null ? {} : { turns }),
  ...(minutes === null ? {} : { time_ms: Math.max(1, Math.round(minutes * 60_000)) }),
  ...(tokens === null ? {} : { tokens }),
  ...(cost === null ? {} : { cost }),
});
