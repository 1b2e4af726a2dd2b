import { describe, expect, it } from 'vitest';
import { attemptsBefore, fateWords, troubleBefore } from '../../src/shared/episode/attempts.ts';
import { uptakeOf } from '../../src/shared/episode/uptake.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { forkText } from '../../src/renderer/parts/timeline/useFork.ts';
import { rowsOf } from '../../src/shared/timeline/rows.ts';
import { triedText } from '../../src/renderer/parts/advice/Attempts.tsx';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { episode, EXPERT, type Builder } from '../renderer/parts/episodes.ts';
import { generated, proposed } from '../support/log.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const CALL = { type: 'call_tool' as const, tool_name: 'get_order', arguments: { order_id: 12 } };
/** A call that waits for a person; it is the newest one. */
const heldCall = (builder: Builder): { builder: Builder; call: string } => {
  builder.turn(CALL, 'I look.').hold();
  return { builder, call: builder.record().turns.at(-1)?.callId ?? '' };
};
const decided = (builder: Builder, event: (call: string) => LogEvent, afterMs = 0): Builder => {
  const held = heldCall(builder);
  return builder.add(EXPERT, event(held.call), afterMs);
};
const reject = (call: string): LogEvent => ({
  kind: 'call.rejected',
  call,
  reason: 'the wrong order',
  privilege: [],
  seen_seq: 1,
  timing: TIMING,
});
const answer = (call: string): LogEvent => ({
  kind: 'call.answered',
  call,
  text: '{"id": 2}',
  is_error: false,
  privilege: [],
  seen_seq: 1,
  timing: TIMING,
});

describe('what was tried before an ask', () => {
  it('tells a rejected call and a person’s result from calls that went through', () => {
    const builder = decided(decided(episode().open(), reject), answer);
    const attempts = attemptsBefore(builder.record(), 9);

    expect(attempts.map(({ fate }) => fate)).toEqual(['rejected', 'answered']);
    expect(attempts.map(fateWords)).toEqual([
      'was not sent; a person rejected it: the wrong order',
      'was not sent; a person gave its result',
    ]);
    expect(triedText(attempts)).toBe('What it tried: the last 2 calls, none failed, 2 not sent');
  });

  it('says which moves a person made in the agent’s place, and which of them do not count', () => {
    const builder = episode().open();
    builder.add(EXPERT, generated());
    builder
      .add(EXPERT, proposed({ move: CALL }))
      .add(EXPERT, { kind: 'call.sent', call: 't1', tool_name: 'get_order', arguments: {} })
      .add(EXPERT, { kind: 'correction.discarded', from_turn: 1, to_turn: 1, reason: null });

    expect(attemptsBefore(builder.record(), 9)).toMatchObject([{ by: 'human', is_discarded: true }]);
  });

  it('counts errors in a row past calls that were never sent', () => {
    const builder = episode().open().call('get_order', { order_id: 'x' }, { error: 'no such order' });

    expect(troubleBefore(decided(builder, reject).record(), 9)).toEqual({
      error_streak: 1,
      repeated_calls: 0,
    });
  });
});

describe('advice', () => {
  const plan = JSON.stringify({ plan: [{ tool: 'get_order', args: { order_id: 12 } }] });
  const advised = () => episode().open().ask('Which?').approve('send', plan).deliver('advice', plan);
  const uptake = (builder: Builder) => {
    const record = builder.record();
    const [consultation] = record.consultations;
    return consultation === undefined ? null : uptakeOf(record, consultation);
  };

  it('is not followed by a call that only waits, nor by one a person rejected', () => {
    expect(uptake(heldCall(advised()).builder)).toBeNull();
    expect(uptake(decided(advised(), reject))).toBeNull();
    expect(uptake(decided(advised(), reject).end('incomplete'))).toMatchObject({ verdict: 'ignored' });
    expect(uptake(advised().call('get_order', { order_id: 12 }, { text: '{}' }))).toMatchObject({
      verdict: 'followed',
    });
  });
});

it('lines of an episode that goes on from another are marked where they were copied, decisions and notes too', () => {
  const builder = decided(episode().open(), reject)
    .add(EXPERT, { kind: 'note.interjected', note: 'n1', text: 'Look.', privilege: [], timing: TIMING })
    .add(SYSTEM, {
      kind: 'episode.forked',
      from: 'e0',
      from_turn: 1,
      why: 'fork',
      replayed: 0,
      drift: [],
      carried: { rules: 1, breakpoints: 0 },
    })
    .turn({ type: 'final', text: 'Done.' }, 'Done.');
  const rows = rowsOf(builder.record());
  const copied = rows.filter(({ isCopied }) => isCopied).map(({ name }) => name);

  expect(copied).toEqual(['Reset', 'Tools listed', 'Look up order 12', 'Call rejected', 'Note to the agent']);
  expect(rows.find(({ name }) => name === 'Continues another episode')?.detail).toContain(
    '1 approval rule holds here too',
  );
});

it('a fork of the final answer says that it goes on before it, and what holds there too', () => {
  const record = {
    ...episode().open().turn({ type: 'final', text: 'Done.' }, 'Done.').record(),
    rules: [{ glob: '*', argument: null, does: 'ask' as const, count: null }],
  };

  expect(forkText(record, 1, 0)).toEqual({
    title: 'Forked before the final answer',
    text: 'Without the final answer: the agent gives a new one. The state is rebuilt by replaying the calls; differences are shown in the timeline. 1 approval rule holds here too.',
  });
});
