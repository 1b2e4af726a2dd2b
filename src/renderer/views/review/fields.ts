// The questions to a reviewer at one place of an episode, and the meaning of the keys there. Pure.
import { PREFERENCE } from '../../../shared/review/agreement.ts';
import { targetKey } from '../../../shared/review/target.ts';
import type { AnnotationRow, ItemView } from '../../../shared/contract/review.ts';
import type { Dimension, Level, Target, Value } from '../../../shared/events/annotations.ts';

export type MarkedRange = Extract<Target, { on: 'range' }>;
export type ReviewField = {
  /** The same on every step, so that the place in the list stays while steps pass. */
  key: string;
  dimension: Dimension;
  target: Target;
};

type ReviewedPlace = { episode: string; turn: number | null; hasCall: boolean; marked: MarkedRange | null };

/** The questions at a place: about the marked words where there are any, else about the step, then the whole. */
export function fieldsAt(dimensions: readonly Dimension[], place: ReviewedPlace): ReviewField[] {
  const { episode, turn, hasCall, marked } = place;
  const targets: { level: Level; target: Target }[] = [];
  if (marked !== null) targets.push({ level: 'range', target: marked });
  if (turn !== null && marked === null) {
    targets.push({ level: 'step', target: { on: 'step', episode, turn } });
    if (hasCall) targets.push({ level: 'call', target: { on: 'call', episode, turn } });
  }
  if (marked === null) targets.push({ level: 'trajectory', target: { on: 'trajectory', episode } });
  return targets.flatMap(({ level, target }) =>
    dimensions
      .filter(({ on }) => on.includes(level))
      .map((dimension) => ({ key: `${level}:${dimension.id}`, dimension, target })),
  );
}

/** The question which of two is better, asked like any other. */
export const WHICH: Dimension = {
  type: 'category',
  id: PREFERENCE,
  name: 'Which is better',
  description: '',
  on: ['trajectory'],
  is_required: false,
  use: null,
  is_ordered: false,
  options: [
    { id: 'left', label: 'Left is better', description: '' },
    { id: 'tie', label: 'Neither', description: '' },
    { id: 'right', label: 'Right is better', description: '' },
  ],
};

/** Answers on an item, with what was preferred of a pair as the answer to that question. */
export const answersOf = ({
  annotations,
  preferences,
  row: { subject },
  schema_version,
}: ItemView): AnnotationRow[] =>
  subject.type === 'episode'
    ? annotations
    : preferences.map(({ preference, choice, reason: _reason, ...rest }) => ({
        annotation: preference,
        target: { on: 'trajectory', episode: subject.left.episode },
        dimension: PREFERENCE,
        value: { type: 'category', option: choice },
        schema_version,
        ...rest,
      }));

/** The question someone went to, and the place they were at. */
export type ChosenField = { key: string; place: string };
/** A settled question is passed over when the list is opened. */
export type FieldPlace = Pick<ReviewField, 'key' | 'target'> & { isSettled?: boolean };

/** The place of the first question: the words, the step, or the whole episode. */
export const firstFieldPlace = (fields: readonly FieldPlace[]): string =>
  fields[0] === undefined ? '' : targetKey(fields[0].target);

/**
 * The choice that is kept at this place. A question of steps stays while steps pass; one about the whole episode is let
 * go by moving, because its one answer must not change under someone who has gone on to judge a step.
 */
export function keptAt(fields: readonly FieldPlace[], chosen: ChosenField | null): ChosenField | null {
  if (chosen === null || chosen.place === firstFieldPlace(fields)) return chosen;
  return chosen.key.startsWith('trajectory:') ? null : chosen;
}

/** The place of the question that has the keys: the one gone to, else the first that is not settled. */
export function currentIndex(fields: readonly FieldPlace[], chosen: ChosenField | null): number {
  const key = keptAt(fields, chosen)?.key;
  const at = fields.findIndex((field) => field.key === key);
  return Math.max(0, at === -1 ? fields.findIndex(({ isSettled = false }) => !isSettled) : at);
}

export const isAt = (field: ReviewField, given: AnnotationRow): boolean =>
  given.dimension === field.dimension.id && targetKey(given.target) === targetKey(field.target);

/** This reviewer's answer there. */
export const ownAt = (
  field: ReviewField,
  annotations: readonly AnnotationRow[],
  seat: string,
): AnnotationRow | null => annotations.find((one) => one.reviewer === seat && isAt(field, one)) ?? null;

type FieldChoice = { id: string; label: string; description: string };

/** The choices by digit; nothing for text. */
export function choicesOf(dimension: Dimension): FieldChoice[] {
  if (dimension.type === 'free_text') return [];
  if (dimension.type !== 'scale') return dimension.options;
  const { min, max, step, min_label: low, max_label: high } = dimension;
  const count = Math.min(100, Math.floor((max - min) / step + 1e-6) + 1);
  return Array.from({ length: count }, (_, index) => {
    const number = String(Number((min + index * step).toFixed(6)));
    const description = index === 0 ? low : index === count - 1 ? high : '';
    return { id: number, label: number, description };
  });
}

export const isChosen = (value: Value | null, id: string): boolean => {
  if (value === null) return false;
  if (value.type === 'label') return value.options.includes(id);
  if (value.type === 'category') return value.option === id;
  return value.type === 'scale' && String(value.number) === id;
};

/** The value after a choice; null takes it back: the same choice again, or the last label. */
export function valueWithChoice(dimension: Dimension, value: Value | null, id: string): Value | null {
  if (dimension.type === 'label') {
    const before = value?.type === 'label' ? value.options : [];
    const options = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
    return options.length === 0 ? null : { type: 'label', options };
  }
  if (isChosen(value, id)) return null;
  return dimension.type === 'scale'
    ? { type: 'scale', number: Number(id) }
    : { type: 'category', option: id };
}

/** A value in words. */
export function valueText(dimension: Dimension | null, value: Value | null): string {
  if (value === null) return 'nothing';
  const nameOf = (id: string): string =>
    (dimension !== null && 'options' in dimension
      ? dimension.options.find((option) => option.id === id)?.label
      : undefined) ?? id;
  switch (value.type) {
    case 'label':
      return value.options.length === 0 ? 'none of them' : value.options.map(nameOf).join(', ');
    case 'category':
      return nameOf(value.option);
    case 'scale':
      return String(value.number);
    case 'free_text':
      return value.text;
  }
}

const TARGET_LABELS: Readonly<Record<Level, string>> = {
  trajectory: 'the whole episode',
  step: 'turn',
  call: 'the call of turn',
  range: 'words in turn',
};
/** The target of an annotation, in words. */
export const targetLabel = (target: Target): string =>
  target.on === 'trajectory'
    ? TARGET_LABELS.trajectory
    : `${TARGET_LABELS[target.on]} ${String(target.turn ?? 0)}`;
