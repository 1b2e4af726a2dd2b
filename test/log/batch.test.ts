import { describe, expect, it } from 'vitest';
import { AGENT, openLog, reset, started, SYSTEM } from '../support/log.ts';

const sent = (call: string) => ({
  actor: AGENT,
  event: { kind: 'call.sent' as const, call, tool_name: 'x', arguments: {} },
  at: 500,
});
const began = [
  { actor: SYSTEM, event: started(), at: 400 },
  { actor: SYSTEM, event: reset(), at: null },
];

describe('events of several streams in one transaction', () => {
  it('are numbered each in its stream, keep the time they happened at, and are folded', () => {
    const log = openLog(':memory:', () => 9_000);
    log.appendMany(
      [
        { stream: 'a', entries: began },
        { stream: 'b', entries: [...began, sent('t1')] },
      ],
      { name: 'source', value: 7 },
    );

    expect(log.read('b').map(({ n, at, seq }) => [n, at, seq])).toEqual([
      [1, 400, 3],
      [2, 9_000, 4],
      [3, 500, 5],
    ]);
    expect(log.record('a').status).toBe('running');
    expect(log.projections.open()).toEqual(['a', 'b']);
    expect(log.mark('source')).toBe(7);
  });

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

  it('are heard one by one, in order, by whoever listens', () => {
    const log = openLog();
    const heard: string[] = [];
    log.subscribe(({ stream, event }, record) => heard.push(`${stream} ${event.kind} ${String(record.n)}`));
    log.appendMany([{ stream: 'a', entries: began }], { name: 'source', value: 1 });

    expect(heard).toEqual(['a episode.started 2', 'a environment.reset 2']);
  });
});
