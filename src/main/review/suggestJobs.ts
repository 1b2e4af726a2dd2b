// Asking a model about many items of a queue: a few at a time, how far it is, and stopping it.
import type { Suggesting } from '../../shared/contract/annotate.ts';
import { isComplete } from '../../shared/annotate/seating.ts';
import type { QueueRecord } from '../../shared/annotate/record.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import type { Projects } from './projects.ts';
import { findQueue, type Reviewer } from './reviewer.ts';
import type { Suggest } from './suggest.ts';

type QueueAt = { project: string; queue: string };

export type SuggestJobs = {
  /** How many items are asked about. Throws `bad_input` while it runs already or when nothing is left to ask about. */
  start(at: QueueAt, items: readonly string[] | null, reviewer: Reviewer): number;
  stop(at: QueueAt): void;
  /** Null where none ran since the start. */
  state(queue: string): Suggesting | null;
  close(): void;
};

type SuggestJob = { progress: Suggesting; abort: AbortController; inRow: number };

/** At once: a local model has one lane, a remote one a limit. */
const LANES = 2;
/** Failures in a row that are the model's, not the item's, after which the rest would fail too. */
const ROW_MAX = 3;
const OF_THE_ITEM: ReadonlySet<string> = new Set([
  'model_empty',
  'model_truncated',
  'bad_input',
  'not_found',
]);

export function createSuggestJobs({
  projects,
  suggest,
}: {
  projects: Projects;
  suggest: Suggest;
}): SuggestJobs {
  const jobs = new Map<string, SuggestJob>();
  return {
    start: (at, items, reviewer) => {
      const { queue } = findQueue(projects, at, reviewer);
      if (!suggest.canSuggest()) {
        throw new Failure('model_not_configured', 'no model is set for the expert', {
          next: 'Set one under Settings, then ask again.',
        });
      }
      if (jobs.get(at.queue)?.progress.state === 'running') {
        throw new Failure('bad_input', 'the model is being asked about this queue already');
      }
      const asked = items ?? unasked(queue);
      if (asked.length === 0) {
        throw new Failure('bad_input', 'every open item has suggestions already', {
          next: 'Choose items to ask about them again.',
        });
      }
      const job: SuggestJob = { progress: newProgress(asked.length), abort: new AbortController(), inRow: 0 };
      jobs.set(at.queue, job);
      void runSuggestions(job, asked, (item) => suggest.suggest({ ...at, item }, reviewer, job.abort.signal));
      return asked.length;
    },
    stop: ({ queue }) => endJob(jobs.get(queue), 'stopped'),
    state: (queue) => jobs.get(queue)?.progress ?? null,
    close: () => {
      for (const job of jobs.values()) endJob(job, 'stopped');
    },
  };
}

const newProgress = (items: number): Suggesting => ({
  state: 'running',
  items,
  done: 0,
  failed: 0,
  suggested: 0,
  failure: null,
});

/** Open items about single episodes that nothing was suggested for. */
const unasked = (queue: QueueRecord): string[] =>
  queue.items
    .filter(
      (item) => item.subject.type === 'episode' && item.prelabels.length === 0 && !isComplete(queue, item),
    )
    .map(({ item }) => item);

function endJob(job: SuggestJob | undefined, state: 'stopped' | 'failed' | 'done'): void {
  if (job?.progress.state !== 'running') return;
  job.progress = { ...job.progress, state };
  job.abort.abort();
}

async function runSuggestions(
  job: SuggestJob,
  items: readonly string[],
  ask: (item: string) => Promise<number>,
): Promise<void> {
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (job.progress.state !== 'running') return;
      await askOne(job, () => ask(item));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  endJob(job, 'done');
}

async function askOne(job: SuggestJob, ask: () => Promise<number>): Promise<void> {
  try {
    const suggested = await ask();
    job.inRow = 0;
    const { done, suggested: before } = job.progress;
    job.progress = { ...job.progress, done: done + 1, suggested: before + suggested };
  } catch (thrown) {
    if (job.abort.signal.aborted) return;
    const failure = failureShape(thrown);
    const { done, failed } = job.progress;
    job.progress = { ...job.progress, done: done + 1, failed: failed + 1, failure };
    job.inRow = OF_THE_ITEM.has(failure.code) ? 0 : job.inRow + 1;
    if (job.inRow >= ROW_MAX) endJob(job, 'failed');
  }
}
