// Records what a reviewer says about an item: checked against the schema and the episode, then committed.
import { wrongValue } from '../../shared/review/check.ts';
import { CORRECTION, PREFERENCE } from '../../shared/review/agreement.ts';
import { episodesOf } from '../../shared/review/target.ts';
import type { Inputs } from '../../shared/contract/contract.ts';
import { seatActor, type Timing } from '../../shared/events/actor.ts';
import {
  projectStream,
  type AnnotationEvent,
  type Target,
  type Value,
} from '../../shared/events/annotations.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Projects } from './projects.ts';
import { checkMine } from './queues.ts';
import {
  findItem,
  reviewerPrivilege,
  type ItemAddress,
  type Reviewer,
  type ReviewerItem,
} from './reviewer.ts';

type Given = Inputs['annotation.give'];
type Adjudicated = Omit<Inputs['annotation.adjudicate'], keyof ItemAddress>;

export type Judge = {
  /** A value, what the agent should have done, or which of two is better; answers with its id. */
  give(given: Given, reviewer: Reviewer): string;
  withdraw(at: ItemAddress, annotation: string, reviewer: Reviewer): void;
  /** The last word on what reviewers differ on; answers with its id. */
  adjudicate(at: ItemAddress, given: Adjudicated, reviewer: Reviewer): string;
};

type JudgeDependencies = { log: EventLog; projects: Projects; clock: () => number; newId: () => string };

export function createJudge({ log, projects, clock, newId }: JudgeDependencies): Judge {
  const commit = (at: ItemAddress, { seat }: Reviewer, event: AnnotationEvent): void => {
    log.append(projectStream(at.project), seatActor(seat), event);
  };
  const mine = (at: ItemAddress, reviewer: Reviewer): ReviewerItem => {
    const found = findItem(projects, at, reviewer);
    checkMine(found, reviewer, clock());
    return found;
  };
  /** What stands on each judgement. */
  const stamp = ({ queue, item }: ReviewerItem, { seat }: Reviewer, timing: Timing) => ({
    queue: queue.queue,
    item: item.item,
    privilege: reviewerPrivilege(log, queue, item, seat),
    timing,
  });
  return {
    give: (given, reviewer) => {
      const found = mine(given, reviewer);
      const id = newId();
      commit(given, reviewer, {
        ...judgement(log, id, given, found),
        ...stamp(found, reviewer, given.timing),
      });
      return id;
    },
    withdraw: (at, annotation, reviewer) => {
      const { item } = mine(at, reviewer);
      const own = [...item.annotations, ...item.corrections, ...item.preferences];
      if (!own.some(({ id, reviewer: by }) => id === annotation && by === reviewer.seat)) {
        throw new Failure('not_found', 'this is not there any more, or is not yours');
      }
      commit(at, reviewer, { kind: 'annotation.withdrawn', annotation, queue: at.queue, item: at.item });
    },
    adjudicate: (at, { target, dimension, value, correct, reason, timing }, reviewer) => {
      const found = findItem(projects, at, reviewer);
      checkTarget(log, found, target);
      if (dimension === CORRECTION ? value !== null : correct !== undefined) {
        throw new Failure('bad_input', 'what the agent should have done is no value of a question');
      }
      if (value !== null && dimension !== PREFERENCE) checkValue(found, target, dimension, value);
      const adjudication = newId();
      commit(at, reviewer, {
        kind: 'adjudication.given',
        adjudication,
        target,
        dimension,
        value,
        ...(correct === undefined ? {} : { correct }),
        schema_version: found.project.schema.version,
        reason,
        ...stamp(found, reviewer, timing),
      });
      return adjudication;
    },
  };
}

/** The judgement, checked against the schema and the episode. */
function judgement(log: EventLog, id: string, given: Given, found: ReviewerItem) {
  if (given.as === 'preference') {
    const { subject } = found.item;
    if (subject.type !== 'pair') throw new Failure('bad_input', 'this item is one episode, not two');
    const { left, right } = subject;
    const { choice, reason } = given;
    return { kind: 'preference.given' as const, preference: id, left, right, choice, reason };
  }
  const { target } = given;
  checkTarget(log, found, target);
  if (given.as === 'correction') {
    const { correct, reason } = given;
    return { kind: 'correction.given' as const, correction: id, target, correct, reason };
  }
  const { dimension, value } = given;
  checkValue(found, target, dimension, value);
  const { version: schema_version } = found.project.schema;
  return { kind: 'annotation.given' as const, annotation: id, target, dimension, value, schema_version };
}

function checkValue({ project }: ReviewerItem, target: Target, id: string, value: Value): void {
  const dimension = project.schema.dimensions.find((one) => one.id === id);
  if (dimension === undefined) {
    throw new Failure('bad_input', `the schema has no dimension ${id} any more`, {
      next: 'Load the item again.',
    });
  }
  const wrong = dimension.on.includes(target.on)
    ? wrongValue(dimension, value)
    : `“${dimension.name}” is not asked about a ${target.on}`;
  if (wrong !== null) throw new Failure('bad_input', wrong);
}

/** A target is part of an episode of the item: a turn that is there, characters that are. */
function checkTarget(log: EventLog, { item }: ReviewerItem, target: Target): void {
  if (!episodesOf(item.subject).includes(target.episode)) {
    throw new Failure('bad_input', 'this item is about another episode');
  }
  if (target.on === 'trajectory') return;
  const record = log.record(target.episode);
  if (target.on === 'range') {
    if (target.n > record.n) throw new Failure('bad_input', `the episode has no event ${String(target.n)}`);
    if (target.start >= target.end) throw new Failure('bad_input', 'no characters are selected');
    return;
  }
  if (!record.turns.some(({ turn }) => turn === target.turn)) {
    throw new Failure('bad_input', `the episode has no turn ${String(target.turn)}`);
  }
}
