// What a person narrowed the library to, as it is kept, named and told in words. Pure.
import { z } from 'zod';
import { EpisodeFilter, EpisodeOrder } from '../../../shared/contract/library.ts';
import { Status } from '../../../shared/contract/rows.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';

export const KeptFilter = z.strictObject({
  query: z.string(),
  status: Status.nullable(),
  condition: Condition.nullable(),
  filter: EpisodeFilter.optional(),
  order: EpisodeOrder.optional(),
});
export const ANY: EpisodeListFilter = { query: '', status: null, condition: null };

/** A view of the library that a person named: what it is narrowed to, how it is ordered, what it shows. */
export const SavedView = z.strictObject({
  name: z.string(),
  filter: KeptFilter,
  columns: z.array(z.string()),
});
export type SavedView = z.infer<typeof SavedView>;

/** Whether everything is shown, in whatever order. */
export const isAny = ({ query, status, condition, filter = {} }: EpisodeListFilter): boolean =>
  query.trim() === '' && status === null && condition === null && Object.keys(filter).length === 0;
