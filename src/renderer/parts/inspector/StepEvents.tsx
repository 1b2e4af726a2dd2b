// The events behind a step, raw, as the log holds them.
import type { ReactNode } from 'react';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { useWholeEvent } from '../../state/useWholeEvent.ts';
import { DataValue } from '../text/DataText.tsx';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import * as styles from './Inspector.module.css';

/** From the step's first event up to the next step's. */
export function eventsOf(
  events: readonly Recorded[],
  rows: readonly TimelineRow[],
  key: string | null,
): Recorded[] {
  const index = rows.findIndex((row) => row.key === key);
  const row = rows[index];
  if (row === undefined) return [];
  const next = rows.slice(index + 1).find((other) => other.n > row.n);
  return events.slice(row.n - 1, next === undefined ? events.length : next.n - 1);
}

export function StepEvents({ events }: { events: readonly Recorded[] }): ReactNode {
  if (events.length === 0) return <p className={styles.none}>Select a step to see its events.</p>;
  return (
    <div className={styles.panel}>
      {events.map((recorded) => (
        <RawEvent key={recorded.n} recorded={recorded} />
      ))}
    </div>
  );
}

function RawEvent({ recorded }: { recorded: Recorded }): ReactNode {
  const { n, actor, event } = recorded;
  return (
    <DataValue
      label={event.kind}
      value={useWholeEvent(recorded)}
      note={`event ${String(n)}, by ${actor.type}`}
    />
  );
}
