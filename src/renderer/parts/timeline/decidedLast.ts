// Where a question or a held call's decision stands once it is decided: after what else happened while it waited, so
// that times only grow.
import type { TimelineRow } from './timelineRow.ts';

function decidedAt({ subject, at }: TimelineRow): number | null {
  if (subject.type === 'decision') return at;
  return subject.type === 'consultation' ? (subject.consultation.decision?.at ?? null) : null;
}

/** The rows with each decision moved down past the marks that came before it. Turns stay put. */
export function decidedLast(rows: readonly TimelineRow[]): TimelineRow[] {
  const placed: TimelineRow[] = [];
  let held: TimelineRow[] = [];
  const settle = (before: (row: TimelineRow) => boolean): void => {
    const due = held.filter(before);
    held = held.filter((row) => !before(row));
    placed.push(...due);
  };
  for (const row of rows) {
    if (decidedAt(row) !== null) {
      held.push(row);
      continue;
    }
    settle((waiting) => row.subject.type === 'turn' || (decidedAt(waiting) ?? 0) < row.at);
    placed.push(row);
  }
  settle(() => true);
  return placed;
}
