// The reviewer who asks: which of a project's items are theirs to see, and what they had seen of the answer.
import { Saw, type Privilege } from '../../shared/events/actor.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { episodesOf } from '../../shared/review/target.ts';
import { isFor } from '../../shared/review/seating.ts';
import type { ItemRecord, ProjectRecord, QueueRecord } from '../../shared/review/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Projects } from './projects.ts';

export type Reviewer = { seat: string; isOwner: boolean };
export type ItemAddress = { project: string; queue: string; item: string };
export type ReviewerItem = { project: ProjectRecord; queue: QueueRecord; item: ItemRecord };

/** True if a seat may see the queue at all. */
export const mayReview = (queue: QueueRecord, { seat, isOwner }: Reviewer): boolean =>
  isOwner ||
  queue.seats.length === 0 ||
  queue.seats.includes(seat) ||
  // An item may be given to somebody who was not named when the queue was made.
  queue.items.some(({ reviewers }) => reviewers.includes(seat));

/** Throws `not_found`, and for an expert's seat `unauthorized` where the queue is not for it. */
export function findQueue(
  projects: Projects,
  at: Omit<ItemAddress, 'item'>,
  reviewer: Reviewer,
): Omit<ReviewerItem, 'item'> {
  const project = projects.record(at.project);
  const queue = project.queues.get(at.queue);
  if (queue === undefined) throw new Failure('not_found', `there is no queue ${at.queue}`);
  if (!mayReview(queue, reviewer)) {
    throw new Failure('unauthorized', 'this queue is for other reviewers', {
      next: 'Ask the person who invited you.',
    });
  }
  return { project, queue };
}

/** The item, where the reviewer may see it. */
export function findItem(projects: Projects, at: ItemAddress, reviewer: Reviewer): ReviewerItem {
  const { project, queue } = findQueue(projects, at, reviewer);
  const item = project.items.get(at.item);
  if (item === undefined || item.queue !== queue.queue) {
    throw new Failure('not_found', `there is no item ${at.item} in this queue`);
  }
  if (!reviewer.isOwner && !isFor(queue, item, reviewer.seat)) {
    throw new Failure('unauthorized', 'this item is for another reviewer');
  }
  return { project, queue, item };
}

const taskSeen = ({ environment_key: environment, task_idx }: EpisodeRow, scenario: string) => ({
  environment: environment ?? null,
  scenario,
  task_idx,
});

/** The seat's privilege on the tasks anywhere, and the verdict where the queue shows it and there is one. */
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
