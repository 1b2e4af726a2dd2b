// Which episodes to look at: pairs that change places, and episodes that profit without having earned it. Each leads
// to its replay.
import { useState, type ReactNode } from 'react';
import type { LabReport, ScoreRow } from '../../../shared/contract/rewards.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { formatCount } from '../../parts/text/size.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import * as styles from './Lab.module.css';
import { LabTable, type LabTableProps } from './LabTable.tsx';
import { fixedText, gainText, taskText } from './labText.ts';

const FEW_FINDINGS = 10;

/** A table of which the first few rows are shown until more are wanted. */
function FindingTable<Row>({ rows, ...table }: LabTableProps<Row>): ReactNode {
  const [isAll, setIsAll] = useState(false);
  return (
    <>
      <LabTable {...table} rows={isAll ? rows : rows.slice(0, FEW_FINDINGS)} />
      {rows.length <= FEW_FINDINGS ? null : (
        <Button size="small" tone="quiet" onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show ${String(rows.length - FEW_FINDINGS)} more`}
        </Button>
      )}
    </>
  );
}

const episodeLink = (row: ScoreRow): ReactNode => (
  <>
    <a href={formatRoute({ view: 'replay', episode: row.episode, n: null })} title={row.episode}>
      <code>{row.episode.slice(-8)}</code>
    </a>{' '}
    <OutcomeMark outcome={outcomeOf(row.label)} />
  </>
);
const change = (row: ScoreRow): string => `${fixedText(row.before)} → ${fixedText(row.after)}`;

export function Suspects({ report: { suspects } }: { report: LabReport }): ReactNode {
  const { total, list } = suspects;
  const names = useTaskNames({ episodes: list.map(({ row }) => row.episode) });
  if (total === 0)
    return (
      <p className={styles.quiet}>No episode gains without completion, or overtakes others of its task.</p>
    );
  const rest = total > list.length ? `, the first ${String(list.length)} of them` : '';
  return (
    <FindingTable
      caption={formatCount(total, 'episode') + rest}
      rows={list}
      texts={['Task', 'Why listed']}
      columns={[
        ['Episode', ({ row }) => episodeLink(row)],
        ['Task', ({ row }) => <TaskName words={names.ofEpisode(row.episode)} place={taskText(row)} />],
        ['Reward', ({ row }) => change(row)],
        ['Gain', ({ gain }) => gainText(gain)],
        ['Others of its task', ({ peer_gain: peers }) => (peers === null ? 'none' : gainText(peers))],
        [
          'Why listed',
          ({ why }) =>
            why === 'not_completed' ? 'Gains without completion' : 'Gains more than others of its task',
        ],
      ]}
    />
  );
}

export function Flips({ report: { flips, tasks } }: { report: LabReport }): ReactNode {
  const names = useTaskNames({ episodes: flips.map(({ up }) => up.episode) });
  if (flips.length === 0) return <p className={styles.quiet}>No two episodes of one task swap order.</p>;
  return (
    <FindingTable
      caption={`The largest swings of ${formatCount(tasks.counts.flipped, 'pair')} of one task that swap order`}
      rows={flips}
      texts={['Above now', 'Below now', 'Group']}
      columns={[
        ['Task', ({ up }) => <TaskName words={names.ofEpisode(up.episode)} place={taskText(up)} />],
        ['Above now', ({ up }) => episodeLink(up)],
        ['Reward above', ({ up }) => change(up)],
        ['Below now', ({ down }) => episodeLink(down)],
        ['Reward below', ({ down }) => change(down)],
        ['Group', ({ is_same_group: isSame }) => (isSame ? 'the same' : '')],
      ]}
    />
  );
}
