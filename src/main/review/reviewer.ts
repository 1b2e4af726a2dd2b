// Who asks in the review room, and which of a project's items are theirs to see.
import { isFor } from '../../shared/annotate/seating.ts';
import type { ItemRecord, ProjectRecord, QueueRecord } from '../../shared/annotate/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { Projects } from './projects.ts';

export type Reviewer = { seat: string; isOwner: boolean };
export type ItemAddress = { project: string; queue: string; item: string };
export type ReviewerItem = { project: ProjectRecord; queue: QueueRecord; item: ItemRecord };

/** Whether a seat may see the queue at all. */
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
