// Which episodes to look at: pairs that change places, and episodes that profit without having earned it. Each leads
// to its replay.
import { useState, type ReactNode } from 'react';
import type { Flip, LabReport, ScoreRow, Suspect } from '../../../shared/contract/rewards.ts';
import { formatRoute } from '../../state/route.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import * as styles from './Lab.module.css';
import { fixedText, gainText, labelText, taskText } from './labText.ts';

const FEW_FINDINGS = 10;

/** A list of which the first few are shown until more are wanted. */
function useFew<T>(all: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [isAll, setIsAll] = useState(false);
  const left = all.length - FEW_FINDINGS;
  const more =
    left <= 0 ? null : (
      <Button size="small" tone="quiet" onClick={() => setIsAll(!isAll)}>
        {isAll ? 'Show fewer' : `Show ${String(left)} more`}
      </Button>
    );
  return { shown: isAll ? all : all.slice(0, FEW_FINDINGS), more };
}

const EpisodeLink = ({ row }: { row: ScoreRow }): ReactNode => (
  <>
    <a href={formatRoute({ view: 'replay', episode: row.episode, n: null })} title={row.episode}>
      <code>{row.episode.slice(-8)}</code>
    </a>{' '}
    <Badge tone={row.label === 'complete' ? 'ok' : 'plain'}>{labelText(row.label)}</Badge>
  </>
);

const Change = ({ row }: { row: ScoreRow }): ReactNode => (
  <>
    {fixedText(row.before)} → {fixedText(row.after)}
  </>
);

export function Suspects({ report: { suspects } }: { report: LabReport }): ReactNode {
  const { shown, more } = useFew(suspects.list);
  if (suspects.total === 0) {
    return (
      <p className={styles.quiet}>No episode gains without completion, or overtakes others of its task.</p>
    );
  }
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption>
            {suspects.total.toLocaleString()} {suspects.total === 1 ? 'episode' : 'episodes'}
            {suspects.total > suspects.list.length
              ? `, the first ${String(suspects.list.length)} of them`
              : ''}
          </caption>
          <thead>
            <tr>
              <th scope="col">Episode</th>
              <th scope="col" className={styles.words}>
                Task
              </th>
              <th scope="col">Reward</th>
              <th scope="col">Gain</th>
              <th scope="col">Others of its task</th>
              <th scope="col" className={styles.words}>
                Why listed
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((suspect) => (
              <SuspectRow key={suspect.row.episode} suspect={suspect} />
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

const SuspectRow = ({ suspect: { row, why, gain, peer_gain: peers } }: { suspect: Suspect }): ReactNode => (
  <tr>
    <th scope="row">
      <EpisodeLink row={row} />
    </th>
    <td className={styles.words}>{taskText(row)}</td>
    <td>
      <Change row={row} />
    </td>
    <td>{gainText(gain)}</td>
    <td>{peers === null ? 'none' : gainText(peers)}</td>
    <td className={styles.words}>
      {why === 'not_completed' ? 'Gains without completion' : 'Gains more than others of its task'}
    </td>
  </tr>
);

export function Flips({ report: { flips, tasks } }: { report: LabReport }): ReactNode {
  const { shown, more } = useFew(flips);
  if (flips.length === 0) return <p className={styles.quiet}>No two episodes of one task swap order.</p>;
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption>
            The largest swings of {tasks.counts.flipped.toLocaleString()}{' '}
            {tasks.counts.flipped === 1 ? 'pair' : 'pairs'} of one task that swap order
          </caption>
          <thead>
            <tr>
              <th scope="col" className={styles.words}>
                Task
              </th>
              <th scope="col" className={styles.words}>
                Above now
              </th>
              <th scope="col">Reward</th>
              <th scope="col" className={styles.words}>
                Below now
              </th>
              <th scope="col">Reward</th>
              <th scope="col" className={styles.words}>
                Group
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((flip) => (
              <FlipRow key={`${flip.up.episode} ${flip.down.episode}`} flip={flip} />
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

const FlipRow = ({ flip: { up, down, is_same_group: isSameGroup } }: { flip: Flip }): ReactNode => (
  <tr>
    <th scope="row" className={styles.words}>
      {taskText(up)}
    </th>
    <td className={styles.words}>
      <EpisodeLink row={up} />
    </td>
    <td>
      <Change row={up} />
    </td>
    <td className={styles.words}>
      <EpisodeLink row={down} />
    </td>
    <td>
      <Change row={down} />
    </td>
    <td className={styles.words}>{isSameGroup ? 'the same' : ''}</td>
  </tr>
);
