// Reviewers' good, neutral or bad for single steps: the adjudicator's word first, else the majority.
import { PROCESS_REWARD } from '../../../shared/annotate/taxonomy.ts';
import type { ItemRecord } from '../../../shared/annotate/record.ts';
import { doneBy } from '../../../shared/annotate/seating.ts';
import type { Dimension, Value } from '../../../shared/events/annotations.ts';
import type { EpisodeInput } from './format.ts';

type StepMark = 'good' | 'neutral' | 'bad';

/** Marks by turn. Only finished reviews count. */
export function stepMarks(input: EpisodeInput): Map<number, StepMark> {
  const said = new Map<number, { last: StepMark | null; all: StepMark[] }>();
  const at = (turn: number) => {
    const known = said.get(turn) ?? { last: null, all: [] };
    said.set(turn, known);
    return known;
  };
  for (const item of input.reviews()) {
    const done = new Set(doneBy(item));
    for (const { target, dimension, schemaVersion, value, reviewer } of item.annotations) {
      if (target.on !== 'step' || target.episode !== input.record.id || !done.has(reviewer)) continue;
      const mark = markOfValue(itemDimension(input, item, dimension, schemaVersion), value);
      if (mark !== null) at(target.turn).all.push(mark);
    }
    for (const { target, dimension, schemaVersion, value } of item.adjudications) {
      if (target.on !== 'step' || target.episode !== input.record.id) continue;
      const asked = itemDimension(input, item, dimension, schemaVersion);
      if (asked?.use === 'process_reward')
        at(target.turn).last = value === null ? 'neutral' : markOfValue(asked, value);
    }
  }
  const marks = new Map<number, StepMark>();
  for (const [turn, { last, all }] of said) marks.set(turn, last ?? most(all));
  return marks;
}

/** The schema of its project; without it the one that projects start with. */
export const itemDimension = (
  input: EpisodeInput,
  item: ItemRecord,
  id: string,
  version: number,
): Dimension | null =>
  input.dimension?.(item, id, version) ?? (id === PROCESS_REWARD.id ? PROCESS_REWARD : null);

/** The ends of an ordered category or of a scale; what lies between is neither. */
function markOfValue(dimension: Dimension | null, value: Value): StepMark | null {
  if (dimension?.use !== 'process_reward') return null;
  if (dimension.type === 'category' && value.type === 'category') {
    const place = dimension.options.findIndex(({ id }) => id === value.option);
    if (place === -1) return null;
    return place === dimension.options.length - 1 ? 'good' : place === 0 ? 'bad' : 'neutral';
  }
  if (dimension.type !== 'scale' || value.type !== 'scale') return null;
  const middle = (dimension.min + dimension.max) / 2;
  return value.number > middle ? 'good' : value.number < middle ? 'bad' : 'neutral';
}

/** Reviewers who differ without a last word have said nothing that could be taught. */
function most(marks: readonly StepMark[]): StepMark {
  const count = (mark: StepMark): number => marks.filter((one) => one === mark).length;
  const [good, bad] = [count('good'), count('bad')];
  if (good * 2 > marks.length) return 'good';
  return bad * 2 > marks.length ? 'bad' : 'neutral';
}
