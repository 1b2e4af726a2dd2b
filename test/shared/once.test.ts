import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { AGENT, ENVIRONMENT, SYSTEM } from '../../src/shared/events/actor.ts';
import type { LogEvent, Recorded } from '../../src/shared/events/vocabulary.ts';
import { generated, proposed, returned } from '../support/log.ts';

const ARGS = { order_id: 12 };
const SAID = generated({
  content: 'I look.',
  tool_calls: [{ id: 'c1', name: 'get_order', arguments: '{"order_id":12}' }],
});
const CALL = proposed({ move: { type: 'call_tool', tool_name: 'get_order', arguments: ARGS } });
const BACK = returned({ text: 'An order of two loaves.' });
const READ = { role: 'tool' as const, tool_call_id: 'c1', name: 'get_order' };

const recordOf = (events: readonly LogEvent[]): EpisodeRecord =>
  foldAll(
    'e1',
    events.map((event, index): Recorded => {
      const actor = event.kind === 'call.returned' ? ENVIRONMENT : event === SAID ? AGENT : SYSTEM;
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
      SAID,
      CALL,
      { kind: 'call.sent', call: 't1', tool_name: 'get_order', arguments: ARGS },
      BACK,
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
    const once = recordOf([SAID, { ...CALL, sent: true }, { ...BACK, read: READ }]);

    expect(said(once)).toEqual(said(inFull));
    expect(once.messages.map(({ role, n }) => [role, n])).toEqual([
      ['assistant', 1],
      ['tool', 3],
    ]);
  });

  it('is no call that went out, and no message, where the log does not say so', () => {
    const record = recordOf([SAID, CALL]);
    expect(record.turns[0]?.call).toBeNull();
    expect(recordOf([SAID, CALL, BACK]).messages).toHaveLength(1);
    const question: LogEvent = { ...CALL, move: { type: 'list_tools' }, sent: true };
    expect(recordOf([SAID, question]).turns[0]?.call).toBeNull();
  });
});
