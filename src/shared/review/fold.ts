// The one fold from a project's events to its record. Pure but for the record it is given: no clock, no id, no I/O.
import { isAnnotationEvent, type AnnotationEvent, type Target } from '../events/annotations.ts';
import type { EventOf, Recorded } from '../events/vocabulary.ts';
import { NO_TIMING, seatAt } from './seating.ts';
import { targetKey } from './target.ts';
import { emptyProject, type Annotation, type ItemRecord, type ProjectRecord } from './record.ts';

/**
 * One more event, folded into the record in place: a project may hold a hundred thousand annotations. An event at or
 * before the record's `n` changes nothing.
 */
export function foldInto(record: ProjectRecord, recorded: Recorded): void {
  if (recorded.n <= record.n) return;
  record.n = recorded.n;
  record.updatedAt = recorded.at;
  if (isAnnotationEvent(recorded.event)) apply(record, recorded, recorded.event);
}

/** The record of a whole stream. */
export function foldProject(id: string, events: Iterable<Recorded>): ProjectRecord {
  const record = emptyProject(id);
  for (const recorded of events) foldInto(record, recorded);
  return record;
}

function apply(record: ProjectRecord, recorded: Recorded, event: AnnotationEvent): void {
  switch (event.kind) {
    case 'project.created':
      record.createdAt = recorded.at;
      record.name = event.name;
      record.instructions = event.instructions;
      return;
    case 'project.changed':
      record.name = event.name;
      record.instructions = event.instructions;
      return;
    case 'schema.defined':
      record.schema = { version: event.version, dimensions: event.dimensions };
      record.schemas.set(event.version, event.dimensions);
      return;
    case 'queue.made': {
      const { kind: _kind, ...made } = event;
      record.queues.set(event.queue, { ...made, madeAt: recorded.at, items: [] });
      return;
    }
    case 'items.added':
      return addItems(record, recorded, event);
    default: {
      const item = record.items.get(event.item);
      if (item !== undefined) applyToItem(item, recorded, event);
    }
  }
}

function addItems(record: ProjectRecord, { at }: Recorded, event: EventOf<'items.added'>): void {
  const queue = record.queues.get(event.queue);
  if (queue === undefined) return;
  for (const { item, subject, reviewers } of event.items) {
    if (record.items.has(item)) continue;
    const added: ItemRecord = {
      item,
      queue: event.queue,
      subject,
      reviewers,
      addedAt: at,
      seats: new Map(),
      annotations: [],
      corrections: [],
      preferences: [],
      adjudications: [],
    };
    queue.items.push(added);
    record.items.set(item, added);
  }
}

type ItemEvent = JudgementEvent | Extract<AnnotationEvent, { kind: `item.${string}` }>;

function applyToItem(item: ItemRecord, recorded: Recorded, event: ItemEvent): void {
  switch (event.kind) {
    case 'item.assigned':
      item.reviewers = event.reviewers;
      return;
    case 'item.leased':
      return seatAt(item, recorded, { state: 'leased', until: event.until });
    case 'item.skipped':
      return seatAt(item, recorded, { state: 'skipped', reason: event.reason, timing: event.timing });
    case 'item.postponed':
      return seatAt(item, recorded, { state: 'postponed', timing: event.timing });
    case 'item.done':
      return seatAt(item, recorded, { state: 'done', timing: event.timing });
    case 'item.reopened':
      return seatAt(item, recorded, { state: 'open', timing: NO_TIMING });
    default:
      foldJudgement(item, recorded, event);
  }
}

type JudgementEvent = Extract<
  AnnotationEvent,
  {
    kind: `annotation.${string}` | 'correction.given' | 'preference.given' | 'adjudication.given';
  }
>;

const isSameTarget = (a: Target, b: Target): boolean => targetKey(a) === targetKey(b);

/** Nobody's word replaces another's. */
function foldJudgement(item: ItemRecord, recorded: Recorded, event: JudgementEvent): void {
  switch (event.kind) {
    case 'annotation.given': {
      const { annotation: id, target, dimension, value, schema_version: schemaVersion } = event;
      const said = { id, ...stamp(recorded, event), target, dimension, value, schemaVersion };
      const isReplaced = (one: Annotation): boolean =>
        one.reviewer === said.reviewer && one.dimension === dimension && isSameTarget(one.target, target);
      item.annotations = [...item.annotations.filter((one) => !isReplaced(one)), said];
      return;
    }
    case 'annotation.withdrawn':
      item.annotations = item.annotations.filter(({ id }) => id !== event.annotation);
      item.corrections = item.corrections.filter(({ id }) => id !== event.annotation);
      item.preferences = item.preferences.filter(({ id }) => id !== event.annotation);
      return;
    case 'correction.given': {
      const { correction: id, target, correct, reason } = event;
      const said = { id, ...stamp(recorded, event), target, correct, reason };
      item.corrections = [
        ...item.corrections.filter(
          (one) => one.reviewer !== said.reviewer || !isSameTarget(one.target, target),
        ),
        said,
      ];
      return;
    }
    case 'preference.given': {
      const { preference: id, left, right, choice, reason } = event;
      const said = { id, ...stamp(recorded, event), left, right, choice, reason };
      item.preferences = [...item.preferences.filter(({ reviewer }) => reviewer !== said.reviewer), said];
      return;
    }
    case 'adjudication.given': {
      const { adjudication: id, target, dimension, value, schema_version: schemaVersion, reason } = event;
      const { correct = null } = event;
      const said = {
        id,
        ...stamp(recorded, event),
        target,
        dimension,
        value,
        correct,
        schemaVersion,
        reason,
      };
      item.adjudications = [
        ...item.adjudications.filter(
          (one) => one.dimension !== dimension || !isSameTarget(one.target, target),
        ),
        said,
      ];
      return;
    }
  }
}

const stamp = (
  { at, actor }: Recorded,
  { privilege, timing }: Pick<EventOf<'annotation.given'>, 'privilege' | 'timing'>,
) => ({
  at,
  reviewer: actor.id ?? '',
  privilege,
  timing,
});
