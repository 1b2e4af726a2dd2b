// Rollouts of one prompt side by side: the groups there are, and one of them opened.
import { Rows3, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { GroupRow } from '../../../shared/contract/gateway.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useConsole, useKeys } from '../../state/hooks.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Input } from '../../ui/Field.tsx';
import { ListLine, ListPage } from '../../ui/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { groupName, groupWords, rewardText } from './groupModel.ts';
import * as styles from './Groups.module.css';
import { Rollouts } from './Rollouts.tsx';

const GROUPS_PER_PAGE = 100;

export function GroupsView({ group }: { group: string | null }): ReactNode {
  const [query, setQuery] = useState('');
  const [limit, setLimit] = useState(GROUPS_PER_PAGE);
  const news = useGroupNews();
  const { value, failure, again } = useAsk(
    'groups.page',
    { query: query.slice(0, 200), offset: 0, limit },
    { delayMs: 150, revision: news },
  );
  const groups = value?.groups ?? [];
  const chosen = group ?? groups[0]?.group ?? null;
  const search = useRef<HTMLInputElement>(null);
  const go = (step: number): void => {
    const next = groups[groups.findIndex((one) => one.group === chosen) + step];
    if (next !== undefined) navigate({ view: 'groups', group: next.group });
  };
  useKeys('list', {
    'list.down': () => go(1),
    'list.up': () => go(-1),
    'list.find': () => search.current?.focus(),
  });
  const isEmpty = value !== null && value.total === 0 && query === '' && group === null;
  if (isEmpty)
    return (
      <>
        <h1 className="quiet-label">Groups</h1>
        <NoGroups />
      </>
    );
  return (
    <ListPage
      label="Groups"
      heading={group === null ? 'Groups' : null}
      head={
        <div className={styles.search}>
          <Input
            ref={search}
            type="search"
            aria-label="Find groups"
            placeholder="Scenario, task, run or id"
            icon={<Search />}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Escape') currentTarget.blur();
            }}
          />
        </div>
      }
      failure={failure}
      again={again}
      problem="Could not read the groups"
      loading="Loading the groups"
      list={
        value === null ? null : (
          <>
            <ul>
              {groups.map((one) => (
                <GroupListLine key={one.group} row={one} isHere={one.group === chosen} />
              ))}
            </ul>
            {value.total === 0 ? <p className={styles.none}>No group matches.</p> : null}
            {value.total > groups.length ? (
              <Button
                tone="quiet"
                onClick={() => setLimit(Math.min(500, limit + GROUPS_PER_PAGE))}
                isDisabled={limit >= 500}
              >
                {limit >= 500
                  ? 'Narrow the search to see more'
                  : `Show more of ${value.total.toLocaleString()}`}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {chosen === null ? null : <Rollouts key={chosen} group={chosen} />}
    </ListPage>
  );
}

function GroupListLine({ row, isHere }: { row: GroupRow; isHere: boolean }): ReactNode {
  return (
    <ListLine
      href={formatRoute({ view: 'groups', group: row.group })}
      isHere={isHere}
      name={<TaskWords text={groupWords(row)} />}
    >
      <TaskPlace place={groupName(row)} episode={null} />
      <span>
        {row.completed} of {row.size} complete, mean {rewardText(row.reward_mean)}
        {row.ended < row.size ? `, ${String(row.size - row.ended)} running` : ''}
      </span>
      <span>
        <RelativeTime at={row.started_at} />
      </span>
    </ListLine>
  );
}

/** Counts up, at most once a second, while episodes that belong to groups change. */
function useGroupNews(): number {
  const rows = useConsole(({ record }) => record.rows);
  const newest = useMemo(
    () => Math.max(0, ...[...rows.values()].map(({ group, seq }) => (group === null ? 0 : seq))),
    [rows],
  );
  const [heard, setHeard] = useState(newest);
  useEffect(() => {
    if (heard === newest) return undefined;
    const timer = setTimeout(() => setHeard(newest), 1000);
    return () => clearTimeout(timer);
  }, [heard, newest]);
  return heard;
}

const NoGroups = (): ReactNode => (
  <EmptyState
    icon={<Rows3 />}
    title="No groups yet"
    action={<a href={formatRoute({ view: 'connect' })}>Connect a trainer</a>}
  >
    Rollouts of one prompt stand side by side here: of a trainer that names its group (with{' '}
    <code>interject.py</code>), or of a task started with several repeats.
  </EmptyState>
);
