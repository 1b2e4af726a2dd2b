import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/shared/plan.ts';
import { ADVICE_MAX, piecesOf, READ_MAX, truncate, truncateMiddle } from '../../src/shared/truncate.ts';

const OVERLAP = 16 * 1024;
const words = (length: number): string =>
  Array.from({ length: Math.ceil(length / 8) }, (_, at) => String(at).padStart(7, 'w')).join(' ');

describe('a text that is only looked at', () => {
  it('is itself up to the bound, and its beginning beyond', () => {
    const text = words(2 * READ_MAX);

    expect(truncate(text.slice(0, READ_MAX))).toBe(text.slice(0, READ_MAX));
    expect(truncate(text)).toBe(text.slice(0, READ_MAX));
    expect(truncateMiddle(text)).toBe(`${text.slice(0, READ_MAX / 2)}\n${text.slice(-READ_MAX / 2)}`);
  });

  it.each(['😀', 'a😀', 'ab😀'])('is never cut inside of a character: %s', (unit) => {
    const text = unit.repeat(READ_MAX);

    const cuts = [truncate(text), truncate(text, 5), truncateMiddle(text), ...piecesOf(text, OVERLAP)];

    expect(cuts.every((cut) => cut.isWellFormed())).toBe(true);
  });

  it('is never an advice that a person sends: that is read whole', () => {
    expect(ADVICE_MAX).toBeLessThanOrEqual(READ_MAX);
  });

  it('is no plan where only half of it would be read', () => {
    const plan = JSON.stringify({ plan: [{ tool: 'find_user', args: { query: 'a'.repeat(READ_MAX) } }] });
    const lines = `find_user({"query":"a"})\n${' '.repeat(READ_MAX)}`;

    expect([parsePlan(plan).form, parsePlan(lines).form]).toEqual(['none', 'none']);
  });
});

describe('a text that is read in pieces', () => {
  it.each([
    ['words', words(5 * READ_MAX)],
    ['lines', words(5 * READ_MAX).replaceAll(' ', '\n')],
    ['one long word', 'a'.repeat(5 * READ_MAX)],
    ['spaces', ' '.repeat(5 * READ_MAX)],
    ['a short text', 'a b'],
    ['nothing', ''],
  ])('is read whole, each piece within the bound: %s', (_name, text) => {
    const pieces = [...piecesOf(text)];

    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(READ_MAX);
  });

  it.each([...Array(40).keys()])('shows what stands across an end whole, at place %i', (at) => {
    const text = words(3 * READ_MAX);
    const place = READ_MAX - OVERLAP + at * 997;
    const sought = text.slice(place, place + OVERLAP - 20);

    expect([...piecesOf(text, OVERLAP)].some((piece) => piece.includes(sought))).toBe(true);
  });
});
