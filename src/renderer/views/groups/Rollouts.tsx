// Owns: one group opened: what it comes to, and a column for each of its rollouts.
import { useMemo, type ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { CONDITION_LABELS, routeOf, statusOf, verdictOf } from '../../parts/episode/rowWords.ts';
import { StripChart } from '../../parts/episode/StripChart.tsx';
import { useConsole, useSession } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import {
  againstMean,
  barOf,
  groupName,
  mergedRows,
  numberText,
  summaryOf,
  type Summary,
} from './groupModel.ts';
import styles from './Groups.module.css';

export function Rollouts({ group }: { group: string }): ReactNode {
  const { call } = useSession();
  const known = useConsole(({ record }) => record.rows);
  const { value, failure, again } = useAnswer(group, () => call('group.read', { group }));
  const rows = useMemo(() => mergedRows(group, value?.rows ?? [], known), [group, value, known]);
  const summary = useMemo(() => summaryOf(rows), [rows]);
  if (failure !== null) {
    return (
      <div className={styles['main']}>
        <ErrorNote
          title="Could not read the group"
          failure={failure}
          action={
            <Button size="small" onClick={again}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (value === null) {
    return (
      <div className={styles['main']}>
        <Skeleton rows={6} height={60} label="Loading the rollouts" />
      </div>
    );
  }
  const [first] = rows;
  if (first === undefined) {
    return (
      <div className={styles['main']}>
        <EmptyState title="There is no such group">Its episodes are not in this data folder.</EmptyState>
      </div>
    );
  }
  return (
    <section className={styles['main']} aria-label="Rollouts">
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{groupName({ ...first, group })}</h1>
        <p className={styles['task']}>{first.task ?? 'No task text yet'}</p>
        <Numbers summary={summary} />
      </header>
      <ul className={styles['rollouts']} aria-label="Rollouts of this prompt">
        {rows.map((row, index) => (
          <Rollout key={row.id} row={row} place={index + 1} summary={summary} />
        ))}
      </ul>
    </section>
  );
}

function Numbers({ summary }: { summary: Summary }): ReactNode {
  const { size, ended, completed, touched, rewarded, mean, min, max, isFlat } = summary;
  return (
    <>
      <dl className={styles['facts']}>
        <Fact name="Rollouts" value={String(size)} />
        <Fact name="Ended" value={`${String(ended)} of ${String(size)}`} />
        <Fact name="Complete" value={`${String(completed)} of ${String(size)}`} />
        <Fact
          name={rewarded === size || rewarded === 0 ? 'Mean reward' : `Mean reward, over ${String(rewarded)}`}
          value={numberText(mean)}
        />
        <Fact name="Lowest to highest" value={`${numberText(min)} to ${numberText(max)}`} />
        {touched === 0 ? null : <Fact name="Changed by people" value={String(touched)} />}
      </dl>
      {isFlat ? (
        <p className={styles['quiet']}>
          Every rollout got the same reward: a trainer that compares them learns nothing from this group.
        </p>
      ) : null}
    </>
  );
}

const Fact = ({ name, value }: { name: string; value: string }): ReactNode => (
  <div className={styles['fact']}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Rollout({ row, place, summary }: { row: EpisodeRow; place: number; summary: Summary }): ReactNode {
  const status = statusOf(row);
  const verdict = verdictOf(row);
  const bar = barOf(row.reward, summary);
  return (
    <li className={styles['rollout']}>
      <div className={styles['rolloutHead']}>
        <a href={formatRoute(routeOf(row))} className={styles['name']}>
          Rollout {place}
        </a>
        <StatusDot tone={status.tone} label={status.label} />
      </div>
      <StripChart strip={row.strip} />
      <div className={styles['reward']}>
        <span className={styles['bar']} aria-hidden="true">
          {bar === null ? null : <span className={styles['fill']} style={{ width: `${String(bar)}%` }} />}
        </span>
        {verdict === null ? (
          <span className={styles['quiet']}>{row.status === 'ended' ? 'no reward' : 'no reward yet'}</span>
        ) : (
          <Badge tone={verdict.tone}>{verdict.text}</Badge>
        )}
        <span className={styles['quiet']} title="Against the mean of the group">
          {againstMean(row.reward, summary.mean)}
        </span>
      </div>
      <p className={styles['quiet']}>
        {row.condition === null ? '' : `${CONDITION_LABELS[row.condition]}, `}
        {row.turns} {row.turns === 1 ? 'turn' : 'turns'}, {row.consultations}{' '}
        {row.consultations === 1 ? 'ask' : 'asks'}
      </p>
      <div className={styles['marks']}>
        {row.source === 'tap' ? <Badge tone="environment">tapped</Badge> : null}
        {row.touched === 0 ? null : (
          <Badge tone="human">
            touched, {row.touched} {row.touched === 1 ? 'turn' : 'turns'}
          </Badge>
        )}
        {row.waiting === 0 ? null : <Badge tone="waiting">waits for you</Badge>}
      </div>
    </li>
  );
}
