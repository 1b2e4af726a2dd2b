// Owns: making a queue: which episodes, who reviews them, and what reviewers may see.
import type { ReactNode } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import styles from './Annotate.module.css';
import { MINUTES, PER_ITEM, useQueueForm, type QueueForm } from './useQueueForm.ts';

type Props = { project: ProjectRow; onClose: () => void; onMade: () => void };

export function QueueDialog({ project, onClose, onMade }: Props): ReactNode {
  const { form, change, total, failure, isBusy, submit } = useQueueForm(project, () => {
    onMade();
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New queue"
      notice={failure === null ? null : <ErrorNote title="The queue was not made" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            isBusy={isBusy}
            isDisabled={(total === 0 && form.from !== 'corrections') || form.name.trim() === ''}
            onClick={submit}
          >
            Make queue
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Field label="Queue name">
          <Input
            data-first
            value={form.name}
            maxLength={120}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <Episodes form={form} change={change} total={total} />
        <div className={styles['row']}>
          <Field label="Reviews of each">
            <Select
              value={form.perItem}
              options={PER_ITEM.map((value) => ({ value, label: value }))}
              onChoose={(perItem) => change({ perItem })}
            />
          </Field>
          <Field label="An item is held for" hint="Then another reviewer may take it.">
            <Select
              value={form.minutes}
              options={MINUTES.map((value) => ({ value, label: `${value} min` }))}
              onChoose={(minutes) => change({ minutes })}
            />
          </Field>
        </div>
        <Seats chosen={form.seats} onChange={(chosen) => change({ seats: chosen })} />
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={form.isBlind}
            onChange={({ target }) => change({ isBlind: target.checked })}
          />
          Blind: reviewers see nothing of each other
        </label>
        <label className={styles['check']}>
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

function Episodes({
  form,
  change,
  total,
}: {
  form: QueueForm;
  change: (by: Partial<QueueForm>) => void;
  total: number | null;
}): ReactNode {
  return (
    <>
      <Field label="What is reviewed">
        <Select
          value={form.from}
          options={[
            { value: 'filter', label: 'Single episodes' },
            { value: 'same_task', label: 'Pairs of the same task: which is better?' },
            { value: 'corrections', label: 'Decision points: the agent’s move, or a reviewer’s?' },
          ]}
          onChoose={(from) => change({ from })}
        />
      </Field>
      {form.from === 'corrections' ? (
        <p className={styles['facts']}>
          Every move that a reviewer of this project called right, beside the one the agent made there.
        </p>
      ) : (
        <EpisodeFilter form={form} change={change} total={total} />
      )}
    </>
  );
}

function EpisodeFilter({ form, change, total }: Parameters<typeof Episodes>[0]): ReactNode {
  return (
    <div className={styles['row']}>
      <Field
        label="Words in task, scenario, model or id"
        className={styles['grow']}
        hint={total === null ? 'Looking' : `${formatCount(total, 'episode')} in the library`}
      >
        <Input
          value={form.query}
          maxLength={200}
          onChange={({ target }) => change({ query: target.value })}
        />
      </Field>
      <Field label="State">
        <Select
          value={form.status}
          options={[
            { value: 'ended', label: 'Ended' },
            { value: 'any', label: 'Any' },
          ]}
          onChoose={(status) => change({ status })}
        />
      </Field>
      <Field label="At most">
        <Input
          inputMode="numeric"
          value={form.limit}
          onChange={({ target }) => change({ limit: target.value })}
        />
      </Field>
    </div>
  );
}

/** Nobody named: whoever may review takes what comes. */
function Seats({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (seats: readonly string[]) => void;
}): ReactNode {
  const { call, seat } = useSession();
  const { value } = useAnswer('invites', () => call('invites.list', {}));
  const people = [{ seat, label: 'You' }, ...(value?.invites ?? [])];
  return (
    <fieldset className={styles['seats']}>
      <legend>Reviewers</legend>
      {people.map((one) => (
        <label key={one.seat} className={styles['check']}>
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
      <p className={styles['facts']}>
        {chosen.length === 0
          ? 'Nobody is named: whoever may review takes what comes. Invite reviewers under Settings.'
          : 'Episodes are spread over them evenly.'}
      </p>
    </fieldset>
  );
}
