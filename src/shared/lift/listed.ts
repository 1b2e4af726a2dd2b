// Continuations stand under the episode they go on from. The list shows them where somebody asks for them: by their run, by
// words, or among what is running.
import type { EpisodeFilter } from '../contract/library.ts';

type ListQuery = { query: string; status: string | null; filter?: EpisodeFilter | undefined };

export const listsContinuations = ({ query, status, filter }: ListQuery): boolean =>
  query.trim() !== '' || filter?.run !== undefined || (status !== null && status !== 'ended');
