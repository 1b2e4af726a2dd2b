import { describe, expect, it } from 'vitest';
import { openLog, reset, started, SYSTEM } from '../support/log.ts';
const began = [
  { actor: SYSTEM, event: started(), at: 400 },
  { actor: SYSTEM, event: reset(), at: null },
];

describe('events of several streams in one transaction', () => {
  it('are all there or none is, and how far the source was taken in stands with them', () => {
    const log = openLog();
    const bad = { actor: SYSTEM, event: { kind: 'no.such.kind' } as never, at: null };
    expect(() =>
      log.appendMany(
        [
          { stream: 'a', entries: began },
          { stream: 'b', entries: [bad] },
        ],
        { name: 'source', value: 7 },
      ),
    ).toThrow();

    expect(log.read('a')).toEqual([]);
    expect(log.record('a').n).toBe(0);
    expect(log.mark('source')).toBe(0);
  });
});
