// Which ended episodes are scored: words, condition and everything else the library can be narrowed by.
import { RefreshCw, Search, SlidersHorizontal } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { FilterChips } from '../../parts/episode/FilterChips.tsx';
import { FilterDialog } from '../../parts/episode/FilterDialog.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Input } from '../../ui/Field.tsx';
import { useTypedText } from '../../ui/useTypedText.ts';
import * as styles from './Lab.module.css';
import { ALL_EPISODES, type LabScope } from './labScope.ts';

const SCOPE_TYPING_MS = 250;

type ScopeProps = {
  scope: LabScope;
  onScope: (scope: LabScope) => void;
  total: number | null;
  onReload: () => void;
};

export function ScopePicker({ scope, onScope, total, onReload }: ScopeProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const onQuery = useCallback(
    (text: string) => onScope({ ...scope, query: text.slice(0, 200) }),
    [scope, onScope],
  );
  const [query, setQuery] = useTypedText(scope.query, onQuery, SCOPE_TYPING_MS);
  const narrowing = {
    condition: scope.condition,
    filter: scope.filter,
    onCondition: (condition: LabScope['condition']) => onScope({ ...scope, condition }),
    onFilter: (filter: LabScope['filter']) => onScope({ ...scope, filter }),
  };
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
      <IconButton label="Reload, with episodes that ended since" icon={<RefreshCw />} onClick={onReload} />
      <span className={styles.quiet} role="status">
        {total === null ? '' : formatCount(total, 'ended episode')}
      </span>
      <FilterChips {...narrowing} />
      {isOpen ? (
        <FilterDialog
          title="Which episodes to score"
          description="All conditions must match. Running episodes are never scored."
          {...narrowing}
          onClear={() => onScope(ALL_EPISODES)}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  );
}
