// Reading the ids of all episodes that match, as many as one act may be about.
import type { Transport } from '../../client/transport.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';

/** As many as one act may be about. */
export const CHOSEN_MAX = 10_000;
const IDS_PER_PAGE = 500;

/** The ids of all that match, up to the most that can be chosen. */
export async function readAllIds(call: Transport['call'], filter: EpisodeListFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let total = 1; ids.length < Math.min(total, CHOSEN_MAX);) {
    const page = await call('episodes.page', { ...filter, offset: ids.length, limit: IDS_PER_PAGE });
    if (page.rows.length === 0) break;
    ids.push(...page.rows.map(({ id }) => id));
    total = page.total;
  }
  return ids;
}
