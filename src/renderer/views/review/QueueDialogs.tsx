// Making a queue, and sharing its items out: which episodes, who reviews them, and what reviewers may see.
import { useState, type ReactNode } from 'react';
import type { ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import type { Status } from '../../../shared/episode/record.ts';
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

const MINUTES = ['10', '30', '60', '240'] as const;
const PER_ITEM = ['1', '2', '3', '5'] as const;

type QueueForm = {
  name: string;
  from: 'filter' | 'same_task' | 'corrections' | 'episodes';
  query: string;
  status: Status | 'any';
  condition: Condition | null;
  /** Everything else the list of episodes narrows by. */
  filter: EpisodeFilter;
  limit: string;
  perItem: (typeof PER_ITEM)[number];
  seats: readonly string[];
  isBlind: boolean;
  hidesOutcome: boolean;
  minutes: (typeof MINUTES)[number];
};

const COUNT_PAUSE_MS = 200;

/** `episodes` were chosen elsewhere; null where they are found here. */
const filterOf = ({ query, status, condition, filter }: QueueForm) => ({
  query,
  status: status === 'any' ? null : status,
  condition,
  filter,
});

/** What the queue is to hold, as the command takes it. */
function sourceOf(form: QueueForm, episodes: readonly string[] | null): Inputs['queue.make']['from'] {
  switch (form.from) {
    case 'corrections':
      return { type: 'corrections' };
    case 'episodes':
      return { type: 'episodes', episodes: [...(episodes ?? [])] };
    default:
      return {
        type: form.from,
        filter: filterOf(form),
        limit: Math.max(1, Math.floor(Number(form.limit)) || 1),
      };
  }
}

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
    query: '',
    status: 'ended',
    condition: null,
    filter: {},
    limit: '100',
    perItem: '2',
    seats: [],
    isBlind: true,
    hidesOutcome: true,
    minutes: '30',
  });
  const filter = filterOf(form);
  const found = useAsk('episodes.page', { ...filter, offset: 0, limit: 1 }, { delayMs: COUNT_PAUSE_MS });
  const {
    run: make,
    isBusy,
    failure,
  } = useAct(async () => {
    const { name, from } = form;
    const made = await call('queue.make', {
      project: project.project,
      name,
      reviewers_per_item: Number(form.perItem),
      seats: [...form.seats],
      is_blind: form.isBlind,
      hides_outcome: form.hidesOutcome,
      lease_minutes: Number(form.minutes),
      from: sourceOf(form, episodes),
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
        <div className="wrap-3">
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
        <SeatChoice
          seats={people.map(({ seat }) => seat)}
          chosen={form.seats}
          onChange={(seats) => change({ seats })}
        >
          {form.seats.length === 0
            ? 'No one assigned: any reviewer takes the next item. Invite reviewers in Setup.'
            : 'Episodes are divided evenly.'}
        </SeatChoice>
        <label className="row-2">
          <input
            type="checkbox"
            checked={form.isBlind}
            onChange={({ target }) => change({ isBlind: target.checked })}
          />
          Blind: reviewers do not see each other’s work
        </label>
        <label className="row-2">
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
            label: `The ${formatCount(chosen, 'episode')} selected in Episodes`,
          },
        ];
  return (
    <>
      <Field label="What is reviewed">
        <Select value={form.from} options={[...handed, ...FROM]} onChoose={(from) => change({ from })} />
      </Field>
      {form.from === 'corrections' ? (
        <p className="quiet small">
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

/** The same words, states and filters as the list of episodes has. */
function EpisodeSearch({ form, change, total }: QueueEpisodesProps): ReactNode {
  const people = usePeople();
  const parts = filterParts(form.filter, people);
  const count = parts.length + (form.condition === null ? 0 : 1);
  return (
    <>
      <div className={styles.row}>
        <Field label="Words in task, scenario, model or id" className="grows">
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
      <details className="soft">
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
      <p className="quiet small" role="status">
        {total === null ? 'Looking' : `${formatCount(total, 'episode')}`}
      </p>
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

/** How much work that makes for each. */
export function workloadText(items: number, reviewers: number, share: number): string {
  if (reviewers === 0) return 'No one assigned: any reviewer takes the next item.';
  const [fewest, rest] = [Math.floor((items * share) / reviewers), (items * share) % reviewers];
  const count = rest === 0 ? String(fewest) : `${String(fewest)} or ${String(fewest + 1)}`;
  return `${formatCount(items * share, 'review')}: ${count} for each.`;
}
