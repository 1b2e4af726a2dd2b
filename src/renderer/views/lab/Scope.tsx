// Which ended episodes are scored: words, condition and everything else the library can be narrowed by.
import { RefreshCw, Search, SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { EpisodeFilter } from '../../../shared/contract/library.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { FilterDialog } from '../../parts/episode/FilterDialog.tsx';
import { changedFilter, filterParts } from '../../parts/episode/filterParts.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/rowWords.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Input } from '../../ui/Field.tsx';
import * as styles from './Lab.module.css';

export const ScopeValue = z.strictObject({
  query: z.string(),
  condition: Condition.nullable(),
  filter: EpisodeFilter,
});
export type ScopeValue = z.infer<typeof ScopeValue>;
export const ALL_EPISODES: ScopeValue = { query: '', condition: null, filter: {} };

export const isEverything = ({ query, condition, filter }: ScopeValue): boolean =>
  query.trim() === '' && condition === null && Object.keys(filter).length === 0;

const SCOPE_TYPING_MS = 250;

type ScopeProps = {
  scope: ScopeValue;
  onScope: (scope: ScopeValue) => void;
  total: number | null;
  onAgain: () => void;
};

export function ScopePicker({ scope, onScope, total, onAgain }: ScopeProps): ReactNode {
  const [query, setQuery] = useState(scope.query);
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState(scope.query);
  if (shown !== scope.query) {
    setShown(scope.query);
    setQuery(scope.query);
  }
  useEffect(() => {
    if (query === scope.query) return undefined;
    const timer = setTimeout(() => onScope({ ...scope, query: query.slice(0, 200) }), SCOPE_TYPING_MS);
    return () => clearTimeout(timer);
  }, [query, scope, onScope]);
  return (
    <div className={styles.scope}>
      <div className={styles.find}>
        <Input
          type="search"
          aria-label="Find episodes to score"
          placeholder="Scenario, task, model or id"
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      </div>
      <Button icon={<SlidersHorizontal />} onClick={() => setIsOpen(true)}>
        Filter…
      </Button>
      <IconButton label="Reload, with episodes that ended since" icon={<RefreshCw />} onClick={onAgain} />
      <span className={styles.quiet} role="status">
        {total === null ? '' : `${total.toLocaleString()} ended ${total === 1 ? 'episode' : 'episodes'}`}
      </span>
      <ScopeParts scope={scope} onScope={onScope} />
      {isOpen ? (
        <FilterDialog
          title="Which episodes to score"
          description="All conditions must match. Running episodes are never scored."
          condition={scope.condition}
          filter={scope.filter}
          onCondition={(condition) => onScope({ ...scope, condition })}
          onFilter={(filter) => onScope({ ...scope, filter })}
          onClear={() => onScope(ALL_EPISODES)}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  );
}

type Changing = Pick<ScopeProps, 'scope' | 'onScope'>;

function ScopeParts({ scope, onScope }: Changing): ReactNode {
  const { condition, filter } = scope;
  const people = usePeople();
  const parts = [
    ...(condition === null
      ? []
      : [
          {
            key: 'condition',
            words: ROW_CONDITION_LABELS[condition],
            without: { ...scope, condition: null },
          },
        ]),
    ...filterParts(filter, people).map(({ key, words }) => ({
      key,
      words,
      without: { ...scope, filter: changedFilter(filter, { [key]: undefined }) },
    })),
  ];
  if (parts.length === 0) return null;
  return (
    <ul className={styles.parts} aria-label="Filters">
      {parts.map(({ key, words, without }) => (
        <li key={key}>
          <button type="button" className={styles.part} onClick={() => onScope(without)}>
            {words}
            <X aria-label="remove" />
          </button>
        </li>
      ))}
    </ul>
  );
}
