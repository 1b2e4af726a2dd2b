import { describe, expect, it } from 'vitest';
import { diffTexts } from '../../../src/renderer/parts/text/DiffText.tsx';
import {
  childPath,
  countFound,
  EMPTY_TREE,
  type JsonLine,
  jsonLines,
  parseJsonText,
} from '../../../src/renderer/parts/text/jsonTree.ts';
import { pageEnd } from '../../../src/renderer/parts/text/size.ts';

const paths = (lines: readonly JsonLine[]): string[] => lines.map((line) => line.path);

it('sizes end a page at whole lines, and never inside a character', () => {
  expect(pageEnd('one\ntwo\nthree', 100, 2)).toBe(7);
  expect(pageEnd('short', 100, 5)).toBe(5);
  expect(pageEnd('ab😀cd', 3, 5)).toBe(2);
});

describe('what changed', () => {
  it('is shown by lines, and by words inside a changed line', () => {
    const { parts } = diffTexts('one\ntwo three four\nend', 'one\ntwo 3 four\nend');

    expect(parts).toEqual([
      { type: 'same', text: 'one\ntwo ' },
      { type: 'removed', text: 'three' },
      { type: 'added', text: '3' },
      { type: 'same', text: ' four\nend' },
    ]);
  });

  it('leads from the one text to the other exactly', () => {
    const [before, after] = ['a b\nc\n\nd', 'a x\nc\nnew\nd\n'];
    const { parts } = diffTexts(before, after);
    const text = (skip: string) =>
      parts
        .filter((part) => part.type !== skip)
        .map((part) => part.text)
        .join('');

    expect(text('added')).toBe(before);
    expect(text('removed')).toBe(after);
  });
});

describe('JSON as a tree', () => {
  const value = { orders: [{ id: 1, 'unit price': 3.5 }, { id: 2 }], note: 'late' };

  it('is made of objects and lists only, and never throws at what is neither', () => {
    expect(parseJsonText(' {"a":1}')).toEqual({ a: 1 });
    for (const text of ['12', '"x"', '{broken', 'null', '']) expect(parseJsonText(text)).toBeNull();
  });

  it('opens what is small and gives each value a path other tools read', () => {
    expect(paths(jsonLines(value, EMPTY_TREE))).toEqual([
      '$',
      '$.orders',
      '$.orders[0]',
      '$.orders[0].id',
      '$.orders[0]["unit price"]',
      '$.orders[1]',
      '$.orders[1].id',
      '$.note',
    ]);
    expect(childPath('$', 'object', '__proto__')).toBe('$.__proto__');
  });

  it('closes and opens what the person toggled', () => {
    const closed = jsonLines(value, { ...EMPTY_TREE, toggled: new Set(['$.orders']) });

    expect(paths(closed)).toEqual(['$', '$.orders', '$.note']);
  });

  it('lists a hundred members of a long list, says how many there are, and goes on when asked', () => {
    const long = Array.from({ length: 250 }, (_, index) => index);

    expect(jsonLines(long, EMPTY_TREE).at(-1)).toMatchObject({ type: 'more', shown: 100, size: 250 });
    expect(jsonLines(long, { ...EMPTY_TREE, listed: new Map([['$', 300]]) })).toHaveLength(251);
  });

  it('shows with a query only what leads to a match', () => {
    const lines = jsonLines(value, { ...EMPTY_TREE, query: '3.5' });

    expect(paths(lines)).toEqual(['$', '$.orders', '$.orders[0]', '$.orders[0]["unit price"]']);
    expect(lines.at(-1)).toMatchObject({ isFound: true });
    expect(countFound(value, 'id')).toBe(2);
  });
});
