// Making a queue: which episodes, who reviews them, and what reviewers may see.
import type { ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import { FilterChoice, FilterFields } from '../../parts/episode/FilterDialog.tsx';
import { filterParts } from '../../parts/episode/filterParts.ts';
import { formatCount } from '../../parts/text/size.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import { MINUTES, PER_ITEM, useQueueForm, type QueueForm } from './useQueueForm.ts';
import * as styles from './Annotate.module.css';

type Props = {
  project: ProjectRow;
  /** Chosen in the library; null where they are found here. */
  episodes: readonly string[] | null;
  onClose: () => void;
  onMade: () => void;
};

export function QueueDialog({ project, episodes, onClose, onMade }: Props): ReactNode {
  const { form, change, total, failure, isBusy, submit } = useQueueForm(project, episodes, () => {
    onMade();
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New queue"
      notice={failure === null ? null : <ErrorNote title="Could not create the queue" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            isBusy={isBusy}
            isDisabled={(total === 0 && form.from !== 'corrections') || form.name.trim() === ''}
            onClick={submit}
          >
            Create queue
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label="Queue name">
          <Input
            data-first
            value={form.name}
            maxLength={120}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <QueueEpisodes form={form} change={change} total={total} chosen={episodes?.length ?? null} />
        <div className={styles.fields}>
          <Field label="Reviews per item">
            <Select
              value={form.perItem}
              options={PER_ITEM.map((value) => ({ value, label: value }))}
              onChoose={(perItem) => change({ perItem })}
            />
          </Field>
          <Field label="An item is reserved for" hint="After that another reviewer may take it.">
            <Select
              value={form.minutes}
              options={MINUTES.map((value) => ({ value, label: `${value} min` }))}
              onChoose={(minutes) => change({ minutes })}
            />
          </Field>
        </div>
        <SeatChoice chosen={form.seats} onChange={(chosen) => change({ seats: chosen })} />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={form.isBlind}
            onChange={({ target }) => change({ isBlind: target.checked })}
          />
          Blind: reviewers do not see each other’s work
        </label>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={form.hidesOutcome}
            onChange={({ target }) => change({ hidesOutcome: target.checked })}
          />
          Hide reward and verdict until a review is done
        </label>
      </div>
    </Dialog>
  );
}

type QueueEpisodesProps = {
  form: QueueForm;
  change: (by: Partial<QueueForm>) => void;
  total: number | null;
  /** How many were chosen elsewhere; null where none were. */
  chosen: number | null;
};

const FROM: readonly { value: QueueForm['from']; label: string }[] = [
  { value: 'filter', label: 'Single episodes' },
  { value: 'same_task', label: 'Pairs of the same task: which is better?' },
  { value: 'corrections', label: 'Decision points: the agent’s move or a reviewer’s?' },
];

function QueueEpisodes(props: QueueEpisodesProps): ReactNode {
  const { form, change, chosen } = props;
  const handed =
    chosen === null
      ? []
      : [
          {
            value: 'episodes' as const,
            label: `The ${formatCount(chosen, 'episode')} selected in the library`,
          },
        ];
  return (
    <>
      <Field label="What is reviewed">
        <Select value={form.from} options={[...handed, ...FROM]} onChoose={(from) => change({ from })} />
      </Field>
      {form.from === 'corrections' ? (
        <p className={styles.facts}>
          Each move that a reviewer of this project called right, next to the agent’s own move.
        </p>
      ) : null}
      {form.from === 'filter' || form.from === 'same_task' ? <EpisodeSearch {...props} /> : null}
    </>
  );
}

const EPISODE_STATES: readonly { value: QueueForm['status']; label: string }[] = [
  { value: 'ended', label: 'Ended' },
  { value: 'any', label: 'Any' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'running', label: 'Running' },
  { value: 'starting', label: 'Starting' },
];

/** The same words, states and filters as the library has. */
function EpisodeSearch({ form, change, total }: QueueEpisodesProps): ReactNode {
  const people = usePeople();
  const parts = filterParts(form.filter, people);
  const count = parts.length + (form.condition === null ? 0 : 1);
  return (
    <>
      <div className={styles.row}>
        <Field label="Words in task, scenario, model or id" className={styles.grow}>
          <Input
            value={form.query}
            maxLength={200}
            onChange={({ target }) => change({ query: target.value })}
          />
        </Field>
        <Field label="State">
          <Select value={form.status} options={EPISODE_STATES} onChoose={(status) => change({ status })} />
        </Field>
        <Field label="At most" className={styles.short}>
          <Input
            inputMode="numeric"
            value={form.limit}
            onChange={({ target }) => change({ limit: target.value })}
          />
        </Field>
      </div>
      <details className={styles.more}>
        <summary>
          {count === 0
            ? 'More filters'
            : `Filters: ${[
                ...(form.condition === null ? [] : [ROW_CONDITION_LABELS[form.condition]]),
                ...parts.map(({ label }) => label),
              ].join(', ')}`}
        </summary>
        <div className={styles.filters}>
          <FilterChoice
            label="Condition"
            value={form.condition ?? undefined}
            options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
            onChoose={(condition) => change({ condition: condition ?? null })}
          />
          <FilterFields filter={form.filter} onFilter={(filter) => change({ filter })} />
        </div>
      </details>
      <p className={styles.facts} role="status">
        {total === null ? 'Looking' : `${formatCount(total, 'episode')} in the library`}
      </p>
    </>
  );
}

/** Nobody named: whoever may review takes what comes. */
function SeatChoice({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (seats: readonly string[]) => void;
}): ReactNode {
  const people = usePeople();
  return (
    <fieldset className={styles.seats}>
      <legend>Reviewers</legend>
      {people.map((one) => (
        <label key={one.seat} className={styles.check}>
          <input
            type="checkbox"
            checked={chosen.includes(one.seat)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, one.seat] : chosen.filter((other) => other !== one.seat))
            }
          />
          {one.label}
        </label>
      ))}
      <p className={styles.facts}>
        {chosen.length === 0
          ? 'No one assigned: any reviewer takes the next item. Invite reviewers in Settings.'
          : 'Episodes are divided evenly.'}
      </p>
    </fieldset>
  );
}
