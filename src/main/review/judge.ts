// Records what a reviewer says about an item: checked against the schema and the episode, then committed.
import { wrongValue } from '../../shared/annotate/check.ts';
import { CORRECTION, PREFERENCE } from '../../shared/annotate/agreement.ts';
import { episodesOf } from '../../shared/annotate/target.ts';
import { seatActor, type Timing } from '../../shared/events/actor.ts';
import {
  projectStream,
  type AnnotationEvent,
  type Correct,
  type Dimension,
  type Target,
  type Value,
} from '../../shared/events/annotations.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import { reviewerPrivilege } from './privilege.ts';
import type { Projects } from './projects.ts';
import { checkMine } from './queues.ts';
import { findItem, type ReviewerItem, type ItemAddress, type Reviewer } from './reviewer.ts';

type AdjudicatedFields = Pick<
  EventOf<'adjudication.given'>,
  'target' | 'dimension' | 'value' | 'correct' | 'reason'
> & {
  timing: Timing;
};
type GivenAnnotation = {
  target: Target;
  dimension: string;
  value: Value;
  timing: Timing;
};

export type Judge = {
  annotate(at: ItemAddress, given: GivenAnnotation, reviewer: Reviewer): string;
  withdraw(at: ItemAddress, annotation: string, reviewer: Reviewer): void;
  correct(
    at: ItemAddress,
    given: { target: Target; correct: Correct; reason: string | null; timing: Timing },
    reviewer: Reviewer,
  ): string;
  prefer(
    at: ItemAddress,
    given: { choice: 'left' | 'right' | 'tie'; reason: string | null; timing: Timing },
    reviewer: Reviewer,
  ): string;
  adjudicate(at: ItemAddress, given: AdjudicatedFields, reviewer: Reviewer): string;
};

type JudgementDependencies = { log: EventLog; projects: Projects; clock: () => number; newId: () => string };

export const createJudge = (parts: JudgementDependencies): Judge => ({
  ...createJudgementWriter(parts),
  ...createAdjudication(parts),
});

/** What every judgement needs: the item while it is the reviewer's, what stands on each event, and the commit. */
function createGround({ log, projects, clock }: JudgementDependencies) {
  const open = (at: ItemAddress, reviewer: Reviewer): ReviewerItem => {
    const found = findItem(projects, at, reviewer);
    checkMine(found, reviewer, clock());
    return found;
  };
  const base = (at: ItemAddress, { queue, item }: ReviewerItem, { seat }: Reviewer, timing: Timing) => ({
    queue: at.queue,
    item: at.item,
    privilege: reviewerPrivilege(log, queue, item, seat),
    timing,
  });
  const commit = (at: ItemAddress, { seat }: Reviewer, event: AnnotationEvent): void => {
    log.append(projectStream(at.project), seatActor(seat), event);
  };
  return { open, base, commit };
}

/** A reviewer's own words about an episode. */
function createJudgementWriter(
  parts: JudgementDependencies,
): Pick<Judge, 'annotate' | 'withdraw' | 'correct'> {
  const { log, newId } = parts;
  const { open, base, commit } = createGround(parts);
  return {
    annotate: (at, { target, dimension, value, timing }, reviewer) => {
      const found = open(at, reviewer);
      checkTarget(log, found, target);
      checkDimensionValue(found, target, dimension, value);
      const annotation = newId();
      const said = base(at, found, reviewer, timing);
      commit(at, reviewer, {
        kind: 'annotation.given',
        annotation,
        target,
        dimension,
        value,
        schema_version: found.project.schema.version,
        ...said,
      });
      return annotation;
    },
    withdraw: (at, annotation, reviewer) => {
      const { item } = open(at, reviewer);
      const own = [...item.annotations, ...item.corrections, ...item.preferences];
      if (!own.some(({ id, reviewer: by }) => id === annotation && by === reviewer.seat)) {
        throw new Failure('not_found', 'this is not there any more, or is not yours');
      }
      commit(at, reviewer, { kind: 'annotation.withdrawn', annotation, queue: at.queue, item: at.item });
    },
    correct: (at, { target, correct, reason, timing }, reviewer) => {
      const found = open(at, reviewer);
      checkTarget(log, found, target);
      const correction = newId();
      const said = base(at, found, reviewer, timing);
      commit(at, reviewer, { kind: 'correction.given', correction, target, correct, reason, ...said });
      return correction;
    },
  };
}

/** Choosing between what others did or said. */
function createAdjudication(parts: JudgementDependencies): Pick<Judge, 'prefer' | 'adjudicate'> {
  const { log, projects, newId } = parts;
  const { open, base, commit } = createGround(parts);
  return {
    prefer: (at, { choice, reason, timing }, reviewer) => {
      const found = open(at, reviewer);
      const { subject } = found.item;
      if (subject.type !== 'pair') throw new Failure('bad_input', 'this item is one episode, not two');
      const { left, right } = subject;
      const preference = newId();
      const said = base(at, found, reviewer, timing);
      commit(at, reviewer, { kind: 'preference.given', preference, left, right, choice, reason, ...said });
      return preference;
    },
    adjudicate: (at, { target, dimension, value, correct, reason, timing }, reviewer) => {
      const found = findItem(projects, at, reviewer);
      checkTarget(log, found, target);
      if (dimension === CORRECTION ? value !== null : correct !== undefined) {
        throw new Failure('bad_input', 'what the agent should have done is no value of a question');
      }
      if (value !== null && dimension !== PREFERENCE) checkDimensionValue(found, target, dimension, value);
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
        ...base(at, found, reviewer, timing),
      });
      return adjudication;
    },
  };
}

function checkDimensionValue({ project }: ReviewerItem, target: Target, id: string, value: Value): Dimension {
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
  return dimension;
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
