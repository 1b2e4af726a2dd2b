// A queue as it is being put together: what was chosen, how many episodes fit, and making it.
import { useState } from 'react';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import type { EpisodeFilter } from '../../../shared/contract/library.ts';
import type { Status } from '../../../shared/episode/record.ts';
import type { Condition } from '../../../shared/events/lifecycle.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';

export const MINUTES = ['10', '30', '60', '240'] as const;
export const PER_ITEM = ['1', '2', '3', '5'] as const;

export type QueueForm = {
  name: string;
  from: 'filter' | 'same_task' | 'corrections' | 'episodes';
  query: string;
  status: Status | 'any';
  condition: Condition | null;
  /** Everything else the library narrows by. */
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
export function useQueueForm(project: ProjectRow, episodes: readonly string[] | null, onMade: () => void) {
  const { call } = useSession();
  const toast = useToast();
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
  const { run, isBusy, failure } = useAct(async () => {
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
  });
  return {
    form,
    change: (by: Partial<QueueForm>) => setForm((before) => ({ ...before, ...by })),
    /** How many episodes fit; null while that is not known. */
    total: form.from === 'episodes' ? (episodes?.length ?? 0) : (found.value?.total ?? null),
    failure,
    isBusy,
    submit: () => void run(),
  };
}

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
