import type { EpisodeRecord } from './record.ts';

/** A task by its scenario and its number, as far as the environment has them. */
export type TaskAddress = { scenario: string | null; task_idx: number | null };

/** Which task an episode plays: as its environment said at the reset, else as it was asked for. */
export const taskRef = ({ reset, started }: Pick<EpisodeRecord, 'reset' | 'started'>): TaskAddress => ({
  scenario: reset?.scenario ?? started?.scenario ?? null,
  task_idx: reset?.task_idx ?? started?.task_idx ?? null,
});

/** A task as messages name it: `loomline_workflows #3`. */
export const taskLabel = ({ scenario, task_idx }: TaskAddress): string =>
  `${scenario ?? 'no scenario'}${task_idx === null ? '' : ` #${String(task_idx)}`}`;
