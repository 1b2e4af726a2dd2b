// Owns: one line of the library.
import { Bot, User } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRow } from '../../../shared/contract/rows.ts';
import { ResumeButton } from '../../parts/again/AgainActs.tsx';
import { formatRoute } from '../../state/route.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import styles from './EpisodeLine.module.css';
import {
  actorsOf,
  CONDITION_LABELS,
  routeOf,
  statusOf,
  taskName,
  verdictOf,
} from '../../parts/episode/rowWords.ts';

export const COLUMNS = [
  'Status',
  'Task',
  'Condition',
  'Turns',
  'Asks',
  'Outcome',
  'Who acted',
  'Age',
] as const;

/** The line of titles over the list. */
export function EpisodeHead(): ReactNode {
  return (
    <div className={cx(styles['line'], styles['head'])} aria-hidden="true">
      {COLUMNS.map((column) => (
        <span key={column} className={styles[column.toLowerCase().replace(' ', '-')]}>
          {column}
        </span>
      ))}
    </div>
  );
}

export function EpisodeLine({
  row,
  isActive,
}: {
  row: EpisodeRow | undefined;
  isActive: boolean;
}): ReactNode {
  if (row === undefined) return <div className={styles['line']} aria-busy="true" />;
  const status = statusOf(row);
  const verdict = verdictOf(row);
  const actors = actorsOf(row);
  return (
    <div className={cx(styles['line'], isActive && styles['isActive'])}>
      <span className={cx(styles['status'], row.status === 'waiting' && styles['waits'])}>
        <StatusDot tone={status.tone} label={status.label} />
      </span>
      <span className={styles['task']} title={row.task ?? undefined}>
        <a className={styles['name']} href={formatRoute(routeOf(row))} tabIndex={-1}>
          {taskName(row)}
        </a>
        <span className={styles['text']}>{row.task ?? 'No task text yet'}</span>
      </span>
      <span className={styles['condition']}>
        {row.condition === null ? '' : CONDITION_LABELS[row.condition]}
      </span>
      <span className={styles['turns']}>
        {row.turns}
        {row.turn_limit !== null && <span className={styles['of']}>/{row.turn_limit}</span>}
      </span>
      <span className={styles['asks']}>{row.consultations}</span>
      <span className={styles['outcome']}>
        {row.outcome === 'interrupted' ? (
          <ResumeButton episode={row.id} />
        ) : verdict === null ? (
          <span className={styles['text']} title={row.failure?.message}>
            {row.failure?.code.replaceAll('_', ' ') ?? '–'}
          </span>
        ) : (
          <Badge tone={verdict.tone}>{verdict.text}</Badge>
        )}
      </span>
      <span className={styles['who-acted']}>
        <span className={styles['agent']} title={`Agent: ${actors.agent}`}>
          <Bot aria-label="Agent" />
          <span className={styles['text']}>{actors.agent}</span>
        </span>
        {actors.people === 0 ? null : (
          <Badge tone="human" icon={<User aria-label="People, acts:" />}>
            {actors.people}
          </Badge>
        )}
      </span>
      <span className={styles['age']}>
        <RelativeTime at={row.started_at} />
      </span>
    </div>
  );
}
