import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { AGENT, ENVIRONMENT, SYSTEM } from '../../src/shared/events/actor.ts';
import type { EventOf, LogEvent, Recorded } from '../../src/shared/events/vocabulary.ts';

const ARGS = { order_id: 12 };
const generated: LogEvent = {
  kind: 'turn.generated',
  turn: 1,
  content: 'I look.',
  reasoning: null,
  tool_calls: [{ id: 'c1', name: 'get_order', arguments: '{"order_id":12}' }],
  model: null,
  stop_reason: null,
  usage: null,
  latency_ms: null,
};
const proposed: EventOf<'move.proposed'> = {
  kind: 'move.proposed',
  turn: 1,
  call: 't1',
  move: { type: 'call_tool', tool_name: 'get_order', arguments: ARGS },
  repairs: [],
  ignored_calls: 0,
};
const returned: EventOf<'call.returned'> = {
  kind: 'call.returned',
  call: 't1',
  frame: '',
  reward_type: 'tool_call_ok',
  reward: 0,
  done: false,
  text: 'An order of two loaves.',
  error: null,
  latency_ms: null,
};
const READ = { role: 'tool' as const, tool_call_id: 'c1', name: 'get_order' };

const recordOf = (events: readonly LogEvent[]): EpisodeRecord =>
  foldAll(
    'e1',
    events.map((event, index): Recorded => {
      const actor = event.kind === 'call.returned' ? ENVIRONMENT : event === generated ? AGENT : SYSTEM;
      return { seq: index + 1, stream: 'e1', n: index + 1, at: 1_000, actor, event };
    }),
  );
/** What the record says, without the places its facts have in the log. */
const said = ({ turns, messages, counts }: EpisodeRecord) => ({
  turns,
  counts,
  messages: messages.map((message) => ({ ...message, n: 0 })),
});

describe('a fact that stands in the log once', () => {
  it('is the same episode as one that says in events of their own what went out and what the agent read', () => {
    const inFull = recordOf([
      generated,
      proposed,
      { kind: 'call.sent', call: 't1', tool_name: 'get_order', arguments: ARGS },
      returned,
      {
        kind: 'message.added',
        role: 'tool',
        content: 'An order of two loaves.',
        origin: 'environment',
        turn: 1,
        tool_call_id: 'c1',
        name: 'get_order',
        segments: [],
        full_length: 23,
      },
    ]);
    const once = recordOf([generated, { ...proposed, sent: true }, { ...returned, read: READ }]);

    expect(said(once)).toEqual(said(inFull));
    expect(once.messages.map(({ role, n }) => [role, n])).toEqual([
      ['assistant', 1],
      ['tool', 3],
    ]);
  });

  it('is no call that went out, and no message, where the log does not say so', () => {
    const record = recordOf([generated, proposed]);
    expect(record.turns[0]?.call).toBeNull();
    expect(recordOf([generated, proposed, returned]).messages).toHaveLength(1);
    const question: LogEvent = { ...proposed, move: { type: 'list_tools' }, sent: true };
    expect(recordOf([generated, question]).turns[0]?.call).toBeNull();
  });
});
