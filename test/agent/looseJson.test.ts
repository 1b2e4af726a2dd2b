import { describe, expect, it } from 'vitest';
import { readJson, readWholeJson } from '../../src/main/agent/looseJson.ts';

/** A small generator with a fixed seed: the same values every run. */
function* values(count: number): Generator<unknown> {
  let state = 42;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const texts = [
    '',
    'a',
    'quote " and \\ slash',
    "it's",
    'line\nbreak',
    '\u2028',
    '😀',
    '</tool_call>',
    '{"x":1}',
    '\t\u0000',
  ];
  const make = (depth: number): unknown => {
    switch (next(depth > 3 ? 5 : 7)) {
      case 0:
        return texts[next(texts.length)];
      case 1:
        return next(2) === 0;
      case 2:
        return null;
      case 3:
        return next(1_000_000) - 500_000;
      case 4:
        return (next(1_000_000) - 500_000) / 997;
      case 5:
        return Array.from({ length: next(4) }, () => make(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: next(4) }, (_, i) => [
            `${texts[next(texts.length)] ?? ''}${String(i)}`,
            make(depth + 1),
          ]),
        );
    }
  };
  for (let i = 0; i < count; i += 1) yield make(0);
}

describe('strict JSON', () => {
  it('reads as itself, and nothing is repaired', () => {
    for (const value of values(3_000)) {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        expect(readWholeJson(text)).toEqual({ ok: true, value, end: text.length, repairs: [] });
      }
    }
  });

  it('keeps a key called __proto__ as data', () => {
    const read = readWholeJson('{"__proto__":{"isAdmin":true}}');

    expect(read.ok && Object.keys(read.value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('ends where the value ends', () => {
    expect(readJson('x = {"a":"}"} and more', 4)).toMatchObject({ ok: true, value: { a: '}' }, end: 13 });
  });
});

describe('a slip', () => {
  it.each([
    ["{'a': 'it is', 'b': [1, 2,],}", { a: 'it is', b: [1, 2] }, ['single_quotes', 'trailing_comma']],
    ['{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }, ['python_literal']],
    ["{'say': \"it's\"}", { say: "it's" }, ['single_quotes']],
    ["{'say': 'it\\'s \"fine\"'}", { say: 'it\'s "fine"' }, ['single_quotes', 'escaped_apostrophe']],
  ])('in %s is mended', (text, value, repairs) => {
    const read = readWholeJson(text);

    expect(read).toMatchObject({ ok: true, value });
    expect(read.ok ? read.repairs.toSorted() : []).toEqual(repairs.toSorted());
  });

  it.each([
    '{"a" 1}',
    '{a: 1}',
    '{"a": 1 "b": 2}',
    '{"a": 01}',
    '{"a": 1.}',
    '[1,,2]',
    "{'a': 'b's'}",
    '{"a": "\\x"}',
    '{} {}',
    '"open',
    '{"a":',
    '',
  ])('that has more than one reading, or none, is not: %s', (text) => {
    expect(readWholeJson(text).ok).toBe(false);
  });

  it('of a forgotten bracket is mended only when the text is known to be whole', () => {
    expect(readWholeJson('{"a":[1,{"b":2}', true)).toMatchObject({
      ok: true,
      value: { a: [1, { b: 2 }] },
      repairs: ['missing_bracket'],
    });
    expect(readWholeJson('{"a":[1,{"b":2}')).toMatchObject({ ok: false, isCutOff: true });
    expect(readWholeJson('{"a":"half', true)).toMatchObject({ ok: false, isCutOff: true });
  });
});

describe('a value that JavaScript would write otherwise', () => {
  it.each(['{"id":9007199254740993}', '[1e999,-0.0,1.10,9007199254740991]'])('is kept in %s', (text) => {
    const read = readWholeJson(text);
    expect(JSON.stringify(read.ok ? read.value : read)).toBe(text);
  });

  it('an argument that is named twice is the last one, and that is said', () => {
    expect(readWholeJson('{"a":1,"a":2}')).toMatchObject({ value: { a: 2 }, repairs: ['duplicate_keys'] });
  });

  it('and what is nested without end does not end us', () => {
    expect(readWholeJson('['.repeat(100_000))).toMatchObject({ ok: false });
  });
});
