// Queues: what is in them, whose turn it is, and what each reviewer did with an item.
import { missing } from '../../shared/review/check.ts';
import { free, isFree, leasedBy } from '../../shared/review/seating.ts';
import { episodesOf } from '../../shared/review/target.ts';
import type { Inputs } from '../../shared/contract/contract.ts';
import { seatActor, type Actor } from '../../shared/events/actor.ts';
import { projectStream, type Subject } from '../../shared/events/annotations.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Projects } from './projects.ts';
import { findItem, findQueue, type ReviewerItem, type ItemAddress, type Reviewer } from './reviewer.ts';

type NewQueue = Omit<EventOf<'queue.made'>, 'kind' | 'queue' | 'subject'>;

export type Queues = {
  /** Throws `not_found` for an episode that is not there, and `bad_input` when it would be empty. */
  make(
    project: string,
    queue: NewQueue,
    subjects: readonly Subject[],
    actor: Actor,
  ): { queue: string; items: number };
  /** Takes the next item for the reviewer; null when nothing is left for them now. */
  next(at: Omit<ItemAddress, 'item'>, reviewer: Reviewer): string | null;
  /** Takes the item or holds it on, and says until when; null where it was only looked at. */
  open(at: ItemAddress, reviewer: Reviewer): number | null;
  /** Done, skipped or later. Throws `bad_input` naming what is still to be said where it is to be done. */
  leave(leaving: Inputs['queue.leave'], reviewer: Reviewer): void;
  reopen(at: ItemAddress, reviewer: Reviewer): void;
  /** Gives the items to the reviewers in turn, `each` of them an item. How many items it changed. */
  assignMany(
    at: Omit<ItemAddress, 'item'>,
    items: readonly string[],
    to: { reviewers: readonly string[]; each: number },
    reviewer: Reviewer,
  ): number;
  /** Puts more episodes in; those that are in it already are left out. */
  add(at: Omit<ItemAddress, 'item'>, episodes: readonly string[], reviewer: Reviewer): number;
};

type QueuesDependencies = { log: EventLog; projects: Projects; clock: () => number; newId: () => string };

/** As many items as one event holds. */
const BATCH = 500;

export const createQueues = (parts: QueuesDependencies): Queues => ({
  ...createFilling(parts),
  ...createReviewing(parts),
});

type QueueOwner = 'make' | 'add' | 'assignMany';

/** Fills queues and assigns their items. */
function createFilling({ log, projects, newId }: QueuesDependencies): Pick<Queues, QueueOwner> {
  return {
    make: (project, queue, subjects, actor) => {
      projects.record(project);
      checkSubjects(log, subjects);
      const id = newId();
      const items = assignSeats(subjects, queue).map((one) => ({ item: newId(), ...one }));
      const subject = subjects[0]?.type ?? 'episode';
      log.appendAll(projectStream(project), [
        { actor, event: { kind: 'queue.made', queue: id, subject, ...queue } },
        ...batches({ queue: id, hides_outcome: queue.hides_outcome }, items, actor),
      ]);
      return { queue: id, items: items.length };
    },
    add: (at, episodes, reviewer) => {
      const { queue } = findQueue(projects, at, reviewer);
      if (queue.subject === 'pair') {
        throw new Failure('bad_input', 'this queue holds pairs: single episodes do not go into it');
      }
      const held = new Set(queue.items.flatMap(({ subject }) => episodesOf(subject)));
      const subjects = [...new Set(episodes)]
        .filter((episode) => !held.has(episode))
        .map((episode): Subject => ({ type: 'episode', episode }));
      if (subjects.length === 0) return 0;
      checkSubjects(log, subjects);
      const items = assignSeats(subjects, queue, queue.items.length).map((one) => ({
        item: newId(),
        ...one,
      }));
      log.appendAll(projectStream(at.project), batches(queue, items, seatActor(reviewer.seat)));
      return items.length;
    },
    assignMany: (at, items, { reviewers, each }, reviewer) => {
      const named = [...new Set(reviewers)];
      const share = Math.min(each, named.length);
      const entries = [...new Set(items)].map((item, index) => {
        findItem(projects, { ...at, item }, reviewer);
        return {
          actor: seatActor(reviewer.seat),
          event: {
            kind: 'item.assigned' as const,
            queue: at.queue,
            item,
            reviewers: inTurn(named, share, index),
          },
        };
      });
      log.appendAll(projectStream(at.project), entries);
      return entries.length;
    },
  };
}

type AddedItems = EventOf<'items.added'>;

const batches = (
  { queue, hides_outcome }: Pick<AddedItems, 'queue' | 'hides_outcome'>,
  items: AddedItems['items'],
  actor: Actor,
) =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) => ({
    actor,
    event: {
      kind: 'items.added' as const,
      queue,
      hides_outcome,
      items: items.slice(index * BATCH, (index + 1) * BATCH),
    },
  }));

type ItemAct = EventOf<`item.${'leased' | 'skipped' | 'postponed' | 'done' | 'reopened'}`>;

/** A reviewer's acts on an item. */
function createReviewing({ log, projects, clock }: QueuesDependencies): Omit<Queues, QueueOwner> {
  const note = (at: ItemAddress, { seat }: Reviewer, event: ItemAct) =>
    log.append(projectStream(at.project), seatActor(seat), event);
  const lease = (at: ItemAddress, { queue, item }: ReviewerItem, reviewer: Reviewer): number => {
    const now = clock();
    const held = item.seats.get(reviewer.seat);
    // Half of the time is left: the log need not hear of it again.
    if (held?.state === 'leased' && held.until - now > queue.lease_ms / 2) return held.until;
    const until = now + queue.lease_ms;
    note(at, reviewer, { kind: 'item.leased', queue: at.queue, item: at.item, until });
    return until;
  };
  return {
    next: (at, reviewer) => {
      const { project, queue } = findQueue(projects, at, reviewer);
      const [item] = free(queue, reviewer.seat, clock());
      if (item === undefined) return null;
      lease({ ...at, item: item.item }, { project, queue, item }, reviewer);
      return item.item;
    },
    open: (at, reviewer) => {
      const found = findItem(projects, at, reviewer);
      const { queue, item } = found;
      if (isFree(queue, item, reviewer.seat, clock())) return lease(at, found, reviewer);
      const own = item.seats.get(reviewer.seat)?.state;
      // What one has finished may be looked at; an owner may look at anything.
      if (reviewer.isOwner || own === 'done' || own === 'skipped') return null;
      throw taken(found, clock());
    },
    leave: ({ as, reason = null, timing, ...at }, reviewer) => {
      const found = findItem(projects, at, reviewer);
      checkMine(found, reviewer, clock());
      if (as === 'done') checkFinished(found, reviewer.seat);
      const left = { queue: at.queue, item: at.item, timing };
      note(
        at,
        reviewer,
        as === 'skipped' ? { kind: 'item.skipped', reason, ...left } : { kind: `item.${as}`, ...left },
      );
    },
    reopen: (at, reviewer) => {
      const { item } = findItem(projects, at, reviewer);
      const own = item.seats.get(reviewer.seat)?.state;
      if (own !== 'done' && own !== 'skipped' && own !== 'postponed') {
        throw new Failure('bad_input', 'this item is open already');
      }
      note(at, reviewer, { kind: 'item.reopened', queue: at.queue, item: at.item });
    },
  };
}

/** With named seats every item gets as many of them as it wants, in turn, so that all have the same to do. */
function assignSeats(
  subjects: readonly Subject[],
  { seats, reviewers_per_item: perItem }: Pick<NewQueue, 'seats' | 'reviewers_per_item'>,
  from = 0,
): { subject: Subject; reviewers: string[] }[] {
  const share = Math.min(perItem, seats.length);
  return subjects.map((subject, index) => ({
    subject,
    reviewers: inTurn(seats, share, from + index),
  }));
}

const inTurn = (seats: readonly string[], share: number, index: number): string[] =>
  Array.from({ length: share }, (_, turn) => seats[(index * share + turn) % seats.length] ?? '');

function checkSubjects(log: EventLog, subjects: readonly Subject[]): void {
  if (subjects.length === 0) {
    throw new Failure('bad_input', 'no episode fits, so the queue would be empty', {
      next: 'Choose other episodes.',
    });
  }
  for (const episode of subjects.flatMap(episodesOf)) {
    if (log.projections.episode(episode) === null) {
      throw new Failure('not_found', `there is no episode ${episode} in this data folder`);
    }
  }
}

/** An item that lapsed and went to somebody else is theirs; one that nobody took is still one's own. */
export function checkMine({ queue, item }: ReviewerItem, { seat }: Reviewer, now: number): void {
  if (isFree(queue, item, seat, now)) return;
  const own = item.seats.get(seat)?.state;
  if (own === 'done' || own === 'skipped') {
    throw new Failure('bad_input', 'you have finished this item', { next: 'Open it again to change it.' });
  }
  throw taken({ queue, item }, now);
}

function taken({ item }: Pick<ReviewerItem, 'queue' | 'item'>, now: number): Failure {
  const held = leasedBy(item, now).length > 0;
  return new Failure(
    'already_answered',
    held ? 'another reviewer has this item now' : 'this item has all the reviews it wants',
    { next: 'Go on to the next one.' },
  );
}

function checkFinished({ project, item }: ReviewerItem, seat: string): void {
  if (item.subject.type === 'pair' && !item.preferences.some(({ reviewer }) => reviewer === seat)) {
    throw new Failure('bad_input', 'say first which of the two is better, or that neither is');
  }
  const left = missing(project.schema.dimensions, item, seat);
  if (left.length > 0) {
    throw new Failure('bad_input', `not yet answered: ${left.map(({ name }) => name).join(', ')}`);
  }
}
