// Owns: the list of every episode: find one, see how it is doing, open it.
import { ArrowUp, LibraryBig, Play, Search } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { Status } from '../../../shared/contract/rows.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { useConsole, useKeys, useSession } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Input, Select } from '../../ui/Field.tsx';
import { useChordWords } from '../../ui/Kbd.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { EpisodeHead, EpisodeLine } from './EpisodeLine.tsx';
import { ImportButton } from './ImportButton.tsx';
import { ImportJobs } from './ImportJobs.tsx';
import importStyles from './Imports.module.css';
import styles from './LibraryView.module.css';
import { CONDITION_LABELS, routeOf, type Filter } from '../../parts/episode/rowWords.ts';
import { useDropAnywhere, useImports } from './useImports.ts';
import { useEpisodePages, type EpisodePages } from './useEpisodePages.ts';

const KeptFilter = z.strictObject({
  query: z.string(),
  status: Status.nullable(),
  condition: Condition.nullable(),
});
const ANY: Filter = { query: '', status: null, condition: null };
const ROW_HEIGHT = 34;

export function LibraryView(): ReactNode {
  const { kept } = useSession();
  const [filter, setFilter] = useState(() => kept.read('library', KeptFilter, ANY));
  useEffect(() => void kept.write('library', filter), [kept, filter]);
  const pages = useEpisodePages(filter);
  const imports = useImports();
  const isOver = useDropAnywhere(imports.send, true);
  const { refresh } = pages;
  const imported = imports.jobs.reduce(
    (sum, job) => sum + (job.state === 'done' || job.state === 'cancelled' ? job.episodes : 0),
    0,
  );
  useEffect(() => {
    if (imported > 0) refresh();
  }, [imported, refresh]);
  const [activeId, setActiveId] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<VirtualListHandle>(null);

  const total = pages.total ?? 0;
  const active = useMemo(() => {
    for (const [index, row] of pages.rows) if (row.id === activeId) return index;
    return -1;
  }, [pages.rows, activeId]);
  const activate = (index: number): void =>
    setActiveId(pages.rowAt(Math.max(0, Math.min(total - 1, index)))?.id ?? activeId);
  const open = (index: number): void => {
    const row = pages.rowAt(index);
    if (row !== undefined) navigate(routeOf(row));
  };
  useKeys('list', {
    'list.down': () => activate(active + 1),
    'list.up': () => activate(active - 1),
    'list.first': () => activate(0),
    'list.last': () => {
      list.current?.scrollTo(total - 1, 'end');
      activate(total - 1);
    },
    'list.open': () => open(active),
    'list.find': () => search.current?.focus(),
  });
  const showNew = (): void => {
    pages.refresh();
    list.current?.scrollTo(0, 'start');
  };
  const isFirstLoad = pages.total === null;
  return (
    <section className={styles['library']}>
      <header className={styles['bar']}>
        <FilterBar
          filter={filter}
          onFilter={setFilter}
          search={search}
          onLeave={() => list.current?.focus()}
        />
        {pages.newCount > 0 ? (
          <Button size="small" icon={<ArrowUp />} onClick={showNew}>
            {pages.newCount} new
          </Button>
        ) : null}
        <span className={styles['total']} role="status">
          {isFirstLoad ? '' : total === 1 ? '1 episode' : `${total.toLocaleString()} episodes`}
        </span>
        <ImportButton send={imports.send} />
        <StartButton tone="plain" />
      </header>
      <ImportJobs {...imports} />
      {isOver ? (
        <div className={importStyles['drop']}>
          Drop logs here: their format is recognised by their content
        </div>
      ) : null}
      {pages.failure === null ? null : (
        <div className={styles['failure']}>
          <ErrorNote
            title="Could not read the episodes"
            failure={pages.failure}
            action={
              <Button size="small" onClick={pages.refresh}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {isFirstLoad && pages.isLoading ? (
        <Skeleton rows={12} height={18} label="Loading the episodes" />
      ) : null}
      {pages.total === 0 && !pages.isLoading ? (
        <NoEpisodes isFiltered={!isAny(filter)} onClear={() => setFilter(ANY)} />
      ) : null}
      {total > 0 ? (
        <>
          <EpisodeHead />
          <EpisodeRows
            pages={pages}
            total={total}
            active={active}
            onActivate={activate}
            onOpen={open}
            list={list}
          />
        </>
      ) : null}
    </section>
  );
}

const isAny = ({ query, status, condition }: Filter): boolean =>
  query.trim() === '' && status === null && condition === null;

type RowsProps = {
  pages: EpisodePages;
  total: number;
  active: number;
  onActivate: (index: number) => void;
  onOpen: (index: number) => void;
  list: React.RefObject<VirtualListHandle | null>;
};

function EpisodeRows({ pages, total, active, onActivate, onOpen, list }: RowsProps): ReactNode {
  const { rowAt } = pages;
  const rowKey = useCallback((index: number) => rowAt(index)?.id ?? index, [rowAt]);
  return (
    <VirtualList
      ref={list}
      label="Episodes"
      count={total}
      rowHeight={ROW_HEIGHT}
      rowKey={rowKey}
      renderRow={(index) => <EpisodeLine row={rowAt(index)} isActive={index === active} />}
      activeIndex={active}
      onActivate={onActivate}
      onOpen={onOpen}
      onRange={pages.show}
    />
  );
}

type FilterBarProps = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  search: React.RefObject<HTMLInputElement | null>;
  onLeave: () => void;
};

function FilterBar({ filter, onFilter, search, onLeave }: FilterBarProps): ReactNode {
  const [query, setQuery] = useState(filter.query);
  const findKey = useChordWords('list.find');
  useEffect(() => {
    if (query === filter.query) return undefined;
    const timer = setTimeout(() => onFilter({ ...filter, query: query.slice(0, 200) }), 150);
    return () => clearTimeout(timer);
  }, [query, filter, onFilter]);
  return (
    <>
      <div className={styles['search']}>
        <Input
          ref={search}
          type="search"
          aria-label="Find episodes"
          placeholder={`Find by scenario, task, model or id${findKey === '' ? '' : `  (${findKey})`}`}
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') onLeave();
          }}
        />
      </div>
      <Select
        className={styles['select']}
        aria-label="Status"
        value={filter.status ?? 'any'}
        options={[
          { value: 'any', label: 'Any status' },
          { value: 'waiting', label: 'Waiting' },
          { value: 'running', label: 'Running' },
          { value: 'starting', label: 'Starting' },
          { value: 'ended', label: 'Ended' },
        ]}
        onChoose={(status) => onFilter({ ...filter, status: status === 'any' ? null : status })}
      />
      <Select
        className={styles['select']}
        aria-label="Condition"
        value={filter.condition ?? 'any'}
        options={[
          { value: 'any', label: 'Any condition' },
          ...Condition.options.map((value) => ({ value, label: CONDITION_LABELS[value] })),
        ]}
        onChoose={(condition) => onFilter({ ...filter, condition: condition === 'any' ? null : condition })}
      />
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
        Every word of the search must be in the scenario, the task, the model or the id.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<LibraryBig />}
      title="No episodes yet"
      action={isConnected ? <StartButton tone="primary" /> : undefined}
    >
      Every episode you start stays here, live while it runs and as a replay afterwards. Logs of other tools
      can be dropped or pasted here. The built-in worlds and the rehearsal agent need no key and no network.
    </EmptyState>
  );
}
