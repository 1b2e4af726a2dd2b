// The events behind a step as the log has them, behind one press.
import { useMemo, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { rowsOf } from '../../../shared/timeline/rows.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { useEpisodeEvents } from '../../state/hooks.ts';
import { useWholeEvent } from '../../state/useWholeEvent.ts';
import { DataValue } from '../text/DataText.tsx';
import { Folded } from './Facts.tsx';

type StepProps = { row: TimelineRow; record: EpisodeRecord };

export function RecordedEvents(step: StepProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Folded label="Events as recorded" onToggle={setIsOpen}>
      {isOpen ? <StepEvents {...step} /> : null}
    </Folded>
  );
}

function StepEvents({ row, record }: StepProps): ReactNode {
  const events = useEpisodeEvents(record.id);
  const rows = useMemo(() => rowsOf(record), [record]);
  const own = useMemo(() => eventsOf(events, rows, row.key, record.n), [events, record.n, rows, row.key]);
  return own.map((recorded) => <RecordedEvent key={recorded.n} recorded={recorded} />);
}

/** From the step's first event up to the next step's, or to the last one that is shown. */
export function eventsOf(
  events: readonly Recorded[],
  rows: readonly TimelineRow[],
  key: string | null,
  last = events.length,
): Recorded[] {
  const index = rows.findIndex((row) => row.key === key);
  const row = rows[index];
  if (row === undefined) return [];
  const next = rows.slice(index + 1).find((other) => other.n > row.n);
  return events.slice(row.n - 1, next === undefined ? last : next.n - 1);
}

function RecordedEvent({ recorded }: { recorded: Recorded }): ReactNode {
  const { n, actor, event } = recorded;
  return (
    <DataValue
      label={event.kind}
      value={useWholeEvent(recorded)}
      note={`event ${String(n)}, by ${actor.type}`}
    />
  );
}
