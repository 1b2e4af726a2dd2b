// Where an episode can be gone on from. Pure.
import { lastAnsweredTurn } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';

/** The turn after which a branch would begin when `turn` is chosen; null before there is anything to go on from. */
export const forkTurn = (record: EpisodeRecord, turn: number): number | null =>
  record.reset === null ? null : lastAnsweredTurn(record, turn);

/** The turn a line of the timeline belongs to: its own, or the last one before it. */
export function turnOfRow({ subject, n }: TimelineRow, { turns }: EpisodeRecord): number {
  if ('turn' in subject) return subject.turn.turn;
  return turns.findLast((turn) => turn.n <= n)?.turn ?? 0;
}
