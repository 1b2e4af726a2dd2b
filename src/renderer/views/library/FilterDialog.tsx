// Owns: choosing what narrows the library: every property a line of the list has, applied as it is chosen.
import { useEffect, useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition, Outcome, Source } from '../../../shared/events/lifecycle.ts';
import { CONDITION_LABELS, type Filter } from '../../parts/episode/rowWords.ts';
import { useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { sourceWords } from './columns.tsx';
import { ANY, narrowed } from './libraryFilter.ts';
import styles from './LibraryView.module.css';

type Facets = Outputs['library.facets'];
const NO_FACETS: Facets = { scenarios: [], runs: [], tags: [], reward_types: [], conditions: [] };

export type FilterDialogProps = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onClose: () => void;
};

export function FilterDialog({ filter, onFilter, onClose }: FilterDialogProps): ReactNode {
  const facets = useFacets();
  const { filter: inner = {} } = filter;
  const set = (change: EpisodeFilter): void => onFilter(narrowed(filter, change));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Filter the library"
      description="Every part must hold."
      footer={
        <>
          <Button tone="quiet" onClick={() => onFilter({ ...ANY, order: filter.order })}>
            Clear all
          </Button>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <Choice
          label="Condition"
          value={filter.condition ?? undefined}
          options={Condition.options.map((value) => ({ value, label: CONDITION_LABELS[value] }))}
          onChoose={(condition) => onFilter({ ...filter, condition: condition ?? null })}
        />
        <Choice
          label="Source"
          value={inner.source}
          options={Source.options.map((value) => ({ value, label: sourceWords(value) }))}
          onChoose={(source) => set({ source })}
        />
        <Choice
          label="Outcome"
          value={inner.outcome}
          options={named(Outcome.options)}
          onChoose={(outcome) => set({ outcome })}
        />
        <Choice
          label="Verdict"
          value={inner.reward_type}
          options={named(facets.reward_types)}
          onChoose={(type) => set({ reward_type: type })}
        />
        <Choice
          label="Scenario"
          value={inner.scenario}
          options={named(facets.scenarios)}
          onChoose={(scenario) => set({ scenario })}
        />
        <Choice label="Tag" value={inner.tag} options={named(facets.tags)} onChoose={(tag) => set({ tag })} />
        <Choice label="Run" value={inner.run} options={named(facets.runs)} onChoose={(run) => set({ run })} />
        <Has label="Advice" value={inner.has_advice} onChoose={(has) => set({ has_advice: has })} />
        <Has label="Step-ins" value={inner.has_step_ins} onChoose={(has) => set({ has_step_ins: has })} />
        <Has label="Labels" value={inner.has_labels} onChoose={(has) => set({ has_labels: has })} />
        <NumberField
          label="Reward from"
          value={inner.reward_min}
          onValue={(min) => set({ reward_min: min })}
        />
        <NumberField label="Reward to" value={inner.reward_max} onValue={(max) => set({ reward_max: max })} />
        <DayField label="Started from" value={inner.since} onValue={(since) => set({ since })} />
        <DayField label="Started before" value={inner.until} onValue={(until) => set({ until })} />
      </div>
    </Dialog>
  );
}

function useFacets(): Facets {
  const { call } = useSession();
  const [facets, setFacets] = useState(NO_FACETS);
  useEffect(() => {
    // Without them the other parts can still be chosen.
    call('library.facets', {}).then(setFacets, () => undefined);
  }, [call]);
  return facets;
}

const named = <V extends string>(values: readonly V[]): { value: V; label: string }[] =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

type ChoiceProps<V extends string> = {
  label: string;
  value: V | undefined;
  options: readonly { value: V; label: string }[];
  onChoose: (value: V | undefined) => void;
};

/** A list whose first entry narrows nothing. */
function Choice<V extends string>({ label, value, options, onChoose }: ChoiceProps<V>): ReactNode {
  const known = value === undefined || options.some((option) => option.value === value);
  const all = known ? options : [...options, { value, label: value }];
  return (
    <Field label={label}>
      <Select
        value={value === undefined ? 'any' : `is ${value}`}
        options={[
          { value: 'any', label: 'Any' },
          ...all.map((option) => ({ value: `is ${option.value}`, label: option.label })),
        ]}
        onChoose={(chosen) => onChoose(all.find((option) => `is ${option.value}` === chosen)?.value)}
      />
    </Field>
  );
}

function Has({
  label,
  value,
  onChoose,
}: {
  label: string;
  value: boolean | undefined;
  onChoose: (has: boolean | undefined) => void;
}): ReactNode {
  return (
    <Choice
      label={label}
      value={value === undefined ? undefined : value ? 'with' : 'without'}
      options={[
        { value: 'with', label: 'With' },
        { value: 'without', label: 'Without' },
      ]}
      onChoose={(chosen) => onChoose(chosen === undefined ? undefined : chosen === 'with')}
    />
  );
}

type Valued = { label: string; value: number | undefined; onValue: (value: number | undefined) => void };

function NumberField({ label, value, onValue }: Valued): ReactNode {
  return (
    <Field label={label}>
      <Input
        type="number"
        step="any"
        value={value ?? ''}
        onChange={({ target }) =>
          onValue(Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber)
        }
      />
    </Field>
  );
}

/** A day of this computer's calendar, as the moment it begins. */
function DayField({ label, value, onValue }: Valued): ReactNode {
  const written = value === undefined ? '' : dayOf(value);
  return (
    <Field label={label}>
      <Input
        type="date"
        value={written}
        onChange={({ target }) => {
          const at = new Date(`${target.value}T00:00:00`).getTime();
          onValue(Number.isNaN(at) ? undefined : at);
        }}
      />
    </Field>
  );
}

function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
