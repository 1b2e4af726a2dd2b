// What the listed episodes of a run spent on models, beside their number. It follows them while they run.
import { useMemo, type ReactNode } from 'react';
import { spendingText } from '../../../shared/episode/spending.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { useConsole } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

const NEWS_MS = 500;

/** Nothing where the list is not narrowed to one run, or no model was asked in it. */
export function RunSpent({ filter }: { filter: EpisodeListFilter }): ReactNode {
  const run = filter.filter?.run;
  const rows = useConsole(({ record }) => record.rows);
  const newest = useMemo(
    () => Math.max(0, ...[...rows.values()].map((row) => (row.run === run ? row.seq : 0))),
    [rows, run],
  );
  const input = run === undefined ? null : { ...filter, offset: 0, limit: 1 };
  const { value } = useAsk('episodes.page', input, { delayMs: NEWS_MS, revision: newest });
  const spent = value?.spent;
  return spent === undefined ? null : (
    <span title="What the models of these episodes took">{` · ${spendingText(spent)}`}</span>
  );
}
