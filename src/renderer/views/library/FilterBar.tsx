// The line over the library: what is looked for and where, and what narrows the list, each part to be taken away.
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { FilterDialog } from '../../parts/episode/FilterDialog.tsx';
import type { EpisodeListFilter } from '../../parts/episode/rowWords.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Input, Select } from '../../ui/Field.tsx';
import { useChordWords } from '../../ui/Kbd.tsx';
import { ANY, partsOf } from './libraryFilter.ts';
import * as styles from './LibraryView.module.css';

export type SearchMode = 'episodes' | 'text';

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
  const [query, setQuery] = useState(filter.query);
  const [isOpen, setIsOpen] = useState(false);
  const findKey = useChordWords('list.find');
  useEffect(() => {
    if (query === filter.query) return undefined;
    const timer = setTimeout(() => onFilter({ ...filter, query: query.slice(0, 200) }), FILTER_TYPING_MS);
    return () => clearTimeout(timer);
  }, [query, filter, onFilter]);
  const hint = mode === 'episodes' ? 'Search episodes' : 'Search all text';
  return (
    <>
      <div className={styles.search}>
        <Input
          ref={search}
          type="search"
          aria-label={mode === 'episodes' ? 'Find episodes' : 'Search all text'}
          placeholder={`${hint}${findKey === '' ? '' : `  (${findKey})`}`}
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') onLeave();
          }}
        />
      </div>
      <ModeSwitch mode={mode} onMode={onMode} />
      {mode === 'text' ? null : (
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

const SEARCH_MODES: readonly { value: SearchMode; label: string }[] = [
  { value: 'episodes', label: 'Episodes' },
  { value: 'text', label: 'All text' },
];

function ModeSwitch({ mode, onMode }: Pick<FilterBarProps, 'mode' | 'onMode'>): ReactNode {
  return (
    <div className={styles.modes} role="group" aria-label="Look in">
      {SEARCH_MODES.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          className={cx(styles.mode, mode === value && styles.isOn)}
          aria-pressed={mode === value}
          onClick={() => onMode(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

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

/** What narrows the list, each with a way out of it. */
export function FilterParts({
  filter,
  onFilter,
  helpUnknown,
}: Pick<FilterBarProps, 'filter' | 'onFilter'> & {
  /** Left out of those without advice, since nobody knows whether they had some. */
  helpUnknown: number;
}): ReactNode {
  const people = usePeople();
  const parts = partsOf(filter, people);
  if (parts.length === 0) return null;
  return (
    <ul className={styles.parts} aria-label="Filters">
      {parts.map(({ key, words, without }) => (
        <li key={key}>
          <button type="button" className={styles.part} onClick={() => onFilter(without)}>
            {words}
            <X aria-label="remove" />
          </button>
        </li>
      ))}
      {helpUnknown === 0 ? null : (
        <li role="status">{`${helpUnknown.toLocaleString()} left out: unknown whether they were helped`}</li>
      )}
    </ul>
  );
}
