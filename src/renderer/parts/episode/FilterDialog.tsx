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
import { changedFilter, DRAFT_LABELS } from './filterParts.ts';
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

/** Seven fields, of which one may stand for several properties; they stand in whatever grid is around them. */
export function FilterFields({ filter, onFilter }: FilterFieldsProps): ReactNode {
  const facets = useFacets();
  const people = usePeople();
  const set = (change: EpisodeFilter): void => onFilter(changedFilter(filter, change));
  const props = { filter, set };
  return (
    <>
      <PropertyChoice
        {...props}
        label="Outcome"
        options={[
          ...facets.reward_types.map((type) => ({
            label: type.replaceAll('_', ' '),
            set: { reward_type: type },
          })),
          ...Outcome.options.map((outcome) => ({ label: `ended because: ${outcome}`, set: { outcome } })),
        ]}
      />
      <PropertyChoice
        {...props}
        label="What people did"
        options={[
          { label: 'with advice', set: { has_advice: true } },
          { label: 'without advice', set: { has_advice: false } },
          ...DraftFate.options.map((draft) => ({ label: DRAFT_LABELS[draft], set: { draft } })),
          { label: 'with step-ins', set: { has_step_ins: true } },
          { label: 'without step-ins', set: { has_step_ins: false } },
          { label: 'with labels', set: { has_labels: true } },
          { label: 'without labels', set: { has_labels: false } },
          { label: 'advice with leaked values', set: { has_leaks: true } },
          { label: 'advice without leaked values', set: { has_leaks: false } },
          ...facets.reviewers.map((reviewer) => ({
            label: `reviewed by ${personName(people, reviewer)}`,
            set: { reviewer },
          })),
        ]}
      />
      <PropertyChoice
        {...props}
        label="Environment"
        options={[
          ...(facets.environments ?? []).map((environment) => ({
            label: environmentLabel(environment),
            set: { environment },
          })),
          ...Source.options.map((source) => ({ label: `any, ${SOURCE_LABELS[source]}`, set: { source } })),
        ]}
      />
      <FilterChoice
        label="Scenario"
        value={filter.scenario}
        options={named(facets.scenarios)}
        onChoose={(scenario) => set({ scenario })}
      />
      <FilterChoice
        label="Run"
        value={filter.run}
        options={named(facets.runs)}
        onChoose={(run) => set({ run })}
      />
      <FilterChoice
        label="Tag"
        value={filter.tag}
        options={named(facets.tags)}
        onChoose={(tag) => set({ tag })}
      />
      <DayField label="Started from" value={filter.since} onValue={(since) => set({ since })} />
    </>
  );
}

type PropertyChoiceProps = {
  label: string;
  /** Each sets one property. */
  options: readonly { label: string; set: EpisodeFilter }[];
  filter: EpisodeFilter;
  set: (change: EpisodeFilter) => void;
};

/** `has_advice true`. */
const settingText = (set: EpisodeFilter): string => Object.entries(set).flat().join(' ');

/** One of several properties; a choice takes the place of the others. */
function PropertyChoice({ label, options, filter, set }: PropertyChoiceProps): ReactNode {
  const cleared = Object.fromEntries(
    options.flatMap((option) => Object.keys(option.set)).map((key) => [key, undefined]),
  );
  const chosen = (Object.keys(cleared) as (keyof EpisodeFilter)[]).flatMap((key) =>
    filter[key] === undefined ? [] : [`${key} ${String(filter[key])}`],
  );
  return (
    <FilterChoice
      label={label}
      value={chosen.length > 1 ? 'several of these' : chosen[0]}
      options={options.map((option) => ({
        value: settingText(option.set),
        label: option.label,
      }))}
      onChoose={(value) =>
        set({
          ...cleared,
          ...options.find((option) => settingText(option.set) === value)?.set,
        })
      }
    />
  );
}

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

type DayFieldProps = {
  label: string;
  value: number | undefined;
  onValue: (value: number | undefined) => void;
};

/** A day of this computer's calendar, as the moment it begins. */
function DayField({ label, value, onValue }: DayFieldProps): ReactNode {
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
