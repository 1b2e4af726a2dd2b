// The list of every episode: find one, narrow and order them, see how each is doing, open it.
import { ArrowUp, Layers, Play } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { z } from 'zod';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { Begin } from '../../parts/begin/laterBegin.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { FilterChips } from '../../parts/episode/FilterChips.tsx';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { USUAL_COLUMNS } from './columns.tsx';
import { EpisodeCards } from './EpisodeCards.tsx';
import { EpisodeTable } from './EpisodeTable.tsx';
import { FilterBar, ColumnMenu, ViewMenu, ANY, isAny, KeptFilter, Look } from './FilterBar.tsx';
import { GroupFigures, GroupList, RunSpent } from './GroupList.tsx';
import { ImportButton, ImportJobs } from './ImportJobs.tsx';
import { SearchResults } from './SearchResults.tsx';
import { useEpisodePages, type EpisodePages } from './useEpisodePages.ts';
import { useDropAnywhere, useImports, type Imports } from './useImports.ts';
import * as importStyles from './Imports.module.css';
import * as styles from './EpisodesView.module.css';

type EpisodesViewProps = { isImporting: boolean; group: string | null };

export function EpisodesView({ isImporting, group }: EpisodesViewProps): ReactNode {
  const { kept } = useSession();
  const [filter, setFilter] = useState<EpisodeListFilter>(() => kept.read('episodes', KeptFilter, ANY));
  useEffect(() => void kept.write('episodes', filter), [kept, filter]);
  const [columns, setColumns] = useState(() =>
    kept.read('episodes-columns', z.array(z.string()), [...USUAL_COLUMNS]),
  );
  useEffect(() => void kept.write('episodes-columns', columns), [kept, columns]);
  const profiles = useAsk('settings.read', {}).last?.reward_profiles ?? [];
  const [look, setLook] = useState<Look>(() => kept.read('episodes-look', Look, 'rows'));
  const [openedGroup, setOpenedGroup] = useState<string | null>(null);
  if (group !== openedGroup) {
    setOpenedGroup(group);
    if (group !== null) {
      setFilter({ ...ANY, filter: { group } });
      setLook('rows');
    }
  }
  useEffect(() => {
    if (group !== null) navigate({ view: 'episodes' }, { replace: true });
  }, [group]);
  const pages = useEpisodePages(filter);
  const imports = useImports();
  const isOver = useDropAnywhere(imports, true);
  useImported(imports, pages.refresh);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<VirtualListHandle>(null);
  const show = (next: Look): void => {
    setLook(next);
    if (next === 'rows' || next === 'cards') kept.write('episodes-look', next);
  };
  const searchText = (): void => {
    setLook('text');
    search.current?.focus();
  };
  useKeys({ find: () => search.current?.focus(), 'list.find_text': searchText });
  const isFirstLoad = pages.total === null;
  return (
    <section className={styles.episodes}>
      <h1 className="quiet-label">Episodes</h1>
      <header className={styles.bar}>
        <FilterBar
          look={look}
          onLook={show}
          filter={filter}
          onFilter={setFilter}
          search={search}
          onLeave={() => list.current?.focus()}
        />
        {look !== 'rows' ? null : (
          <>
            <ViewMenu
              filter={filter}
              columns={columns}
              onView={(next) => {
                setFilter(next.filter);
                setColumns([...next.columns]);
              }}
            />
            <ColumnMenu columns={columns} profiles={profiles} onColumns={setColumns} />
            <NewButton pages={pages} list={list} />
            <span className={styles.total} role="status">
              {isFirstLoad ? '' : episodeCountLabel(pages.total ?? 0)}
              {filter.filter?.group === undefined ? null : <GroupFigures group={filter.filter.group} />}
              <RunSpent filter={filter} />
            </span>
          </>
        )}
        <ImportButton
          send={imports.send}
          isAsked={isImporting}
          onOpened={() => navigate({ view: 'episodes' }, { replace: true })}
        />
        <StartButton tone="plain" />
      </header>
      <ImportJobs {...imports} />
      {isOver ? (
        <div className={importStyles.drop}>Drop logs here. The format is detected from the content</div>
      ) : null}
      {look === 'text' ? (
        <SearchResults query={filter.query} list={list} />
      ) : look === 'groups' ? (
        <GroupList query={filter.query} />
      ) : look === 'cards' ? (
        <EpisodeCards filter={filter} />
      ) : (
        <>
          <div className={styles.chips}>
            <FilterChips
              condition={filter.condition}
              filter={filter.filter ?? {}}
              onCondition={(condition) => setFilter({ ...filter, condition })}
              onFilter={(inner) => setFilter({ ...filter, filter: inner })}
            >
              {/* Left out of those without advice, since nobody knows whether they had some. */}
              {pages.helpUnknown === 0 ? null : (
                <li role="status">{`${pages.helpUnknown.toLocaleString()} left out: unknown whether they were helped`}</li>
              )}
            </FilterChips>
          </div>
          <EpisodeRows
            pages={pages}
            filter={filter}
            onFilter={setFilter}
            columns={columns}
            profiles={profiles}
            list={list}
          />
        </>
      )}
    </section>
  );
}

const episodeCountLabel = (total: number): string =>
  total === 1 ? '1 episode' : `${total.toLocaleString()} episodes`;

/** Lists imported episodes as soon as they are in. */
function useImported({ jobs }: Imports, refresh: () => void): void {
  const imported = jobs.reduce(
    (sum, job) => sum + (job.state === 'done' || job.state === 'cancelled' ? job.episodes : 0),
    0,
  );
  useEffect(() => {
    if (imported > 0) refresh();
  }, [imported, refresh]);
}

type ListRef = RefObject<VirtualListHandle | null>;

function NewButton({ pages, list }: { pages: EpisodePages; list: ListRef }): ReactNode {
  if (pages.newCount === 0) return null;
  const show = (): void => {
    pages.refresh();
    list.current?.scrollTo(0, 'start');
  };
  return (
    <Button size="small" icon={<ArrowUp />} onClick={show}>
      {pages.newCount} new
    </Button>
  );
}

type EpisodeRowsProps = {
  pages: EpisodePages;
  filter: EpisodeListFilter;
  onFilter: (filter: EpisodeListFilter) => void;
  columns: readonly string[];
  profiles: readonly ProfileRow[];
  list: ListRef;
};

/** The list, or what stands in its place. */
function EpisodeRows(props: EpisodeRowsProps): ReactNode {
  const { pages, filter, onFilter } = props;
  return (
    <>
      {pages.failure === null ? null : (
        <div className={styles.failure}>
          <ErrorNote title="Could not read the episodes" failure={pages.failure} again={pages.refresh} />
        </div>
      )}
      {pages.total === null && pages.isLoading ? (
        <Skeleton rows={12} height={18} label="Loading the episodes" />
      ) : null}
      {pages.total === 0 && !pages.isLoading ? (
        <NoEpisodes isFiltered={!isAny(filter)} onClear={() => onFilter({ ...ANY, order: filter.order })} />
      ) : null}
      {(pages.total ?? 0) > 0 ? <EpisodeTable {...props} /> : null}
    </>
  );
}

export function StartButton({ tone }: { tone: 'plain' | 'primary' }): ReactNode {
  const { store } = useSession();
  return (
    <Button
      tone={tone}
      icon={<Play />}
      chord="episode.start"
      onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
    >
      Start an episode
    </Button>
  );
}

function NoEpisodes({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }): ReactNode {
  const isConnected = useConsole(({ ui }) => ui.connection.state === 'open');
  if (isFiltered) {
    return (
      <EmptyState title="No episode matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        All words must appear in the scenario, task, model or id, and all filters must match. To search
        messages, choose All text.
      </EmptyState>
    );
  }
  return isConnected ? (
    <Begin level="h2" />
  ) : (
    <EmptyState icon={<Layers />} title="No episodes yet">
      Episodes you start appear here, while they run and afterwards.
    </EmptyState>
  );
}
