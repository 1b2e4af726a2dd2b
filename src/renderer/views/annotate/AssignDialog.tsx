// Giving the chosen items to reviewers: who, and how many of them each item gets.
import { useState, type ReactNode } from 'react';
import type { QueueRow } from '../../../shared/contract/annotate.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import * as styles from './Annotate.module.css';

type Props = {
  project: string;
  queue: QueueRow;
  items: ReadonlySet<string>;
  onClose: () => void;
  onAssigned: () => void;
};

export function AssignDialog({ project, queue, items, onClose, onAssigned }: Props): ReactNode {
  const people = usePeople();
  // Who reviews here already may have been invited by somebody else.
  const known = new Set([
    ...people.map(({ seat }) => seat),
    ...queue.seats,
    ...queue.progress.reviewers.map(({ seat }) => seat),
  ]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [each, setEach] = useState('all');
  const share = each === 'all' ? chosen.length : Math.min(Number(each), chosen.length);
  const {
    isBusy,
    failure,
    run: assign,
  } = useAssign(project, queue, () => {
    onAssigned();
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Assign ${formatCount(items.size, 'item')}`}
      description="Replaces earlier assignments. Existing reviews stay."
      size="small"
      notice={failure === null ? null : <ErrorNote title="Nothing was assigned" failure={failure} />}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            isBusy={isBusy}
            onClick={() => void assign([...items], chosen, Math.max(1, share))}
          >
            {chosen.length === 0 ? 'Open to everyone' : 'Assign'}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <fieldset className={styles.seats}>
          <legend>Reviewers</legend>
          {[...known].map((seat, index) => (
            <label key={seat} className={styles.check} title={seat}>
              <input
                type="checkbox"
                {...(index === 0 ? { 'data-first': true } : {})}
                checked={chosen.includes(seat)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, seat] : chosen.filter((one) => one !== seat))
                }
              />
              {personName(people, seat)}
            </label>
          ))}
        </fieldset>
        {chosen.length < 2 ? null : (
          <Field label="Each item goes to">
            <Select
              value={each}
              options={[
                { value: 'all', label: 'All of them' },
                ...Array.from({ length: chosen.length - 1 }, (_, index) => ({
                  value: String(index + 1),
                  label: index === 0 ? 'One of them, in turn' : `${String(index + 1)} of them, in turn`,
                })),
              ]}
              onChoose={setEach}
            />
          </Field>
        )}
        <p className={styles.facts} role="status">
          {workloadText(items.size, chosen.length, share)}
        </p>
      </div>
    </Dialog>
  );
}

/** How much work that makes for each. */
export function workloadText(items: number, reviewers: number, share: number): string {
  if (reviewers === 0) return 'No one assigned: any reviewer takes the next item.';
  const [fewest, rest] = [Math.floor((items * share) / reviewers), (items * share) % reviewers];
  const count = rest === 0 ? String(fewest) : `${String(fewest)} or ${String(fewest + 1)}`;
  return `${formatCount(items * share, 'review')}: ${count} for each.`;
}

function useAssign(project: string, { queue, name }: QueueRow, onDone: () => void) {
  const { call } = useSession();
  const toast = useToast();
  return useAct(async (items: string[], reviewers: readonly string[], each: number) => {
    const { changed } = await call('queue.assign_many', {
      project,
      queue,
      items,
      reviewers: [...reviewers],
      each,
    });
    toast({ tone: 'ok', title: `${name}: ${formatCount(changed, 'item')} assigned` });
    onDone();
  });
}
