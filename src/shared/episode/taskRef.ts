import type { EpisodeRecord } from './record.ts';

/** Which task an episode plays: as its environment said at the reset, else as it was asked for. */
export const taskRef = ({
  reset,
  started,
}: Pick<EpisodeRecord, 'reset' | 'started'>): { scenario: string | null; task_idx: number | null } => ({
  scenario: reset?.scenario ?? started?.scenario ?? null,
  task_idx: reset?.task_idx ?? started?.task_idx ?? null,
});
