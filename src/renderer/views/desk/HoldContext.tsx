// Context for judging a held call or a stop at the desk: what was tried before.
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import { attemptsBefore } from '../../../shared/episode/attempts.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { Attempts, triedText } from '../../parts/advice/Attempts.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import * as styles from './DeskView.module.css';

/** Attempts before a held call or a stop, in words. */
export function HoldAttempts({ hold, record }: { hold: HoldItem; record: EpisodeRecord }): ReactNode {
  // A call that waits is none of what was tried before it; a stop comes after its turn.
  const before = hold.type === 'pause' ? hold.turn + 1 : hold.turn;
  const attempts = attemptsBefore(record, before);
  return (
    <section aria-label="What it tried">
      <h3 className={styles.label}>{attempts.length === 0 ? 'No earlier calls' : triedText(attempts)}</h3>
      {attempts.length === 0 ? null : (
        <RecordNames record={record}>
          <Attempts attempts={attempts} tools={record.tools} />
        </RecordNames>
      )}
    </section>
  );
}
