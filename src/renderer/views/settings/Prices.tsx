// What models cost, as a person enters it: for a model or a profile, in money for a million tokens, with the day.
import { Trash2 } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

type Price = Outputs['settings.read']['prices'][number];

const today = (): string => new Date().toISOString().slice(0, 10);
const EMPTY = { name: '', currency: 'USD', input: '', output: '', cached: '', reasoning: '' };

export function Prices(): ReactNode {
  const { call } = useSession();
  const { value, failure, again } = useAsk('settings.read', {});
  const remove = useAct(async (name: string) => {
    await call('settings.change', { prices: { remove: name } }).finally(again);
  }, 'Could not remove the price');
  return (
    <section className={styles.section} aria-labelledby="prices-title">
      <div className={styles.about}>
        <h2 id="prices-title" className={styles.title}>
          Prices
        </h2>
        <p>
          What models cost for a million tokens, as you enter it. An episode keeps the prices it began with;
          without one its cost is unknown, not zero.
        </p>
      </div>
      <div className={styles.fields}>
        {failure === null ? null : <ErrorNote title="Could not read the prices" failure={failure} />}
        <ul className={styles.environments}>
          {(value?.prices ?? []).map((price) => (
            <li key={price.name} className={styles.environment}>
              <div className={styles.environmentLine}>
                <span className={styles.environmentName}>{price.name}</span>
                <span className={styles.url}>{priceText(price)}</span>
                <span className={styles.gap} />
                <IconButton
                  label={`Remove the price of ${price.name}`}
                  icon={<Trash2 />}
                  onClick={() => void remove.run(price.name)}
                />
              </div>
            </li>
          ))}
        </ul>
        <AddPrice onAdded={again} />
      </div>
    </section>
  );
}

const priceText = ({ currency, input, output, cached, reasoning, as_of }: Price): string =>
  [
    `${String(input)} in, ${String(output)} out`,
    ...(cached === null ? [] : [`${String(cached)} cached`]),
    ...(reasoning === null ? [] : [`${String(reasoning)} reasoning`]),
  ].join(', ') + ` ${currency}, as of ${as_of}`;

const FIELDS = [
  ['name', 'Model or profile'],
  ['currency', 'Currency'],
  ['input', 'Input'],
  ['output', 'Output'],
  ['cached', 'Cached input'],
  ['reasoning', 'Reasoning'],
] as const;

const isAmount = (text: string): boolean => text.trim() !== '' && Number(text) >= 0;
const orNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function AddPrice({ onAdded }: { onAdded: () => void }): ReactNode {
  const { call } = useSession();
  const [draft, setDraft] = useState(EMPTY);
  const [asOf, setAsOf] = useState(today);
  const { name, currency, input, output, cached, reasoning } = draft;
  const save = useAct(async () => {
    const price = {
      name: name.trim(),
      currency: currency.trim(),
      input: Number(input),
      output: Number(output),
      cached: orNull(cached),
      reasoning: orNull(reasoning),
      as_of: asOf,
    };
    await call('settings.change', { prices: { save: price } });
    setDraft({ ...EMPTY, currency });
    onAdded();
  });
  const isOptional = (text: string): boolean => text.trim() === '' || isAmount(text);
  const isReady =
    name.trim() !== '' &&
    currency.trim() !== '' &&
    isAmount(input) &&
    isAmount(output) &&
    isOptional(cached) &&
    isOptional(reasoning) &&
    asOf !== '';
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void save.run();
  };
  return (
    <form className={styles.profile} onSubmit={onSubmit} aria-label="Add a price">
      {FIELDS.map(([field, label]) => (
        <Field
          key={field}
          label={label}
          hint={
            field === 'cached'
              ? 'Empty: as other input.'
              : field === 'reasoning'
                ? 'Empty: as other output.'
                : undefined
          }
        >
          <Input
            inputMode={field === 'name' || field === 'currency' ? 'text' : 'decimal'}
            value={draft[field]}
            onChange={({ target }) => setDraft((old) => ({ ...old, [field]: target.value }))}
          />
        </Field>
      ))}
      <Field label="As of">
        <Input type="date" value={asOf} onChange={({ target }) => setAsOf(target.value)} />
      </Field>
      <div className={styles.actions}>
        <Button type="submit" isDisabled={!isReady} isBusy={save.isBusy}>
          Save price
        </Button>
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the price" failure={save.failure} />}
    </form>
  );
}
