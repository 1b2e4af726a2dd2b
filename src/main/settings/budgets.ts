// The budgets that episodes and runs have where nobody says another one.
import type { z } from 'zod';
import { BudgetFields, type DefaultBudgets } from '../../shared/contract/budgets.ts';
import { isRecord } from '../../shared/json.ts';
import type { JsonFile } from './jsonFile.ts';

export type Budgets = {
  budgets(): DefaultBudgets;
  writeBudgets(budgets: DefaultBudgets): void;
};

export const budgetSettings = (file: JsonFile): Budgets => ({
  budgets: () => budgetsIn(file.read()).budgets,
  writeBudgets: (budgets) => file.write({ ...file.read(), budgets }),
});

/** Budgets in the file; a value that cannot be one is none, and is named. */
export function budgetsIn(raw: Record<string, unknown>): { budgets: DefaultBudgets; problems: string[] } {
  const problems: string[] = [];
  const section = isRecord(raw['budgets']) ? raw['budgets'] : {};
  const fieldsOf = (of: keyof DefaultBudgets): BudgetFields => {
    const kept = isRecord(section[of]) ? section[of] : {};
    const read = <T>(name: keyof BudgetFields, schema: z.ZodType<T>): T | null => {
      const { data, success } = schema.nullish().safeParse(kept[name]);
      if (!success)
        problems.push(`settings.json: "budgets.${of}.${name}" is no amount above 0; it is not used.`);
      return data ?? null;
    };
    const { turns, minutes, tokens, cost } = BudgetFields.shape;
    return {
      turns: read('turns', turns),
      minutes: read('minutes', minutes),
      tokens: read('tokens', tokens),
      cost: read('cost', cost),
    };
  };
  return { budgets: { per_episode: fieldsOf('per_episode'), per_run: fieldsOf('per_run') }, problems };
}
