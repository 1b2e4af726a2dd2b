// One group opened: what it comes to, and a column for each of its rollouts.
import { useMemo, type ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { ROW_CONDITION_LABELS, routeOf, rowOutcome, rowStatus } from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { StripChart } from '../../parts/episode/StripChart.tsx';
import { useConsole } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { OpenPane, Pane, UnreadPane } from '../../ui/ListPage.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import {
  againstMean,
  rewardBar,
  groupName,
  mergedRows,
  rewardText,
  groupSummary,
  groupWords,
  type GroupSummary,
} from './groupModel.ts';
import * as styles from './Groups.module.css';

export function Rollouts({ group }: { group: string }): ReactNode {
  const known = useConsole(({ record }) => record.rows);
  const { value, failure, again } = useAsk('group.read', { group });
  const rows = useMemo(() => mergedRows(group, value?.rows ?? [], known), [group, value, known]);
  const summary = useMemo(() => groupSummary(rows), [rows]);
  if (failure !== null || value === null)
    return (
      <UnreadPane
        failure={failure}
        again={again}
        problem="Could not read the group"
        loading="Loading the rollouts"
      />
    );
  const [first] = rows;
  if (first === undefined) {
    return (
      <Pane>
        <NotFound
          what="group"
          name={group}
          href={formatRoute({ view: 'groups', group: null })}
          label="Show the newest group"
        />
      </Pane>
    );
  }
  return (
    <OpenPane
      label="Rollouts"
      title={<TaskWords text={groupWords(first)} lines={2} />}
      head={
        <>
          <TaskPlace place={groupName({ ...first, group })} episode={null} />
          <Numbers summary={summary} />
        </>
      }
    >
      <ul className={styles.rollouts} aria-label="Rollouts of this prompt">
        {rows.map((row, index) => (
          <Rollout key={row.id} row={row} place={index + 1} summary={summary} />
        ))}
      </ul>
    </OpenPane>
  );
}

function Numbers({ summary }: { summary: GroupSummary }): ReactNode {
  const { size, ended, completed, touched, rewarded, mean, min, max, isFlat } = summary;
  return (
    <>
      <dl className={styles.facts}>
        <RolloutFact name="Rollouts" value={String(size)} />
        <RolloutFact name="Ended" value={`${String(ended)} of ${String(size)}`} />
        <RolloutFact name="Complete" value={`${String(completed)} of ${String(size)}`} />
        <RolloutFact
          name={rewarded === size || rewarded === 0 ? 'Mean reward' : `Mean reward, over ${String(rewarded)}`}
          value={rewardText(mean)}
        />
        <RolloutFact name="Lowest to highest" value={`${rewardText(min)} to ${rewardText(max)}`} />
        {touched === 0 ? null : <RolloutFact name="With changed turns" value={String(touched)} />}
      </dl>
      {isFlat ? (
        <p className={styles.quiet}>
          All rollouts got the same reward, so a trainer that compares them learns nothing from this group.
        </p>
      ) : null}
    </>
  );
}

const RolloutFact = ({ name, value }: { name: string; value: string }): ReactNode => (
  <div className={styles.fact}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Rollout({
  row,
  place,
  summary,
}: {
  row: EpisodeRow;
  place: number;
  summary: GroupSummary;
}): ReactNode {
  const status = rowStatus(row);
  const outcome = rowOutcome(row);
  const bar = rewardBar(row.reward, summary);
  return (
    <li className={styles.rollout}>
      <div className={styles.rolloutHead}>
        <a href={formatRoute(routeOf(row))} className={styles.name}>
          Rollout {place}
        </a>
        <StatusDot tone={status.tone} label={status.label} />
      </div>
      <StripChart strip={row.strip} />
      <div className={styles.reward}>
        <span className={styles.bar} aria-hidden="true">
          {bar === null ? null : <span className={styles.fill} style={{ width: `${String(bar)}%` }} />}
        </span>
        {outcome === null ? (
          <span className={styles.quiet}>no reward yet</span>
        ) : (
          <OutcomeOrHidden outcome={outcome} />
        )}
        <span className={styles.quiet} title="Compared with the group mean">
          {againstMean(row.reward, summary.mean)}
        </span>
      </div>
      <p className={styles.quiet}>
        {row.condition === null ? '' : `${ROW_CONDITION_LABELS[row.condition]}, `}
        {row.turns} {row.turns === 1 ? 'turn' : 'turns'}, {row.consultations}{' '}
        {row.consultations === 1 ? 'ask' : 'asks'}
      </p>
      <div className={styles.marks}>
        {row.source === 'tap' ? <Badge tone="environment">tapped</Badge> : null}
        {row.touched === 0 ? null : (
          <Badge tone="human">
            touched, {row.touched} {row.touched === 1 ? 'turn' : 'turns'}
          </Badge>
        )}
        {row.waiting === 0 ? null : <Badge tone="waiting">waiting for you</Badge>}
      </div>
    </li>
  );
}
