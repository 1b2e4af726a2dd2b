import { describe, expect, it } from 'vitest';
import { STARTER } from '../../../src/shared/review/taxonomy.ts';
import type { Dimension } from '../../../src/shared/events/annotations.ts';
import {
  choicesOf,
  currentIndex,
  fieldsAt,
  firstFieldPlace,
  keptAt,
  valueWithChoice,
} from '../../../src/renderer/views/review/fields.ts';
import { dimensionOf, dimensionDraft } from '../../../src/renderer/views/review/schemaDraft.ts';
import { markedPieces } from '../../../src/renderer/views/review/MarkWords.tsx';

const dimension = (id: string): Dimension => {
  const found = STARTER.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

describe('what is asked at a place', () => {
  it('toggles labels one by one, changes a category, and takes either back when chosen again', () => {
    const [failure, outcome, quality] = [dimension('failure'), dimension('outcome'), dimension('quality')];
    const one = valueWithChoice(failure, null, 'no_plan');
    const two = valueWithChoice(failure, one, 'no_check');

    expect(two).toEqual({ type: 'label', options: ['no_plan', 'no_check'] });
    expect(valueWithChoice(failure, one, 'no_plan')).toBeNull();
    expect(valueWithChoice(outcome, { type: 'category', option: 'no' }, 'yes')).toEqual({
      type: 'category',
      option: 'yes',
    });
    expect(valueWithChoice(outcome, { type: 'category', option: 'no' }, 'no')).toBeNull();
    expect(choicesOf(quality).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(valueWithChoice(quality, null, '4')).toEqual({ type: 'scale', number: 4 });
  });

  it('offers every step of a scale of fractions without the noise of binary numbers', () => {
    const quality = dimension('quality');
    if (quality.type !== 'scale') throw new Error('no scale');
    expect(choicesOf({ ...quality, min: 0, max: 0.5, step: 0.1 }).map(({ id }) => id)).toEqual([
      '0',
      '0.1',
      '0.2',
      '0.3',
      '0.4',
      '0.5',
    ]);
  });
});

describe('the question that has the keys', () => {
  const at = (turn: number | null) => fieldsAt(STARTER, { episode: 'e', turn, hasCall: true, marked: null });
  const goTo = (turn: number | null, key: string) => ({ key, place: firstFieldPlace(at(turn)) });
  const current = (turn: number | null, chosen: Parameters<typeof currentIndex>[1]) =>
    at(turn)[currentIndex(at(turn), chosen)]?.key;

  it('is the step’s first once one moves on from a question about the whole episode, and the first again on the way back', () => {
    const quality = goTo(null, 'trajectory:quality');

    expect(current(null, quality)).toBe('trajectory:quality');
    expect(current(2, quality)).toBe('step:step_reward');
    expect(current(null, keptAt(at(2), quality))).toBe('trajectory:failure');
  });

  it('stays the same question of steps from step to step, but lets a question about the whole go', () => {
    expect(current(3, goTo(2, 'step:failure'))).toBe('step:failure');
    expect(current(2, goTo(2, 'trajectory:quality'))).toBe('trajectory:quality');
    expect(current(3, goTo(2, 'trajectory:quality'))).toBe('step:step_reward');
  });

  it('stays where only the whole episode is asked about, since it is the same question everywhere', () => {
    const whole = STARTER.filter(({ on }) => !on.includes('step') && !on.includes('call'));
    const fields = (turn: number | null) =>
      fieldsAt(whole, { episode: 'e', turn, hasCall: true, marked: null });
    const chosen = { key: 'trajectory:quality', place: firstFieldPlace(fields(null)) };
    expect(fields(2)[currentIndex(fields(2), chosen)]?.key).toBe('trajectory:quality');
  });
});

describe('a schema as a form', () => {
  it('comes back as it was when nothing is changed', () => {
    expect(STARTER.map((one) => dimensionOf(dimensionDraft(one)))).toEqual(
      STARTER.map((one) => ({ dimension: one })),
    );
  });

  it('keeps the ids of options that stay, and gives new ones their own', () => {
    const draft = dimensionDraft(dimension('outcome'));
    const read = dimensionOf({ ...draft, options: `Yes: All of it.\nNo\nCan’t tell\nCan’t tell` });
    if (!('dimension' in read) || !('options' in read.dimension)) throw new Error('no options');
    expect(read.dimension.options.map(({ id }) => id)).toEqual(['yes', 'no', 'can_t_tell', 'can_t_tell_2']);
  });
});

it('marks in a text cut it where they begin and end, also where they overlap, and lose no character', () => {
  const text = 'abcdefgh';
  const pieces = markedPieces(text, [
    { start: 1, end: 5, name: 'x' },
    { start: 3, end: 99, name: 'y' },
  ]);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.map((piece) => [piece.text, piece.marks.join('')])).toEqual([
    ['a', ''],
    ['bc', 'x'],
    ['de', 'xy'],
    ['fgh', 'y'],
  ]);
});
