// Making a queue, and sharing its items out: which episodes, who reviews them, and what reviewers may see.
import { useState, type ReactNode } from 'react';
import type { ProjectRow, QueueFilter, QueueRow } from '../../../shared/contract/review.ts';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { FilterChoice, FilterFields } from '../../parts/episode/FilterDialog.tsx';
import { filterParts } from '../../parts/episode/filterParts.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './Review.module.css';

/** An item that somebody opened and left goes to another reviewer after that. */
const LEASE_MINUTES = 30;
const PER_ITEM = ['1', '2', '3', '5'] as const;
const COUNT_PAUSE_MS = 200;

type QueueForm = {
  name: string;
  from: 'filter' | 'same_task' | 'corrections' | 'episodes';
  find: QueueFilter & { filter: EpisodeFilter };
  limit: string;
  perItem: (typeof PER_ITEM)[number];
  seats: readonly string[];
  isBlind: boolean;
  hidesOutcome: boolean;
};

type QueueDialogProps = {
  project: ProjectRow;
  /** Chosen in Episodes; null where they are found here. */
  episodes: readonly string[] | null;
  onClose: () => void;
  onMade: () => void;
};

export function QueueDialog({ project, episodes, onClose, onMade }: QueueDialogProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const people = usePeople();
  const [form, setForm] = useState<QueueForm>({
    name: `Round ${String(project.queues.length + 1)}`,
    from: episodes === null ? 'filter' : 'episodes',
    find: { query: '', status: 'ended', condition: null, filter: {} },
    limit: '100',
    perItem: '2',
    seats: [],
    isBlind: true,
    hidesOutcome: true,
  });
  const page = { ...form.find, offset: 0, limit: 1 };
  const found = useAsk('episodes.page', page, { delayMs: COUNT_PAUSE_MS });
  const {
    run: make,
    isBusy,
    failure,
  } = useAct(async () => {
    const { name, from, find: filter } = form;
    const limit = Math.max(1, Math.floor(Number(form.limit)) || 1);
    const made = await call('queue.make', {
      project: project.project,
      name,
      reviewers_per_item: Number(form.perItem),
      seats: [...form.seats],
      is_blind: form.isBlind,
      hides_outcome: form.hidesOutcome,
      lease_minutes: LEASE_MINUTES,
      from:
        from === 'corrections'
          ? { type: from }
          : from === 'episodes'
            ? { type: from, episodes: [...(episodes ?? [])] }
            : { type: from, filter, limit },
    });
    const isSingle = from === 'filter' || from === 'episodes';
    toast({ tone: 'ok', title: `${name}: ${formatCount(made.items, isSingle ? 'episode' : 'pair')}` });
    onMade();
    onClose();
  });
  const change = (by: Partial<QueueForm>): void => setForm((before) => ({ ...before, ...by }));
  /** How many episodes fit; null while that is not known. */
  const total = form.from === 'episodes' ? (episodes?.length ?? 0) : (found.value?.total ?? null);
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
            onClick={() => void make()}
          >
            Create queue
          </Button>
        </>
      }
    >
      <div className="stack-3">
        <Field label="Queue name">
          <Input
            data-first
            value={form.name}
            maxLength={120}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <QueueEpisodes form={form} change={change} total={total} chosen={episodes?.length ?? null} />
        <Field label="Reviews per item">
          <Select
            value={form.perItem}
            options={PER_ITEM.map((value) => ({ value, label: value }))}
            onChoose={(perItem) => change({ perItem })}
          />
        </Field>
        <SeatChoice
          seats={people.map(({ seat }) => seat)}
          chosen={form.seats}
          onChange={(seats) => change({ seats })}
        >
          {form.seats.length === 0
            ? 'No one assigned: any reviewer takes the next item. Invite reviewers in Setup.'
            : 'Episodes are divided evenly.'}
        </SeatChoice>
        {(['isBlind', 'hidesOutcome'] as const).map((rule) => (
          <label key={rule} className="row-2">
            <input
              type="checkbox"
              checked={form[rule]}
              onChange={({ target }) => change({ [rule]: target.checked })}
            />
            {rule === 'isBlind'
              ? 'Blind: reviewers do not see each other’s work'
              : 'Hide reward and verdict until a review is done'}
          </label>
        ))}
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

function QueueEpisodes({ form, change, total, chosen }: QueueEpisodesProps): ReactNode {
  const people = usePeople();
  const { query, condition, filter } = form.find;
  const find = (by: Partial<QueueForm['find']>): void => change({ find: { ...form.find, ...by } });
  const narrowed = [
    ...(condition === null ? [] : [ROW_CONDITION_LABELS[condition]]),
    ...filterParts(filter, people).map(({ label }) => label),
  ];
  const handed = {
    value: 'episodes' as const,
    label: `The ${formatCount(chosen ?? 0, 'episode')} selected in Episodes`,
  };
  return (
    <>
      <Field label="What is reviewed">
        <Select
          value={form.from}
          options={chosen === null ? FROM : [handed, ...FROM]}
          onChoose={(from) => change({ from })}
        />
      </Field>
      {form.from === 'corrections' ? (
        <p className="quiet small">
          Each move that a reviewer of this project called right, next to the agent’s own move.
        </p>
      ) : null}
      {form.from === 'filter' || form.from === 'same_task' ? (
        <>
          <div className={styles.row}>
            <Field label="Words in task, scenario, model or id" className="grows">
              <Input value={query} maxLength={200} onChange={({ target }) => find({ query: target.value })} />
            </Field>
            <Field label="At most" className={styles.short}>
              <Input
                inputMode="numeric"
                value={form.limit}
                onChange={({ target }) => change({ limit: target.value })}
              />
            </Field>
          </div>
          <details>
            <summary>{narrowed.length === 0 ? 'More filters' : `Filters: ${narrowed.join(', ')}`}</summary>
            <div className={styles.filters}>
              <FilterChoice
                label="Condition"
                value={condition ?? undefined}
                options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
                onChoose={(value) => find({ condition: value ?? null })}
              />
              <FilterFields filter={filter} onFilter={(next) => find({ filter: next })} />
            </div>
          </details>
          <p className="quiet small" role="status">
            {total === null ? (
              'Looking'
            ) : (
              <>
                <span>{formatCount(total, 'episode')}</span> that ended
              </>
            )}
          </p>
        </>
      ) : null}
    </>
  );
}

type SeatChoiceProps = {
  seats: readonly string[];
  chosen: readonly string[];
  onChange: (seats: readonly string[]) => void;
  hasFocus?: boolean;
  /** What the choice comes to. */
  children?: ReactNode;
};

/** Nobody named: whoever may review takes what comes. */
function SeatChoice({ seats, chosen, onChange, hasFocus = false, children }: SeatChoiceProps): ReactNode {
  const people = usePeople();
  return (
    <fieldset className={styles.seats}>
      <legend>Reviewers</legend>
      {seats.map((seat, index) => (
        <label key={seat} className="row-2" title={seat}>
          <input
            type="checkbox"
            {...(hasFocus && index === 0 ? { 'data-first': true } : {})}
            checked={chosen.includes(seat)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, seat] : chosen.filter((one) => one !== seat))
            }
          />
          {personName(people, seat)}
        </label>
      ))}
      {children === undefined ? null : <p className="quiet small">{children}</p>}
    </fieldset>
  );
}

type AssignDialogProps = {
  project: string;
  queue: QueueRow;
  items: ReadonlySet<string>;
  onClose: () => void;
  onAssigned: () => void;
};

/** Gives the chosen items to reviewers: who, and how many of them each item gets. */
export function AssignDialog({ project, queue, items, onClose, onAssigned }: AssignDialogProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
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
  } = useAct(async () => {
    const { changed } = await call('queue.assign_many', {
      project,
      queue: queue.queue,
      items: [...items],
      reviewers: [...chosen],
      each: Math.max(1, share),
    });
    toast({ tone: 'ok', title: `${queue.name}: ${formatCount(changed, 'item')} assigned` });
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
          <Button tone="primary" isBusy={isBusy} onClick={() => void assign()}>
            {chosen.length === 0 ? 'Open to everyone' : 'Assign'}
          </Button>
        </>
      }
    >
      <div className="stack-3">
        <SeatChoice seats={[...known]} chosen={chosen} onChange={setChosen} hasFocus />
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
        <p className="quiet small" role="status">
          {workloadText(items.size, chosen.length, share)}
        </p>
      </div>
    </Dialog>
  );
}

/** Says how much work that makes for each. */
export function workloadText(items: number, reviewers: number, share: number): string {
  if (reviewers === 0) return 'No one assigned: any reviewer takes the next item.';
  const [fewest, rest] = [Math.floor((items * share) / reviewers), (items * share) % reviewers];
  const count = rest === 0 ? String(fewest) : `${String(fewest)} or ${String(fewest + 1)}`;
  return `${formatCount(items * share, 'review')}: ${count} for each.`;
}
