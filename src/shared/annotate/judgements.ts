// Folding what reviewers, a model and an adjudicator said about one item. Nobody's word replaces another's.
import type { AnnotationEvent, Target } from '../events/annotations.ts';
import type { EventOf, Recorded } from '../events/vocabulary.ts';
import type { ItemRecord } from './record.ts';
import { targetKey } from './target.ts';

export type JudgementEvent = Extract<
  AnnotationEvent,
  {
    kind:
      | `annotation.${string}`
      | `prelabel.${string}`
      | 'correction.given'
      | 'preference.given'
      | 'adjudication.given';
  }
>;

const isSameTarget = (a: Target, b: Target): boolean => targetKey(a) === targetKey(b);

export function foldJudgement(item: ItemRecord, recorded: Recorded, event: JudgementEvent): void {
  switch (event.kind) {
    case 'annotation.given':
      return annotate(item, recorded, event);
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
    default:
      foldPrelabel(item, recorded, event);
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

function annotate(item: ItemRecord, recorded: Recorded, event: EventOf<'annotation.given'>): void {
  const { annotation: id, target, dimension, value, schema_version: schemaVersion, prelabel } = event;
  const said = { id, ...stamp(recorded, event), target, dimension, value, schemaVersion, prelabel };
  item.annotations = [
    ...item.annotations.filter(
      (one) =>
        one.reviewer !== said.reviewer || one.dimension !== dimension || !isSameTarget(one.target, target),
    ),
    said,
  ];
}

function foldPrelabel(
  item: ItemRecord,
  { at, actor }: Recorded,
  event: Extract<JudgementEvent, { kind: `prelabel.${string}` }>,
): void {
  switch (event.kind) {
    case 'prelabel.suggested': {
      const { prelabel: id, target, dimension, value, schema_version, rationale, model } = event;
      item.prelabelFailure = null;
      item.prelabels = [
        ...item.prelabels.filter((one) => one.dimension !== dimension || !isSameTarget(one.target, target)),
        { id, at, target, dimension, value, schemaVersion: schema_version, rationale, model, decisions: [] },
      ];
      return;
    }
    case 'prelabel.failed':
      item.prelabelFailure = { code: event.code, message: event.message };
      return;
    case 'prelabel.decided': {
      const decision = { reviewer: actor.id ?? '', at, outcome: event.outcome };
      item.prelabels = item.prelabels.map((one) =>
        one.id === event.prelabel
          ? {
              ...one,
              decisions: [
                ...one.decisions.filter(({ reviewer }) => reviewer !== decision.reviewer),
                decision,
              ],
            }
          : one,
      );
    }
  }
}
