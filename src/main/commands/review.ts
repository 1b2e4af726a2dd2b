// The commands of annotation.
import type { Caller, Handlers } from '../../shared/contract/contract.ts';
import { refused, roleOf } from '../../shared/contract/roles.ts';
import { isComplete } from '../../shared/review/seating.ts';
import { openConflicts } from '../../shared/review/progress.ts';
import type { ItemRecord } from '../../shared/review/record.ts';
import type { EventLog } from '../log/eventLog.ts';
import { exportLines } from '../review/annotationLines.ts';
import type { ReviewRoom } from '../review/review.ts';
import { findItem, findQueue, mayReview, type ReviewerItem, type Reviewer } from '../review/reviewer.ts';
import { conflictRows, reviewItemRow, itemView, projectRow, type RowOf } from '../review/rows.ts';
import { subjectsOf } from '../review/subjects.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { veilFor } from './veil.ts';

type ReviewDependencies = { log: EventLog; review: ReviewRoom };

type CommandArea<P extends string> = Pick<Handlers, Extract<keyof Handlers, `${P}.${string}`>>;

export const reviewCommands = (
  parts: ReviewDependencies,
): CommandArea<'project' | 'queue' | 'annotation'> => ({
  ...projectCommands(parts),
  ...queueCommands(parts),
  ...ownerCommands(parts),
  ...itemCommands(parts),
  ...judgementCommands(parts),
});

const reviewerOf = (caller: Caller): Reviewer => ({
  seat: caller.seat,
  isOwner: roleOf(caller) === 'owner',
});

const episodeRowFor =
  (log: EventLog, caller: Caller): RowOf =>
  (episode) => {
    const row = log.projections.episode(episode);
    return row === null ? null : (veilFor(log, caller).rows([row])[0] ?? null);
  };

/** True if any queue is for the caller. */
export const isReviewer =
  ({ projects }: ReviewRoom) =>
  (caller: Caller): boolean =>
    projects
      .all()
      .some(({ queues }) => [...queues.values()].some((queue) => mayReview(queue, reviewerOf(caller))));

function projectCommands({ review }: ReviewDependencies): CommandArea<'project'> {
  const { projects } = review;
  return {
    'project.list': async (_input, caller) => {
      const reviewer = reviewerOf(caller);
      const all = projects
        .all()
        .filter(
          (project) =>
            reviewer.isOwner || [...project.queues.values()].some((queue) => mayReview(queue, reviewer)),
        );
      return { projects: all.map((project) => projectRow(project, reviewer, review.clock())) };
    },
    'project.create': async ({ name, instructions, dimensions }, { seat }) => ({
      project: projects.create(name, instructions, dimensions, seatActor(seat)),
    }),
    'project.change': async ({ project, schema, ...change }, { seat }) => {
      const before = projects.record(project);
      if (schema !== undefined)
        projects.setSchema(project, schema.seen_version, schema.dimensions, seatActor(seat));
      const { name: called = before.name, instructions: told = before.instructions } = change;
      if (called !== before.name || told !== before.instructions)
        projects.change(project, called, told, seatActor(seat));
      return { version: projects.record(project).schema.version };
    },
  };
}

type QueueHandlers = Pick<Handlers, 'queue.make' | 'queue.items' | 'queue.next'>;

function queueCommands({ log, review: { projects, queues } }: ReviewDependencies): QueueHandlers {
  return {
    'queue.make': async ({ project, from, lease_minutes: minutes, ...queue }, { seat }) => {
      const made = {
        ...queue,
        seats: [...new Set(queue.seats)],
        lease_ms: Math.round(minutes * 60_000),
        filter: 'filter' in from ? (JSON.parse(JSON.stringify(from.filter)) as Record<string, never>) : {},
      };
      return queues.make(project, made, subjectsOf(log, from, projects.record(project)), seatActor(seat));
    },
    'queue.items': async ({ show, offset, limit, ...at }, caller) => {
      const reviewer = reviewerOf(caller);
      const { project, queue } = findQueue(projects, at, reviewer);
      const isShown = (item: ItemRecord): boolean => {
        if (!reviewer.isOwner && item.reviewers.length > 0 && !item.reviewers.includes(reviewer.seat))
          return false;
        if (show === 'conflicts') return openConflicts(project.schema.dimensions, item).open > 0;
        return show === 'all' || isComplete(queue, item) === (show === 'complete');
      };
      if (show === 'conflicts' && !reviewer.isOwner) throw refused('who differs is for the owner to see');
      const items = queue.items.filter(isShown);
      const page = items.slice(offset, offset + limit);
      return {
        total: items.length,
        items: page.map((item) =>
          reviewItemRow({ project, queue, item }, reviewer, episodeRowFor(log, caller)),
        ),
      };
    },
    'queue.next': async (at, caller) => ({ item: queues.next(at, reviewerOf(caller)) }),
  };
}

type OwnerHandlers = Pick<Handlers, 'queue.assign_many' | 'queue.add'>;

/** Commands on a queue as a whole. */
function ownerCommands({ review: { queues } }: ReviewDependencies): OwnerHandlers {
  return {
    'queue.assign_many': async ({ items, reviewers, each, ...at }, caller) => ({
      changed: queues.assignMany(at, items, { reviewers, each }, reviewerOf(caller)),
    }),
    'queue.add': async ({ episodes, ...at }, caller) => {
      const added = queues.add(at, episodes, reviewerOf(caller));
      return { added, present: new Set(episodes).size - added };
    },
  };
}

type ItemHandlers = Omit<CommandArea<'queue'>, keyof QueueHandlers | keyof OwnerHandlers>;

function itemCommands({ log, review: { projects, queues } }: ReviewDependencies): ItemHandlers {
  return {
    'queue.open': async ({ anew = false, ...at }, caller) => {
      const reviewer = reviewerOf(caller);
      if (anew) queues.reopen(at, reviewer);
      const until = queues.open(at, reviewer);
      return itemView(findItem(projects, at, reviewer), reviewer, {
        rowOf: episodeRowFor(log, caller),
        until,
      });
    },
    'queue.leave': async (leaving, caller) => {
      queues.leave(leaving, reviewerOf(caller));
      return {};
    },
  };
}

function judgementCommands({
  log,
  review: { projects, judge },
}: ReviewDependencies): CommandArea<'annotation'> {
  return {
    'annotation.give': async (input, caller) => ({ annotation: judge.give(input, reviewerOf(caller)) }),
    'annotation.withdraw': async ({ annotation, ...at }, caller) => {
      judge.withdraw(at, annotation, reviewerOf(caller));
      return {};
    },
    'annotation.conflicts': async (at, caller) => {
      const reviewer = reviewerOf(caller);
      const found: ReviewerItem = findItem(projects, at, reviewer);
      return {
        row: reviewItemRow(found, reviewer, episodeRowFor(log, caller)),
        conflicts: conflictRows(found),
      };
    },
    'annotation.adjudicate': async ({ project, queue, item, ...given }, caller) => ({
      adjudication: judge.adjudicate({ project, queue, item }, given, reviewerOf(caller)),
    }),
    'annotation.export': async ({ project, offset, limit }) => {
      const lines = [...exportLines(projects.record(project))];
      return {
        total: lines.length,
        lines: lines.slice(offset, offset + limit).map((line) => JSON.stringify(line)),
      };
    },
  };
}
