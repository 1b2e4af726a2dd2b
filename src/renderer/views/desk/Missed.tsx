// Asks of the last hour that nobody answered.
import { memo, type ReactNode } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { missedReason } from '../../../shared/sentences/admissionText.ts';
import { TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Missed.module.css';

export const MissedList = memo(function MissedList({
  missed,
  onOpen,
}: {
  missed: readonly MissedAsk[];
  onOpen: (consultation: string) => void;
}): ReactNode {
  if (missed.length === 0) return null;
  return (
    <details className={styles.missed}>
      <summary>{`Missed in the last hour: ${String(missed.length)}`}</summary>
      <ul>
        {missed.map((ask) => (
          <li key={ask.consultation}>
            <button type="button" className={styles.ask} onClick={() => onOpen(ask.consultation)}>
              <TaskWords text={questionOf(ask)} />
              <span className={styles.quiet}>
                {missedReason(ask)}, <RelativeTime at={ask.missed_at} isSpoken />
                {ask.late === 0 ? '' : ', has late advice'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
});

const questionOf = ({ question, asked_task: task }: MissedAsk): string =>
  question === null ? (task ?? 'Question without text') : textHead(question);
