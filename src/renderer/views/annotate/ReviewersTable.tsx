// What each reviewer of a queue has done, has left, and how long they take.
import type { ReactNode } from 'react';
import type { QueueRow } from '../../../shared/contract/annotate.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { formatDuration } from '../../ui/time.ts';
import * as styles from './Annotate.module.css';

export function ReviewersTable({ queue }: { queue: QueueRow }): ReactNode {
  const people = usePeople();
  return (
    <table className={styles.table} aria-label="Reviewers">
      <thead>
        <tr>
          <th scope="col">Reviewer</th>
          <th scope="col">Done</th>
          <th scope="col">Skipped</th>
          <th scope="col">Later</th>
          <th scope="col">Time per item</th>
        </tr>
      </thead>
      <tbody>
        {queue.progress.reviewers.map((one) => (
          <tr key={one.seat}>
            <th scope="row" title={one.seat}>
              {personName(people, one.seat)}
            </th>
            <td>{one.assigned === null ? one.done : `${String(one.done)} of ${String(one.assigned)}`}</td>
            <td>{one.skipped}</td>
            <td>{one.postponed}</td>
            <td title="Median active time per item">
              {one.median_ms === null ? '–' : formatDuration(one.median_ms)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
