// Reviewers' work on an item, and what is left to do. Pure; the time is given.
import type { Timing } from '../events/actor.ts';
import type { Recorded } from '../events/vocabulary.ts';
import type { ItemRecord, QueueRecord, Seating } from './record.ts';

export const NO_TIMING: Timing = { first_seen_at: null, active_ms: null };

/** Notes the newest act of whoever did it. */
export function seatAt(
  item: ItemRecord,
  { n, at, actor }: Recorded,
  by: Pick<Seating, 'state'> & Partial<Seating>,
): void {
  const seat = actor.id ?? '';
  const before = item.seats.get(seat);
  item.seats.set(seat, {
    until: 0,
    reason: null,
    // An item that is looked at again keeps the time it took so far, until it is done again.
    timing: before?.timing ?? NO_TIMING,
    ...by,
    at,
    n,
  });
}

const inState = (item: ItemRecord, state: Seating['state']): string[] =>
  [...item.seats].filter(([, seating]) => seating.state === state).map(([seat]) => seat);

/** Seats done with the item. */
export const doneBy = (item: ItemRecord): string[] => inState(item, 'done');
const skippedBy = (item: ItemRecord): string[] => inState(item, 'skipped');
/** Seats at the item now. */
export const leasedBy = (item: ItemRecord, now: number): string[] =>
  [...item.seats].filter(([, { state, until }]) => state === 'leased' && until > now).map(([seat]) => seat);

/** Number of reviews the item wants: one of each person it is for, or as many as the queue says. */
export const wanted = (queue: QueueRecord, item: ItemRecord): number =>
  item.reviewers.length > 0 ? item.reviewers.length : queue.reviewers_per_item;

export const isComplete = (queue: QueueRecord, item: ItemRecord): boolean => {
  const skipped = item.reviewers.length > 0 ? skippedBy(item).length : 0;
  const done = doneBy(item).length;
  return done > 0 && done >= wanted(queue, item) - skipped;
};

/** True if a seat may ever review the item. */
export const isFor = (queue: QueueRecord, item: ItemRecord, seat: string): boolean =>
  item.reviewers.length > 0
    ? item.reviewers.includes(seat)
    : queue.seats.length === 0 || queue.seats.includes(seat);

/** True if a seat may take the item now: it is for them, not done or skipped by them, and a place is left. */
export function isFree(queue: QueueRecord, item: ItemRecord, seat: string, now: number): boolean {
  if (!isFor(queue, item, seat)) return false;
  const own = item.seats.get(seat)?.state;
  if (own === 'done' || own === 'skipped') return false;
  if (item.reviewers.length > 0) return true;
  const others = new Set([...doneBy(item), ...leasedBy(item, now)]);
  others.delete(seat);
  return others.size < queue.reviewers_per_item;
}

/**
 * The items a seat can take, best first: what it has begun, then what others have begun (so that items get finished),
 * then the order they were added in; what it postponed comes last, oldest first.
 */
export function free(queue: QueueRecord, seat: string, now: number): ItemRecord[] {
  const order = (item: ItemRecord): [number, number] => {
    const own = item.seats.get(seat);
    if (own?.state === 'postponed') return [3, own.n];
    if (own !== undefined) return [0, 0];
    return [item.seats.size > 0 ? 1 : 2, 0];
  };
  return queue.items
    .filter((item) => isFree(queue, item, seat, now))
    .map((item, index) => ({ item, index, order: order(item) }))
    .toSorted((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.index - b.index)
    .map(({ item }) => item);
}
