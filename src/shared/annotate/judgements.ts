// Folding what reviewers and an adjudicator said about one item. Nobody's word replaces another's.
import type { AnnotationEvent, Target } from '../events/annotations.ts';
import type { EventOf, Recorded } from '../events/vocabulary.ts';
import type { ItemRecord } from './record.ts';
import { targetKey } from './target.ts';

export type JudgementEvent = Extract<
  AnnotationEvent,
  {
    kind: `annotation.${string}` | 'correction.given' | 'preference.given' | 'adjudication.given';
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
  const { annotation: id, target, dimension, value, schema_version: schemaVersion } = event;
  const said = { id, ...stamp(recorded, event), target, dimension, value, schemaVersion };
  item.annotations = [
    ...item.annotations.filter(
      (one) =>
        one.reviewer !== said.reviewer || one.dimension !== dimension || !isSameTarget(one.target, target),
    ),
    said,
  ];
}
