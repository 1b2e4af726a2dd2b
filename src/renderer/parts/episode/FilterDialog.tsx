// The dialog that narrows a set of episodes, each choice applied as it is made.
import type { ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { DraftFate, type EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition, Outcome, Source } from '../../../shared/events/lifecycle.ts';
import { useAsk } from '../../state/queries.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { environmentLabel, ROW_CONDITION_LABELS, SOURCE_LABELS } from './episodeRowText.ts';
import { changedFilter, contradictions, DRAFT_LABELS } from './filterParts.ts';
import * as styles from './FilterDialog.module.css';

type FilterDialogProps = {
  title: string;
  description: string;
  condition: Condition | null;
  filter: EpisodeFilter;
  onCondition: (condition: Condition | null) => void;
  onFilter: (filter: EpisodeFilter) => void;
  onClear: () => void;
  onClose: () => void;
};

export function FilterDialog(props: FilterDialogProps): ReactNode {
  const { title, description, condition, filter, onCondition, onFilter, onClear, onClose } = props;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button tone="quiet" onClick={onClear}>
            Clear all
          </Button>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <FilterChoice
          label="Condition"
          value={condition ?? undefined}
          options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
          onChoose={(chosen) => onCondition(chosen ?? null)}
        />
        <FilterFields filter={filter} onFilter={onFilter} />
      </div>
    </Dialog>
  );
}

type Facets = Outputs['library.facets'];
const NO_FACETS: Facets = {
  scenarios: [],
  runs: [],
  tags: [],
  reward_types: [],
  reviewers: [],
  conditions: [],
};

type FilterFieldsProps = { filter: EpisodeFilter; onFilter: (filter: EpisodeFilter) => void };

/** One field a property; they stand in whatever grid is around them. */
export function FilterFields({ filter, onFilter }: FilterFieldsProps): ReactNode {
  const facets = useFacets();
  const people = usePeople();
  const wrong = contradictions(filter);
  const set = (change: EpisodeFilter): void => onFilter(changedFilter(filter, change));
  return (
    <>
      <FilterChoice
        label="Source"
        value={filter.source}
        options={Source.options.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
        onChoose={(source) => set({ source })}
      />
      <FilterChoice
        label="Outcome"
        value={filter.outcome}
        options={named(Outcome.options)}
        onChoose={(outcome) => set({ outcome })}
      />
      <FilterChoice
        label="Verdict"
        value={filter.reward_type}
        options={named(facets.reward_types)}
        onChoose={(type) => set({ reward_type: type })}
      />
      <FilterChoice
        label="Environment"
        value={filter.environment}
        options={(facets.environments ?? []).map((value) => ({ value, label: environmentLabel(value) }))}
        onChoose={(environment) => set({ environment })}
      />
      <FilterChoice
        label="Scenario"
        value={filter.scenario}
        options={named(facets.scenarios)}
        onChoose={(scenario) => set({ scenario })}
      />
      <FilterChoice
        label="Tag"
        value={filter.tag}
        options={named(facets.tags)}
        onChoose={(tag) => set({ tag })}
      />
      <FilterChoice
        label="Run"
        value={filter.run}
        options={named(facets.runs)}
        onChoose={(run) => set({ run })}
      />
      <FilterChoice
        label="Reviewer"
        value={filter.reviewer}
        options={reviewersOf(facets, filter).map((seat) => ({
          value: seat,
          label: personName(people, seat),
        }))}
        onChoose={(reviewer) => set({ reviewer })}
      />
      <Has label="Advice" value={filter.has_advice} onChoose={(has) => set({ has_advice: has })} />
      <FilterChoice
        label="Drafts"
        value={filter.draft}
        options={DraftFate.options.map((value) => ({ value, label: DRAFT_LABELS[value] }))}
        onChoose={(draft) => set({ draft })}
      />
      <Has label="Step-ins" value={filter.has_step_ins} onChoose={(has) => set({ has_step_ins: has })} />
      <Has label="Labels" value={filter.has_labels} onChoose={(has) => set({ has_labels: has })} />
      <Has label="Leaked values" value={filter.has_leaks} onChoose={(has) => set({ has_leaks: has })} />
      <FilterNumberField
        label="Reward from"
        value={filter.reward_min}
        onValue={(min) => set({ reward_min: min })}
      />
      <FilterNumberField
        label="Reward to"
        value={filter.reward_max}
        error={wrong.reward}
        onValue={(max) => set({ reward_max: max })}
      />
      <DayField label="Started from" value={filter.since} onValue={(since) => set({ since })} />
      <DayField
        label="Started before"
        value={filter.until}
        error={wrong.time}
        onValue={(until) => set({ until })}
      />
    </>
  );
}

/** Those who judged something, and the chosen one, who may have taken it back. */
const reviewersOf = ({ reviewers }: Facets, { reviewer }: EpisodeFilter): string[] => [
  ...new Set([...reviewers, ...(reviewer === undefined ? [] : [reviewer])]),
];

/** Without them the other parts can still be chosen. */
const useFacets = (): Facets => useAsk('library.facets', {}).value ?? NO_FACETS;

const named = <V extends string>(values: readonly V[]): { value: V; label: string }[] =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

type FilterChoiceProps<V extends string> = {
  label: string;
  value: V | undefined;
  options: readonly { value: V; label: string }[];
  onChoose: (value: V | undefined) => void;
};

/** A list whose first entry narrows nothing. */
export function FilterChoice<V extends string>({
  label,
  value,
  options,
  onChoose,
}: FilterChoiceProps<V>): ReactNode {
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
    <FilterChoice
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

type NumberFieldProps = {
  label: string;
  value: number | undefined;
  error?: string | null;
  onValue: (value: number | undefined) => void;
};

function FilterNumberField({ label, value, error = null, onValue }: NumberFieldProps): ReactNode {
  return (
    <Field label={label} error={error}>
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
export function DayField({ label, value, error = null, onValue }: NumberFieldProps): ReactNode {
  const written = value === undefined ? '' : dayOf(value);
  return (
    <Field label={label} error={error}>
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
