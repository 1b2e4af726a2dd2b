// The budgets that episodes and runs have where a start or a flag says no other.
import { useState, type ReactNode } from 'react';
import { DefaultBudgets, type BudgetFields } from '../../../shared/contract/budgets.ts';
import { SaveForm, SettingsSection, type ChangeSettings, type FormField } from './SettingsForm.tsx';

export const BudgetSettings = (): ReactNode => (
  <SettingsSection
    id="budgets"
    title="Budgets"
    about="What ends an episode, or all episodes that are started together, where the start or a flag sets no other limit. Tokens and cost count where a chat model is the agent; a cost needs a price above."
  >
    {({ budgets }, change) => <BudgetForm key={JSON.stringify(budgets)} budgets={budgets} change={change} />}
  </SettingsSection>
);

type BudgetDraft = Readonly<Record<string, string>>;

const LIMITS = ['turns', 'minutes', 'tokens', 'cost'] as const;
const FIELDS: readonly FormField<BudgetDraft>[] = LIMITS.flatMap((limit) => [
  {
    name: `per_episode.${limit}`,
    label: `Per episode: ${limit}`,
    kind: 'number',
    placeholder: { turns: '15', minutes: '30', tokens: 'No limit', cost: 'No limit' }[limit],
  },
  { name: `per_run.${limit}`, label: `Per run: ${limit}`, kind: 'number', placeholder: 'No limit' },
]);

/** As texts under names such as `per_run.tokens`. */
const budgetDraft = (budgets: DefaultBudgets): BudgetDraft =>
  Object.fromEntries(
    (['per_episode', 'per_run'] as const).flatMap((scope) =>
      LIMITS.map((limit) => [`${scope}.${limit}`, String(budgets[scope][limit] ?? '')]),
    ),
  );

/** Empty is no limit. */
function budgetsOfDraft(draft: BudgetDraft): DefaultBudgets {
  const limit = (name: string): number | null => {
    const text = draft[name]?.trim() ?? '';
    return text === '' ? null : Number(text);
  };
  const limits = (scope: string): BudgetFields => ({
    turns: limit(`${scope}.turns`),
    minutes: limit(`${scope}.minutes`),
    tokens: limit(`${scope}.tokens`),
    cost: limit(`${scope}.cost`),
  });
  return { per_episode: limits('per_episode'), per_run: limits('per_run') };
}

/** What is wrong, by field. */
function budgetProblems(draft: BudgetDraft): Map<string, string> {
  const { error } = DefaultBudgets.safeParse(budgetsOfDraft(draft));
  return new Map(
    (error?.issues ?? []).map(({ path }) => [
      path.join('.'),
      /turns|tokens/.test(path.join('.')) ? 'A whole number above 0.' : 'A number above 0.',
    ]),
  );
}

type BudgetFormProps = { budgets: DefaultBudgets; change: ChangeSettings };

function BudgetForm({ budgets, change }: BudgetFormProps): ReactNode {
  const [draft, setDraft] = useState(() => budgetDraft(budgets));
  const problems = budgetProblems(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(budgetDraft(budgets));
  return (
    <SaveForm
      label="Budgets"
      fields={FIELDS.map((field) => ({ ...field, error: problems.get(field.name) ?? null }))}
      draft={draft}
      onDraft={setDraft}
      isReady={isChanged && problems.size === 0}
      onSave={() => change({ budgets: budgetsOfDraft(draft) })}
      saveLabel="Save budgets"
      problem="Could not save the budgets"
    />
  );
}
