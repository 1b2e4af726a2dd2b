// The line over the library: what is looked for and where, and what narrows the list, each part to be taken away.
import { Search, SlidersHorizontal } from 'lucide-react';
import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { FilterDialog } from '../../parts/episode/FilterDialog.tsx';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { Button } from '../../ui/Button.tsx';
import { Input, Select } from '../../ui/Field.tsx';
import { useChordText } from '../../ui/Kbd.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useTypedText } from '../../ui/useTypedText.ts';
import { ANY } from './libraryFilter.ts';
import * as styles from './LibraryView.module.css';

export type SearchMode = 'episodes' | 'groups' | 'text';

type FilterBarProps = {
  mode: SearchMode;
  onMode: (mode: SearchMode) => void;
  filter: EpisodeListFilter;
  onFilter: (filter: EpisodeListFilter) => void;
  search: RefObject<HTMLInputElement | null>;
  onLeave: () => void;
};

const FILTER_TYPING_MS = 150;

export function FilterBar({ mode, onMode, filter, onFilter, search, onLeave }: FilterBarProps): ReactNode {
  const onQuery = useCallback(
    (query: string) => onFilter({ ...filter, query: query.slice(0, 200) }),
    [filter, onFilter],
  );
  const [query, setQuery] = useTypedText(filter.query, onQuery, FILTER_TYPING_MS);
  const [isOpen, setIsOpen] = useState(false);
  const findKey = useChordText('list.find');
  return (
    <>
      <div className={styles.search}>
        <Input
          ref={search}
          type="search"
          aria-label={MODES[mode].find}
          placeholder={`${MODES[mode].hint}${findKey === '' ? '' : `  (${findKey})`}`}
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') onLeave();
          }}
        />
      </div>
      <Segments label="Look in" options={SEARCH_MODES} value={mode} onChoose={onMode} />
      {mode !== 'episodes' ? null : (
        <>
          <StatusSelect filter={filter} onFilter={onFilter} />
          <Button icon={<SlidersHorizontal />} onClick={() => setIsOpen(true)}>
            Filter…
          </Button>
        </>
      )}
      {isOpen ? (
        <FilterDialog
          title="Filter the library"
          description="All conditions must match."
          condition={filter.condition ?? null}
          filter={filter.filter ?? {}}
          onCondition={(condition) => onFilter({ ...filter, condition })}
          onFilter={(next) => onFilter({ ...filter, filter: next })}
          onClear={() => onFilter({ ...ANY, order: filter.order })}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}

const MODES = {
  episodes: { label: 'Episodes', find: 'Find episodes', hint: 'Search episodes' },
  groups: { label: 'By task', find: 'Find groups', hint: 'Search groups' },
  text: { label: 'All text', find: 'Search all text', hint: 'Search all text' },
} as const;
const SEARCH_MODES = (['episodes', 'groups', 'text'] as const).map((value) => ({
  value,
  label: MODES[value].label,
}));

function StatusSelect({ filter, onFilter }: Pick<FilterBarProps, 'filter' | 'onFilter'>): ReactNode {
  return (
    <Select
      className={styles.select}
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
  );
}
