// Episodes that were stopped when the program ended and wait for a person's word.
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { stoppedTitle } from '../../../shared/episode/restarts.ts';
import { useFromRows } from '../../state/fromRows.ts';
import { useRole } from '../../state/role.ts';

export type BrokenOffRow = EpisodeRow & { broke_off: NonNullable<EpisodeRow['broke_off']> };

const NONE: readonly BrokenOffRow[] = [];

/** The oldest first. Nothing for an expert's seat: whether an episode goes on is the owner's word. */
export function useBrokenOff(): readonly BrokenOffRow[] {
  const isExpert = useRole() === 'expert';
  const rows = useFromRows(brokenOffRows, isSameList);
  return isExpert ? NONE : rows;
}

const isSameList = (before: readonly BrokenOffRow[], now: readonly BrokenOffRow[]): boolean =>
  now.length === before.length && now.every((row, at) => row === before[at]);

/** `2 episodes were stopped when Interject closed`. */
export const brokenOffTitle = (rows: readonly BrokenOffRow[]): string =>
  stoppedTitle(
    rows.length,
    rows.some(({ broke_off: { came_with_folder: came } }) => came),
  );

export function brokenOffRows(rows: Iterable<EpisodeRow>): readonly BrokenOffRow[] {
  const found: BrokenOffRow[] = [];
  for (const row of rows) if (isBrokenOff(row)) found.push(row);
  return found.toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
}

const isBrokenOff = (row: EpisodeRow): row is BrokenOffRow => row.broke_off !== undefined;
