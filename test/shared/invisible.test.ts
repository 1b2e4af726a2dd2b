import { describe, expect, it } from 'vitest';
import { countInvisible, stretches, withoutInvisible } from '../../src/shared/invisible.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';

type Range = readonly [from: number, to: number];
/** Default_Ignorable_Code_Point as published in the Unicode Character Database (DerivedCoreProperties.txt). */
const IGNORABLE: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
/** General_Category=Cf beyond those, but for the marks that are drawn over what follows them. */
const FORMAT: readonly Range[] = [
  [0xfff9, 0xfffb],
  [0x13430, 0x1343f],
];
/** Controls but tab and line ends, and the separators of lines and paragraphs. */
const CONTROLS: readonly Range[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x2029],
];
const RANGES = [...IGNORABLE, ...FORMAT, ...CONTROLS];

describe('a character that cannot be seen', () => {
  it('is every one that Unicode’s database calls so, and no other, over all code points', () => {
    const differ: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const expected = RANGES.some(([from, to]) => code >= from && code <= to);
      if ((countInvisible(String.fromCodePoint(code)) === 1) !== expected) differ.push(code.toString(16));
    }
    expect(differ).toEqual([]);
  });

  it.each([
    ['an override', 'pay \u202Eevil\u202C', ['RLO', 'PDF']],
    ['zero width in a word', 'pass\u200Bword', ['ZWSP']],
    ['a soft hyphen', 'dele\u00ADte', ['SHY']],
    ['a joiner between Latin letters', 'a\u200Db', ['ZWJ']],
    ['a joiner at the end', 'می\u200C', ['ZWNJ']],
    ['a selector on a letter', 'a\uFE0F', ['U+FE0F']],
    ['a second selector', '❤\uFE0F\uFE0F', ['U+FE0F']],
    ['an escape sequence', '\u001B[31mred', ['ESC']],
    ['words in tag characters', 'ok\u{E0068}\u{E0069}\u{E0021}\u{E0021}', ['4 hidden: “hi!!”']],
    ['tags after a flag that is none', '\u{1F3F4}\u{E0078}\u{E0078}\u{E007F}', ['U+E0078 U+E0078 U+E007F']],
  ])('is named: %s', (_what, text, labels) => {
    expect(stretches(text).flatMap(({ mark }) => (mark === null ? [] : [mark.label]))).toEqual(labels);
    expect(countInvisible(text)).toBeGreaterThan(0);
    expect(countInvisible(withoutInvisible(text))).toBe(0);
  });

  it.each([
    ['Arabic', 'مرحبا بالعالم'],
    ['Hebrew', 'שלום עולם'],
    ['Persian with its joiner', 'می\u200Cخواهم'],
    ['Hindi with its joiner', 'क्\u200Dष'],
    ['a family', '👩\u200D👩\u200D👧\u200D👦'],
    ['a heart on fire', '❤\uFE0F\u200D🔥'],
    ['a person of a skin tone at work', '👩🏽\u200D💻'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['the flag of Scotland', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['an ideograph with its variant', '葛\u{E0100}'],
    ['a year under its Arabic sign', '\u0601١٤٤٥'],
    ['lines and tabs', 'a\tb\r\nc'],
  ])('is left alone where it belongs: %s', (_what, text) => {
    expect(countInvisible(text)).toBe(0);
    expect(withoutInvisible(text)).toBe(text);
  });

  it('is marked without a change to the text, whatever stands where', () => {
    const pool = [
      'a',
      ' ',
      '\u200D',
      '\u200B',
      '👩',
      'م',
      '\uFE0F',
      '\u202E',
      '\u{E0041}',
      '\n',
      '\ud800',
      '\u{1F3F4}',
    ];
    const random = seededRandom(7);
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from({ length: 12 }, () => pool[Math.floor(random() * pool.length)]).join('');
      const found = stretches(text);
      expect(found.map((stretch) => stretch.text).join('')).toBe(text);
      const left = countInvisible(withoutInvisible(text));
      expect(left === 0 || left < countInvisible(text)).toBe(true);
    }
  });
});
