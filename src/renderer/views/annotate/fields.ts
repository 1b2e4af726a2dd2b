// What is asked of a reviewer at one place of an episode, and what the keys there mean. Pure.
import { targetKey } from '../../../shared/annotate/target.ts';
import type { AnnotationRow } from '../../../shared/contract/annotate.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { Dimension, Level, Target, Value } from '../../../shared/events/annotations.ts';

export type MarkedRange = Extract<Target, { on: 'range' }>;
export type ReviewField = {
  /** The same on every step, so that the place in the list stays while steps pass. */
  key: string;
  dimension: Dimension;
  target: Target;
};

type FieldTargetPlace = {
  episode: string;
  turn: number | null;
  hasCall: boolean;
  marked: MarkedRange | null;
};

/** The questions at a place: about the marked words where there are any, else about the step, then the whole. */
export function fieldsAt(dimensions: readonly Dimension[], place: FieldTargetPlace): ReviewField[] {
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

type SaidValue = { dimension: string; target: Target };
const isAt =
  ({ dimension, target }: ReviewField) =>
  (one: SaidValue): boolean =>
    one.dimension === dimension.id && targetKey(one.target) === targetKey(target);

/** What this reviewer said there. */
export const ownAt = (
  field: ReviewField,
  annotations: readonly AnnotationRow[],
  seat: string,
): AnnotationRow | null => annotations.filter(({ reviewer }) => reviewer === seat).find(isAt(field)) ?? null;

type FieldChoice = { id: string; label: string; description: string };

/** What can be chosen by a digit; nothing for text. */
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

/** Fewer judgements than this say little, whatever comes out. */
const FEW_CHOICES = 10;

/** How alpha is usually read; the number always stands beside it. */
export function alphaLabel(alpha: number | null, units: number): string {
  if (alpha === null) return 'not enough data';
  if (units < FEW_CHOICES) return 'from few judgements';
  if (alpha >= 0.8) return 'reliable';
  if (alpha >= 0.667) return 'tentative';
  return alpha > 0 ? 'weak' : 'no better than chance';
}
export const alphaText = (alpha: number | null): string => (alpha === null ? '–' : alpha.toFixed(2));
export const shareText = (share: number | null): string =>
  share === null ? '–' : `${String(Math.round(share * 100))} %`;

const TARGET_LABELS: Readonly<Record<Level, string>> = {
  trajectory: 'the whole episode',
  step: 'turn',
  call: 'the call of turn',
  range: 'words in turn',
};
/** Where something was said, in words. */
export const targetLabel = (target: Target): string =>
  target.on === 'trajectory'
    ? TARGET_LABELS.trajectory
    : `${TARGET_LABELS[target.on]} ${String(target.turn ?? 0)}`;

/** The keys of the first answers on a card where something is decided. */
export const CHOICE_KEYS = [
  'annotate.option_1',
  'annotate.option_2',
  'annotate.option_3',
  'annotate.option_4',
] as const;

/** Digits for the first of some acts. */
export const choiceBindings = (acts: readonly (() => void)[]): Bindings =>
  Object.fromEntries(
    acts.flatMap((act, place) => {
      const key = CHOICE_KEYS[place];
      return key === undefined ? [] : [[key, act]];
    }),
  );
