import { describe, expect, it } from 'vitest';
import { align } from '../../../src/renderer/views/compare/align.ts';
import { alignmentText } from '../../../src/renderer/views/compare/CompareView.tsx';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { started, proposed, returned } from '../../support/log.ts';
import { recordedOf } from '../state/events.ts';

type Made = readonly [tool: string, args: Record<string, number>, result: string];

/** An episode of calls, each with what came back. */
function episode(id: string, calls: readonly Made[]): EpisodeRecord {
  const events = calls.flatMap(([tool, args, result], index): LogEvent[] => {
    const [turn, call] = [index + 1, `c${String(index)}`];
    const native = { content: '', reasoning: null, tool_calls: [], model: null };
    return [
      { kind: 'turn.generated', turn, ...native, stop_reason: null, usage: null, latency_ms: null },
      proposed({ turn, call, move: { type: 'call_tool', tool_name: tool, arguments: args } }),
      { kind: 'call.sent', call, tool_name: tool, arguments: args },
      returned({ call, frame: '', reward_type: null, reward: null, text: result, latency_ms: null }),
    ];
  });
  return foldAll(
    id,
    [started(), ...events].map((event, index) => recordedOf(id, index + 1, event)),
  );
}

const told = (left: readonly Made[], right: readonly Made[]): string[] =>
  align(episode('a', left), episode('b', right)).pairs.map(
    ({ left: one, right: other, difference }) =>
      `${String(one?.turn ?? '-')}:${String(other?.turn ?? '-')} ${difference}`,
  );

describe('two episodes side by side', () => {
  it('share their beginning, then what both did in the same order', () => {
    expect(
      told(
        [
          ['list', {}, 'x'],
          ['find', { id: 1 }, 'x'],
          ['send', {}, 'x'],
        ],
        [
          ['list', {}, 'x'],
          ['open', { id: 9 }, 'x'],
          ['find', { id: 1 }, 'x'],
          ['send', {}, 'x'],
        ],
      ),
    ).toEqual(['1:1 same', '-:2 right', '2:3 same', '3:4 same']);
  });

  it('pair the same tool with other arguments, and tell results apart but for times and UUIDs', () => {
    expect(
      told(
        [
          ['find', { id: 1 }, 'x'],
          ['send', {}, 'at 2026-01-01T10:00:00Z'],
          ['list', {}, 'a'],
        ],
        [
          ['find', { id: 2 }, 'x'],
          ['send', {}, 'at 2026-05-02T11:30:00Z'],
          ['list', {}, 'b'],
        ],
      ),
    ).toEqual(['1:1 arguments', '2:2 same', '3:3 result']);
  });

  it('are told in words what differs', () => {
    const alignment = align(
      episode('a', [['list', {}, 'x']]),
      episode('b', [
        ['list', {}, 'y'],
        ['send', {}, ''],
      ]),
    );

    expect(alignmentText(alignment)).toBe('First 1 step in common · 1 result differs · 1 step only right');
    expect(alignmentText(align(episode('a', []), episode('b', [])))).toBe(
      'No common start · nothing differs',
    );
  });

  it('are paired by place where they are too long for the longest run', () => {
    const long = (args: number): Made[] =>
      Array.from({ length: 2_100 }, (_, i) => ['find', { id: i * args }, 'x'] as const);

    const alignment = align(episode('a', long(1)), episode('b', long(-1)));

    expect(alignment.isWhole).toBe(false);
    expect(alignment.pairs).toHaveLength(2_100);
    expect(alignment.pairs[5]).toMatchObject({ difference: 'arguments', right: { turn: 6 } });
  });
});
