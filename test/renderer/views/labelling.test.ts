import { describe, expect, it } from 'vitest';
import {
  drawOf,
  NO_LABELLING,
  riskyTurns,
  turnsToLabel,
} from '../../../src/renderer/views/live/LabelCard.tsx';
import { emptyRecord, type Turn } from '../../../src/shared/episode/record.ts';
import { newCall } from '../../../src/shared/episode/turns.ts';

const turn = (number: number, over: Partial<Turn> = {}): Turn => ({
  turn: number,
  at: number,
  n: number,
  content: '',
  reasoning: null,
  toolCalls: [],
  model: null,
  stopReason: null,
  usage: null,
  latency_ms: null,
  callId: `t${String(number)}`,
  move: { type: 'call_tool', tool_name: 'get_run', arguments: { id: number } },
  repairs: [],
  ignoredCalls: 0,
  call: null,
  consultation: null,
  actor: { type: 'agent', id: null },
  isDiscarded: false,
  isCopied: false,
  hasText: true,
  touched: null,
  label: null,
  ...over,
});

describe('which turns wait for a label', () => {
  const refused = {
    ...newCall('t2', 'get_run'),
    refused: { at: 0, reason: 'unknown_tool' as const, text: 'no' },
  };
  const turns = [
    turn(1),
    turn(2, { call: refused }),
    turn(3, { move: { type: 'call_tool', tool_name: 'get_run', arguments: { id: 1 } } }),
    turn(4, { actor: { type: 'human', id: 'seat-one' } }),
    turn(5, { isCopied: true }),
  ];
  const record = { ...emptyRecord('e1'), turns };

  it('is none, each of the agent’s own, or the failed and repeated ones', () => {
    const numbers = (mode: 'off' | 'each' | 'risky', skipped: number[] = []) =>
      turnsToLabel(record, { ...NO_LABELLING, mode, skipped }).map(({ turn: number }) => number);

    expect([numbers('off'), numbers('each'), numbers('risky'), numbers('each', [1])]).toEqual([
      [],
      [1, 2, 3],
      [2, 3],
      [2, 3],
    ]);
    expect([...riskyTurns(turns)]).toEqual([2, 3]);
  });

  it('draws the stated share, the same for the same turn', () => {
    const draws = Array.from({ length: 4000 }, (_, index) => drawOf(`episode-${String(index % 200)}`, index));
    const share = draws.filter((draw) => draw < 0.25).length / draws.length;

    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.28);
    expect(drawOf('e1', 7)).toBe(drawOf('e1', 7));
  });
});
