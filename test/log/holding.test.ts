import { describe, expect, it } from 'vitest';
import { openLog, started, SYSTEM } from '../support/log.ts';

describe('reading only what may hold words', () => {
  const texts = [
    'Order 1371-23"',
    'a path C:\\new\\Orders',
    'line one\nline two',
    'nothing of it',
    'Bestellung über 3 €',
    '\u212Aelvin', // KELVIN SIGN: its small letter is k.
    'tab\there and \u007F',
  ];
  const log = openLog();
  log.append('e1', SYSTEM, started());
  for (const reason of texts) log.append('e1', SYSTEM, { kind: 'stop.requested', reason });
  const held = (words: string, after = 0, span = 100): number[] =>
    log.holding('e1', after, span, words).map(({ n }) => n);

  it('leaves none out that holds them, in whatever letters, with quotes and backslashes', () => {
    for (const [index, text] of texts.entries())
      for (let start = 0; start < text.length; start += 1)
        for (const words of [text.slice(start, start + 6), text.slice(start).toUpperCase()])
          if (text.toLowerCase().includes(words.toLowerCase()))
            expect(held(words.toLowerCase()), words).toContain(index + 2);
  });

  it('leaves out what does not, and looks no further than it was told', () => {
    expect(held('order 1371-23"')).toEqual([2, 7]);
    expect(held('c:\\new')).toEqual([3, 7]);
    expect(held('order', 2)).toEqual([3, 7]);
    expect(held('order', 0, 2)).toEqual([2]);
  });
});
