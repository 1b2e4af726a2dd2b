// Progress of a queue: items, reviews, each reviewer's pace. Pure; the time is given.
import type { Dimension } from '../events/annotations.ts';
import { medianOf } from '../statistics/means.ts';
import { conflictsOf } from './agreement.ts';
import type { ItemRecord, QueueRecord } from './record.ts';
import { doneBy, isComplete, isFor, leasedBy, wanted } from './seating.ts';

type ReviewerProgress = {
  seat: string;
  done: number;
  skipped: number;
  postponed: number;
  /** Items it has to do or may take; null where the queue is open to everyone. */
  assigned: number | null;
  /** Median active time per finished item; null where none was measured. */
  median_ms: number | null;
};

type Progress = {
  items: number;
  /** Items with all the reviews they want. */
  complete: number;
  /** Items someone has now. */
  leased: number;
  reviews_done: number;
  reviews_wanted: number;
  /** Finished items whose reviewers differ somewhere, and those with nothing left to adjudicate. */
  conflicts: number;
  adjudicated: number;
  reviewers: ReviewerProgress[];
};

export function progressOf(dimensions: readonly Dimension[], queue: QueueRecord, now: number): Progress {
  const { items } = queue;
  const seats = new Set([
    ...queue.seats,
    ...items.flatMap((item) => [...item.reviewers, ...item.seats.keys()]),
  ]);
  const conflicts = items.map((item) => openConflicts(dimensions, item));
  return {
    items: items.length,
    complete: items.filter((item) => isComplete(queue, item)).length,
    leased: items.filter((item) => leasedBy(item, now).length > 0).length,
    reviews_done: items.reduce((sum, item) => sum + doneBy(item).length, 0),
    reviews_wanted: items.reduce((sum, item) => sum + wanted(queue, item), 0),
    conflicts: conflicts.filter(({ all }) => all > 0).length,
    adjudicated: conflicts.filter(({ all, open }) => all > 0 && open === 0).length,
    reviewers: [...seats].toSorted().map((seat) => reviewerProgress(queue, seat)),
  };
}

/** Disagreements of an item: all of them, and those nobody has decided yet. */
export function openConflicts(
  dimensions: readonly Dimension[],
  item: ItemRecord,
): { all: number; open: number } {
  if (doneBy(item).length < 2) return { all: 0, open: 0 };
  const found = conflictsOf(dimensions, item).filter(({ isOpenQuestion }) => isOpenQuestion);
  return { all: found.length, open: found.filter(({ adjudication }) => adjudication === null).length };
}

function reviewerProgress(queue: QueueRecord, seat: string): ReviewerProgress {
  const own = queue.items.flatMap((item) => item.seats.get(seat) ?? []);
  const count = (state: string): number => own.filter((one) => one.state === state).length;
  const isOpen = queue.seats.length === 0 && queue.items.every(({ reviewers }) => reviewers.length === 0);
  return {
    seat,
    done: count('done'),
    skipped: count('skipped'),
    postponed: count('postponed'),
    assigned: isOpen ? null : queue.items.filter((item) => isFor(queue, item, seat)).length,
    median_ms: medianOf(
      own.flatMap(({ state, timing }) => (state === 'done' ? (timing.active_ms ?? []) : [])),
    ),
  };
}
