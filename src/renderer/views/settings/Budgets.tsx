// The budgets that episodes and runs have where a start or a flag says no other.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { budgetDraft, budgetProblems, budgetsOfDraft, sameDraft, type BudgetScope } from './budgetDraft.ts';
import * as styles from './SettingsView.module.css';

type Budgets = Outputs['settings.read']['budgets'];

export function BudgetSettings(): ReactNode {
  const { value, failure, replace } = useAsk('settings.read', {});
  return (
    <section className={styles.section} aria-labelledby="budgets-title">
      <div className={styles.about}>
        <h2 id="budgets-title" className={styles.title}>
          Budgets
        </h2>
        <p>
          What ends an episode, or all episodes that are started together, where the start or a flag sets no
          other limit. Tokens and cost count where a chat model is the agent; a cost needs a price above.
        </p>
      </div>
      <div className={styles.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the budgets" failure={failure} />}
        {value === null ? null : (
          <BudgetForm key={JSON.stringify(value.budgets)} budgets={value.budgets} onSaved={replace} />
        )}
      </div>
    </section>
  );
}

const FIELDS = ['turns', 'minutes', 'tokens', 'cost'] as const;
const SCOPES: readonly { scope: BudgetScope; label: string; own: Readonly<Record<string, string>> }[] = [
  { scope: 'per_episode', label: 'Per episode', own: { turns: '15', minutes: '30' } },
  { scope: 'per_run', label: 'Per run', own: {} },
];

type BudgetFormProps = { budgets: Budgets; onSaved: (now: Outputs['settings.read']) => void };

function BudgetForm({ budgets, onSaved }: BudgetFormProps): ReactNode {
  const { call } = useSession();
  const [draft, setDraft] = useState(() => budgetDraft(budgets));
  const problems = budgetProblems(draft);
  const save = useAct(async (now: Budgets) => {
    onSaved(await call('settings.change', { budgets: now }));
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (problems.size === 0) void save.run(budgetsOfDraft(draft));
  };
  const isChanged = !sameDraft(draft, budgetDraft(budgets));
  return (
    <form className={styles.profile} onSubmit={onSubmit} aria-label="Budgets">
      {FIELDS.flatMap((name) =>
        SCOPES.map(({ scope, label, own }) => (
          <Field
            key={`${scope}.${name}`}
            label={`${label}: ${name}`}
            error={problems.get(`${scope}.${name}`) ?? null}
          >
            <Input
              inputMode="decimal"
              value={draft[scope][name]}
              placeholder={own[name] ?? 'No limit'}
              onChange={({ target }) =>
                setDraft((old) => ({ ...old, [scope]: { ...old[scope], [name]: target.value } }))
              }
            />
          </Field>
        )),
      )}
      <div className={styles.actions}>
        <Button type="submit" isDisabled={!isChanged || problems.size > 0} isBusy={save.isBusy}>
          Save budgets
        </Button>
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the budgets" failure={save.failure} />}
    </form>
  );
}
