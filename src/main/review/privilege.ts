// What a reviewer had seen of the answer when they said something.
import type { ItemRecord, QueueRecord } from '../../shared/annotate/record.ts';
import { episodesOf } from '../../shared/annotate/target.ts';
import { Saw, type Privilege } from '../../shared/events/actor.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import type { EventLog } from '../log/eventLog.ts';

const taskSeen = ({ environment_key: environment, task_idx }: EpisodeRow, scenario: string) => ({
  environment: environment ?? null,
  scenario,
  task_idx,
});

/** What the seat has seen of the tasks anywhere, and the verdict where the queue shows it and there is one. */
export function reviewerPrivilege(
  log: EventLog,
  { hides_outcome: isHidden }: QueueRecord,
  { subject }: ItemRecord,
  seat: string,
): Privilege {
  const seen = new Set<Saw>();
  for (const episode of new Set(episodesOf(subject))) {
    const row = log.projections.episode(episode);
    if (row === null) return 'unknown';
    if (!isHidden && row.reward_type !== null) seen.add('verdict');
    if (row.scenario === null) continue;
    for (const saw of log.projections.seen(seat, taskSeen(row, row.scenario))) seen.add(saw);
  }
  return Saw.options.filter((saw) => seen.has(saw));
}
