// The list by task: rollouts of one prompt as one line with what they came to. Opening it lists them.
import { useMemo, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { GroupRow } from '../../../shared/contract/gateway.ts';
import { spendingText } from '../../../shared/episode/spending.ts';
import type { EpisodeListFilter } from '../../parts/episode/episodeRowText.ts';
import { isOwnGroup } from '../../parts/episode/filterParts.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { useAsk, usePages } from '../../state/queries.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './EpisodesView.module.css';

const GROUPS_PER_PAGE = 100;
const NEWS_MS = 500;
const NO_SCENARIO = 'unknown scenario';

const nameOf = (row: GroupRow): string =>
  `${taskPlace(row, NO_SCENARIO)}${isOwnGroup(row.group) ? '' : ` · ${row.group}`}`;

export function GroupList({ query }: { query: string }): ReactNode {
  const { call } = useSession();
  const { pages, failure, isLoading, again, more } = usePages<Outputs['groups.page']>(
    ['groups.page', query, useGroupNews()],
    (read) =>
      call('groups.page', {
        query: query.slice(0, 200),
        offset: read.flatMap(({ groups }) => groups).length,
        limit: GROUPS_PER_PAGE,
      }),
    (read) => read.flatMap(({ groups }) => groups).length < (read.at(-1)?.total ?? 0),
  );
  const groups = pages.flatMap((page) => page.groups);
  const left = (pages.at(-1)?.total ?? 0) - groups.length;
  if (failure !== null && pages.length === 0)
    return <ErrorNote title="Could not read the groups" failure={failure} again={again} />;
  if (pages.length === 0) return <Skeleton rows={12} height={18} label="Loading the groups" />;
  if (groups.length === 0)
    return query.trim() === '' ? (
      <EmptyState
        title="No groups yet"
        action={
          <a href={formatRoute({ view: 'setup', part: 'connect', section: 'connect' })}>Connect a trainer</a>
        }
      >
        Rollouts of one prompt stand together here: of a trainer that names its group (with{' '}
        <code>interject.py</code>), or of a task started with several repeats.
      </EmptyState>
    ) : (
      <EmptyState title="No group matches">
        All words must appear in the scenario, task, run or id.
      </EmptyState>
    );
  return (
    <ul className={styles.groups} aria-label="Groups of rollouts">
      {groups.map((row) => (
        <li key={row.group} className={styles.group}>
          <a href={formatRoute({ view: 'episodes', group: row.group })}>
            <TaskWords text={taskWords(row, NO_SCENARIO)} />
          </a>
          <TaskPlace place={nameOf(row)} episode={null} />
          <span>{`${formatCount(row.size, 'rollout')} · ${groupFigures(row)}`}</span>
          <RelativeTime at={row.started_at} />
        </li>
      ))}
      {left > 0 ? (
        <li className={styles.group}>
          <Button tone="quiet" isBusy={isLoading} onClick={more}>
            {`${left.toLocaleString()} more`}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}

const rewardText = (value: number): string => String(Number(value.toFixed(3)));

/** `2 running · 3 complete · mean reward 0.375, from 0 to 1`. */
export function groupFigures({
  size,
  ended,
  completed,
  reward_mean: mean,
  reward_min: min,
  reward_max: max,
}: GroupRow): string {
  const spread =
    mean === null || min === null || max === null
      ? 'no reward yet'
      : min === max
        ? `reward ${rewardText(mean)}${size > 1 && ended === size ? ' of all, so a trainer that compares them learns nothing' : ''}`
        : `mean reward ${rewardText(mean)}, from ${rewardText(min)} to ${rewardText(max)}`;
  return [
    ...(ended < size ? [`${String(size - ended)} running`] : []),
    `${String(completed)} complete`,
    spread,
  ].join(' · ');
}

/** The figures of the group that the list is narrowed to, beside the number of its episodes. */
export function GroupFigures({ group }: { group: string }): ReactNode {
  const input = { query: group.slice(0, 200), offset: 0, limit: GROUPS_PER_PAGE };
  const { value } = useAsk('groups.page', input, { delayMs: NEWS_MS, revision: useGroupNews() });
  const row = value?.groups.find((one) => one.group === group);
  return row === undefined ? null : ` · ${groupFigures(row)}`;
}

/** Changes while episodes that belong to groups do. */
function useGroupNews(): number {
  const rows = useConsole(({ record }) => record.rows);
  return useMemo(
    () => Math.max(0, ...[...rows.values()].map(({ group, seq }) => (group === null ? 0 : seq))),
    [rows],
  );
}

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
