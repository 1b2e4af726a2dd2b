// Budgets as they are typed: what is wrong with them, and what they say. Pure.
import { DefaultBudgets, type BudgetFields } from '../../../shared/contract/settings.ts';

export type BudgetScope = keyof DefaultBudgets;
type BudgetField = keyof BudgetFields;
export type BudgetDraft = Record<BudgetScope, Record<BudgetField, string>>;

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const fieldsOf = ({ turns, minutes, tokens, cost }: BudgetFields): Record<BudgetField, string> => ({
  turns: textOf(turns),
  minutes: textOf(minutes),
  tokens: textOf(tokens),
  cost: textOf(cost),
});

export const budgetDraft = ({ per_episode, per_run }: DefaultBudgets): BudgetDraft => ({
  per_episode: fieldsOf(per_episode),
  per_run: fieldsOf(per_run),
});

const valueOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const valuesOf = ({ turns, minutes, tokens, cost }: Record<BudgetField, string>): BudgetFields => ({
  turns: valueOf(turns),
  minutes: valueOf(minutes),
  tokens: valueOf(tokens),
  cost: valueOf(cost),
});

/** Empty is no limit. */
export const budgetsOfDraft = ({ per_episode, per_run }: BudgetDraft): DefaultBudgets => ({
  per_episode: valuesOf(per_episode),
  per_run: valuesOf(per_run),
});

/** What is wrong, by field, as `per_run.tokens`. */
export function budgetProblems(draft: BudgetDraft): Map<string, string> {
  const { error } = DefaultBudgets.safeParse(budgetsOfDraft(draft));
  return new Map(
    (error?.issues ?? []).map(({ path }) => [
      path.join('.'),
      /turns|tokens/.test(path.join('.')) ? 'A whole number above 0.' : 'A number above 0.',
    ]),
  );
}

export const sameDraft = (a: BudgetDraft, b: BudgetDraft): boolean => JSON.stringify(a) === JSON.stringify(b);
