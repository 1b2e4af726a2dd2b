// The whole episode on a strip: who acted, where it failed, where a person stepped in. Pure; drawing is elsewhere.
import type { RowRole, TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { isRowFailed } from '../../../shared/timeline/turnRow.ts';

export type MinimapSegment = {
  /** First row of the stretch and the row after its last. */
  from: number;
  to: number;
  role: RowRole;
  errors: number;
  mark: 'human' | 'waiting' | 'verifier' | null;
};

/** What a stretch of several rows is coloured by: the rarest and weightiest first. */
const WEIGHT: readonly RowRole[] = [
  'human',
  'scripted',
  'model',
  'verifier',
  'agent',
  'environment',
  'system',
];

/** At most `max` stretches, each of about as many rows, in order and without gaps. */
export function segmentsOf(rows: readonly TimelineRow[], max: number): MinimapSegment[] {
  const count = Math.max(1, Math.min(max, rows.length));
  return Array.from({ length: rows.length === 0 ? 0 : count }, (_, index) => {
    const from = Math.floor((index * rows.length) / count);
    const to = Math.floor(((index + 1) * rows.length) / count);
    const stretch = rows.slice(from, to);
    const roles = new Set(stretch.map((row) => row.role));
    return {
      from,
      to,
      role: WEIGHT.find((role) => roles.has(role)) ?? 'system',
      errors: stretch.filter(isRowFailed).length,
      mark: markOf(stretch),
    };
  });
}

function markOf(rows: readonly TimelineRow[]): MinimapSegment['mark'] {
  if (rows.some((row) => row.kind === 'waiting')) return 'waiting';
  if (rows.some((row) => row.role === 'human' || row.isHuman)) return 'human';
  return rows.some((row) => row.role === 'verifier') ? 'verifier' : null;
}

/** The strip in words, for those who do not see it. */
export function minimapLabel(rows: readonly TimelineRow[]): string {
  const errors = rows.filter(isRowFailed).length;
  const acts = rows.filter((row) => row.isHuman).length;
  const steps = rows.filter((row) => row.shape === 'step').length;
  return `Map of the episode: ${String(steps)} steps, ${String(errors)} errors, ${String(acts)} acts of a person`;
}
