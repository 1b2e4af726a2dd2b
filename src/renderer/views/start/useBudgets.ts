// The budgets of the settings, as the fields of a start show them where nothing is entered.
import { budgetOf, type BudgetFields } from '../../../shared/contract/budgets.ts';
import { limitText } from '../../../shared/episode/phase.ts';
import { BudgetName } from '../../../shared/events/lifecycle.ts';
import { useAsk } from '../../state/queries.ts';
import type { StartChoice } from './choice.ts';

type BudgetHints = {
  /** By field of the start. */
  placeholders: Partial<Record<keyof StartChoice, string>>;
  /** What all episodes of a start may take together; null for no limit. */
  together: string | null;
};

const NO_HINTS: BudgetHints = { placeholders: {}, together: null };

export function useBudgets(isChat: boolean): BudgetHints {
  const value = useAsk('settings.read', {}).value?.budgets ?? null;
  if (value === null) return NO_HINTS;
  // Without a chat model nothing is spent that these two could limit.
  const applied = (fields: BudgetFields): BudgetFields =>
    isChat ? fields : { ...fields, tokens: null, cost: null };
  const { turns, minutes, tokens, cost } = applied(value.per_episode);
  const run = budgetOf(applied(value.per_run));
  const limits = BudgetName.options.flatMap((name) => {
    const amount = run[name];
    return amount === undefined ? [] : limitText({ name, of: 'run', value: amount, from: 'settings' });
  });
  const hint = (amount: number | null): string | undefined =>
    amount === null ? undefined : `${amount.toLocaleString('en')}, from Settings`;
  return {
    placeholders: Object.fromEntries(
      Object.entries({
        turns: hint(turns),
        minutes: hint(minutes),
        maxTokens: hint(tokens),
        maxCost: hint(cost),
      }).filter(([, text]) => text !== undefined),
    ),
    together: limits.length === 0 ? null : limits.join('; '),
  };
}
