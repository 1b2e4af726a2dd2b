import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/shared/json.ts';

describe('parseJson', () => {
  it.each(['9007199254740993', '-9007199254740993', '1e400', '-0.0', '1.10', '0.12345678901234567890'])(
    'keeps the digits of %s, alone and in objects and lists',
    (digits) => {
      for (const text of [digits, `[${digits}]`, `{"a": ${digits}}`, `{"a":[1,${digits}]}`])
        expect(JSON.stringify(parseJson(text))).toBe(text.replace(': ', ':'));
    },
  );

  it('reads every number that JSON.stringify wrote as that number, however large', () => {
    for (const number of [
      2 ** 53,
      2 ** 53 + 2,
      1e20,
      Number('12345678901234567890'),
      1.7976931348623157e308,
      -(2 ** 60),
    ])
      expect(parseJson(JSON.stringify({ number }))).toEqual({ number });
  });

  it('reads other fractions, digits in texts and broken JSON as JSON.parse does', () => {
    const text = '{"a":0.12345678901234568,"b":" 9007199254740993","c":1e+30}';

    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(() => parseJson('[9007199254740993')).toThrow(SyntaxError);
  });
});
