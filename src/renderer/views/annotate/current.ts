// Which of the questions at a place has the keys, and whether it can be seen. Pure.
import { targetKey } from '../../../shared/annotate/target.ts';
import type { Level } from '../../../shared/events/annotations.ts';
import type { ReviewField } from './fields.ts';

/** The question someone went to, and the place they were at. */
export type ChosenField = { key: string; place: string };

const OF_WHOLE: `${Level}:` = 'trajectory:';

/** What the first question is about: the words, the step, or the whole episode. */
export const firstFieldPlace = (fields: readonly ReviewField[]): string =>
  fields[0] === undefined ? '' : targetKey(fields[0].target);

/**
 * What is left of a choice at this place. A question of steps stays while steps pass; one about the whole episode is
 * let go by moving, because its one answer must not change under someone who has gone on to judge a step.
 */
export function keptAt(fields: readonly ReviewField[], chosen: ChosenField | null): ChosenField | null {
  if (chosen === null || chosen.place === firstFieldPlace(fields)) return chosen;
  return chosen.key.startsWith(OF_WHOLE) ? null : chosen;
}

/** The place of the question that has the keys: the one gone to, else the first. */
export const currentIndex = (fields: readonly ReviewField[], chosen: ChosenField | null): number =>
  Math.max(
    0,
    fields.findIndex(({ key }) => key === keptAt(fields, chosen)?.key),
  );

type VerticalSpan = { top: number; bottom: number };
/** So much of a question is its name and the first row of answers. */
const ENOUGH_PX = 56;

/** Whether so much of a card is within what scrolls it that its keys can be read. */
export function isShown(card: VerticalSpan, view: VerticalSpan): boolean {
  const seen = Math.min(card.bottom, view.bottom) - Math.max(card.top, view.top);
  return seen > 0 && seen >= Math.min(ENOUGH_PX, card.bottom - card.top, view.bottom - view.top);
}
