// The rows of the list: moving, choosing and opening by keyboard and mouse.
import { useCallback, useMemo, useState, type ReactNode, type RefObject } from 'react';
import { RUNNING_FIRST } from '../../../shared/contract/library.ts';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Transport } from '../../client/transport.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { useChooseAll } from '../../parts/list/useChooseAll.tsx';
import { useVirtualListKeys } from '../../parts/list/useListKeys.ts';
import { useSelection } from '../../parts/list/useSelection.ts';
import { useSession } from '../../state/hooks.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { ChosenBar } from './ChosenBar.tsx';
import { shownColumns, useScoreColumns, EpisodeHead, EpisodeLine } from './columns.tsx';
import type { EpisodePages } from './useEpisodePages.ts';
import * as styles from './EpisodesView.module.css';

const EPISODE_ROW_HEIGHT = 34;

type EpisodeTableProps = {
  pages: EpisodePages;
  filter: EpisodeListFilter;
  onFilter: (filter: EpisodeListFilter) => void;
  columns: readonly string[];
  profiles: readonly ProfileRow[];
  list: RefObject<VirtualListHandle | null>;
};

export function EpisodeTable(props: EpisodeTableProps): ReactNode {
  const { pages, filter, onFilter, columns, profiles, list } = props;
  const { rowAt } = pages;
  const total = pages.total ?? 0;
  const [activeId, setActiveId] = useState<string | null>(null);
  const active = useMemo(() => {
    for (const [index, row] of pages.rows) if (row.id === activeId) return index;
    return -1;
  }, [pages.rows, activeId]);
  const chosen = useSelection((index) => rowAt(index)?.id);
  const scores = useScoreColumns(columns, profiles, pages);
  const shown = [...shownColumns(columns), ...scores.columns];
  const rowKey = useCallback((index: number) => rowAt(index)?.id ?? index, [rowAt]);
  const go = (index: number): number => {
    const at = Math.max(0, Math.min(total - 1, index));
    setActiveId(rowAt(at)?.id ?? activeId);
    return at;
  };
  const open = (index: number): void => {
    const row = rowAt(index);
    if (row !== undefined) navigate(episodeRoute(row.id));
  };
  const { onRange } = scores;
  const { show: showPages } = pages;
  const show = useCallback(
    (first: number, last: number) => {
      showPages(first, last);
      onRange(first, last);
    },
    [showPages, onRange],
  );
  const { call } = useSession();
  const { chooseAll, choosing } = useChooseAll({
    read: () => readAllIds(call, filter),
    total,
    setAll: chosen.setAll,
    acts: LIST_ACTS,
    className: styles.chosen,
  });
  const press = useVirtualListKeys({ list, active, total, go, open, chosen, chooseAll });
  return (
    <>
      {choosing ??
        (chosen.ids.size === 0 ? null : (
          <ChosenBar ids={chosen.ids} onClear={chosen.clear} onChanged={pages.refresh} />
        ))}
      <EpisodeHead
        columns={shown}
        order={filter.order ?? RUNNING_FIRST}
        onOrder={(order) => onFilter({ ...filter, order })}
      />
      <VirtualList
        ref={list}
        label="Episodes"
        role="grid"
        count={total}
        rowHeight={EPISODE_ROW_HEIGHT}
        rowKey={rowKey}
        renderRow={(index) => (
          <EpisodeLine
            row={rowAt(index)}
            columns={shown}
            isActive={index === active}
            isChosen={chosen.ids.has(rowAt(index)?.id ?? '')}
            onChoose={() => chosen.toggle(index)}
          />
        )}
        activeIndex={active}
        isChosen={(index) => chosen.ids.has(rowAt(index)?.id ?? '')}
        onActivate={press}
        onOpen={open}
        onRange={show}
      />
    </>
  );
}

const LIST_ACTS = ['list.tag', 'list.review', 'list.export', 'list.compare'] as const;

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
