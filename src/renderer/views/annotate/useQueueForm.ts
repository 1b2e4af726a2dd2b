// Owns: a queue as it is being put together: what was chosen, how many episodes fit, and making it.
import { useState } from 'react';
import type { ProjectRow } from '../../../shared/contract/annotate.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';

export const MINUTES = ['10', '30', '60', '240'] as const;
export const PER_ITEM = ['1', '2', '3', '5'] as const;

export type QueueForm = {
  name: string;
  from: 'filter' | 'same_task' | 'corrections';
  query: string;
  status: 'ended' | 'any';
  limit: string;
  perItem: (typeof PER_ITEM)[number];
  seats: readonly string[];
  isBlind: boolean;
  hidesOutcome: boolean;
  minutes: (typeof MINUTES)[number];
};

const PAUSE_MS = 200;

export function useQueueForm(project: ProjectRow, onMade: () => void) {
  const { call } = useSession();
  const toast = useToast();
  const [form, setForm] = useState<QueueForm>({
    name: `Round ${String(project.queues.length + 1)}`,
    from: 'filter',
    query: '',
    status: 'ended',
    limit: '100',
    perItem: '2',
    seats: [],
    isBlind: true,
    hidesOutcome: true,
    minutes: '30',
  });
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { query, status } = form;
  const filter = { query, status: status === 'any' ? null : status, condition: null } as const;
  const found = useAnswer(
    `queue ${JSON.stringify(filter)}`,
    () => call('episodes.page', { ...filter, offset: 0, limit: 1 }),
    PAUSE_MS,
  );
  const make = async (): Promise<void> => {
    const { name, from, limit } = form;
    const made = await call('queue.make', {
      project: project.project,
      name,
      reviewers_per_item: Number(form.perItem),
      seats: [...form.seats],
      is_blind: form.isBlind,
      hides_outcome: form.hidesOutcome,
      lease_minutes: Number(form.minutes),
      from:
        from === 'corrections'
          ? { type: from }
          : { type: from, filter, limit: Math.max(1, Math.floor(Number(limit)) || 1) },
    });
    toast({
      tone: 'ok',
      title: `${name}: ${formatCount(made.items, from === 'filter' ? 'episode' : 'pair')}`,
    });
    onMade();
  };
  return {
    form,
    change: (by: Partial<QueueForm>) => setForm((before) => ({ ...before, ...by })),
    /** How many episodes fit; null while that is not known. */
    total: found.value?.total ?? null,
    failure,
    isBusy,
    submit: (): void => {
      setIsBusy(true);
      setFailure(null);
      make()
        .catch((thrown: unknown) => setFailure(failureShape(thrown)))
        .finally(() => setIsBusy(false));
    },
  };
}
