import { z } from 'zod';
import { EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';

/** Which ended episodes are scored. */
export const LabScope = z.strictObject({
  query: z.string(),
  condition: Condition.nullable(),
  filter: EpisodeFilter,
});
export type LabScope = z.infer<typeof LabScope>;
export const ALL_EPISODES: LabScope = { query: '', condition: null, filter: {} };

export const isAllEpisodes = (scope: LabScope | null): boolean =>
  scope === null ||
  (scope.query.trim() === '' && scope.condition === null && Object.keys(scope.filter).length === 0);
