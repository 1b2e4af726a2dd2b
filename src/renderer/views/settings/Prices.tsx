// What models cost, as a person enters it: for a model or a profile, in money for a million tokens, with the day.
import { useState, type ReactNode } from 'react';
import { useAct } from '../../state/queries.ts';
import {
  NamedLine,
  RemoveButton,
  SaveForm,
  SettingsSection,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

export const Prices = (): ReactNode => (
  <SettingsSection
    id="prices"
    title="Prices"
    about="What models cost for a million tokens, as you enter it. An episode keeps the prices it began with; without one its cost is unknown, not zero."
  >
    {({ prices }, change) => (
      <>
        <PriceList prices={prices} change={change} />
        <AddPrice change={change} />
      </>
    )}
  </SettingsSection>
);

type PriceListProps = { prices: Settings['prices']; change: ChangeSettings };

function PriceList({ prices, change }: PriceListProps): ReactNode {
  const { run: remove } = useAct(
    (name: string) => change({ prices: { remove: name } }),
    'Could not remove the price',
  );
  return (
    <ul className={styles.environments}>
      {prices.map(({ name, currency, input, output, cached, reasoning, as_of: asOf }) => (
        <NamedLine
          key={name}
          name={name}
          detail={
            <span className="one-line shrinks quiet">
              {`${String(input)} in, ${String(output)} out`}
              {cached === null ? '' : `, ${String(cached)} cached`}
              {reasoning === null ? '' : `, ${String(reasoning)} reasoning`}
              {` ${currency}, as of ${asOf}`}
            </span>
          }
          acts={<RemoveButton label={`Remove the price of ${name}`} onRemove={() => void remove(name)} />}
        />
      ))}
    </ul>
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);
const EMPTY = { name: '', currency: 'USD', input: '', output: '', cached: '', reasoning: '', asOf: '' };
const FIELDS: readonly FormField<typeof EMPTY>[] = [
  { name: 'name', label: 'Model or profile' },
  { name: 'currency', label: 'Currency' },
  { name: 'input', label: 'Input', kind: 'number' },
  { name: 'output', label: 'Output', kind: 'number' },
  { name: 'cached', label: 'Cached input', kind: 'number', hint: 'Empty: as other input.' },
  { name: 'reasoning', label: 'Reasoning', kind: 'number', hint: 'Empty: as other output.' },
  { name: 'asOf', label: 'As of', kind: 'date' },
];
const isAmount = (text: string): boolean => text.trim() !== '' && Number(text) >= 0;
const amountOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function AddPrice({ change }: { change: ChangeSettings }): ReactNode {
  const [draft, setDraft] = useState(() => ({ ...EMPTY, asOf: today() }));
  const { name, currency, input, output, cached, reasoning, asOf } = draft;
  const isReady =
    name.trim() !== '' &&
    currency.trim() !== '' &&
    [input, output].every(isAmount) &&
    [cached, reasoning].every((text) => text.trim() === '' || isAmount(text)) &&
    asOf !== '';
  const save = async (): Promise<void> => {
    const price = {
      name: name.trim(),
      currency: currency.trim(),
      input: Number(input),
      output: Number(output),
      cached: amountOrNull(cached),
      reasoning: amountOrNull(reasoning),
      as_of: asOf,
    };
    await change({ prices: { save: price } });
    setDraft({ ...EMPTY, currency, asOf });
  };
  return (
    <SaveForm
      label="Add a price"
      fields={FIELDS}
      draft={draft}
      onDraft={setDraft}
      isReady={isReady}
      onSave={save}
      saveLabel="Save price"
      problem="Could not save the price"
    />
  );
}
