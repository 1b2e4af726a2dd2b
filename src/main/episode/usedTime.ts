// How much of its time an episode had used when the program was killed: by the times of its log, or, where somebody set the
// wall clock meanwhile, as it was kept.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { timeUsed } from '../../shared/episode/restarts.ts';
import type { EventLog } from '../log/eventLog.ts';

const MARK = 'used:';

export const keepUsedTime = (log: EventLog, episode: string, usedMs: number): void =>
  log.keepMarks([{ name: MARK + episode, value: Math.max(1, usedMs) }]);

export function usedTime(log: EventLog, record: EpisodeRecord, until: number): number {
  const kept = log.mark(MARK + record.id);
  return Math.round(kept > 0 ? kept : timeUsed(record, until));
}

/** What was kept of episodes that are over is kept no longer. */
export function forgetUsedTimes(log: EventLog): void {
  const marks = log.marks(MARK);
  if (marks.length === 0) return;
  const open = new Set(log.projections.open());
  log.dropMarks(marks.filter((mark) => !open.has(mark.slice(MARK.length))));
}
