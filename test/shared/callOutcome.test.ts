import { describe, expect, it } from 'vitest';
import { callBecame, callOutcome, stopOutcome } from '../../src/shared/episode/callOutcome.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { AGENT, ENVIRONMENT } from '../../src/shared/events/actor.ts';
import { returned } from '../support/log.ts';
import { episode, EXPERT, T0, type Builder } from '../renderer/parts/episodes.ts';

const timing = { first_seen_at: null, active_ms: null };
const MOVE = { type: 'call_tool' as const, tool_name: 'get_order', arguments: { order_id: 12 } };
const held = (): Builder => episode().open().turn(MOVE).hold();
const approved = (): Builder =>
  held().add(EXPERT, { kind: 'call.approved', call: 'k1', seen_seq: 1, timing });
const answered = (builder: Builder, back: { text?: string; error?: string }): Builder =>
  builder
    .add(AGENT, { kind: 'call.sent', call: 'k1', tool_name: 'get_order', arguments: MOVE.arguments })
    .add(
      ENVIRONMENT,
      returned({
        call: 'k1',
        reward_type: back.error === undefined ? 'tool_call_ok' : 'invalid_args',
        text: back.text ?? null,
        error: back.error ?? null,
      }),
    );

describe('what came of a decision on a held call', () => {
  it('is that it was not executed, where a yes came when the episode was over', () => {
    const ended = approved().end('incomplete').record();
    expect(callBecame(ended, 'k1')).toBe('It was not executed: the episode ended before.');
  });

  it('is what the call gave, in words, with the end of the task', () => {
    expect(callOutcome(held().record(), 'k1')).toBeNull();
    expect(callOutcome(approved().record(), 'k1')).toBe('Waiting for its result.');
    const found = answered(approved(), { text: '{"orders": [{"id": 12, "name": "Rolls"}]}' });
    expect(callOutcome(found.record(), 'k1')).toMatch(/^Found 1 order: Rolls\.$/);
    expect(callOutcome(found.end('complete').record(), 'k1')).toMatch(/^Found 1 order: .*Task complete\.$/);
    expect(callBecame(found.record(), 'k1')).not.toContain('Task');
    const wrong = answered(approved(), { error: 'No such order' });
    expect(callOutcome(wrong.record(), 'k1')).toBe('It failed: No such order.');
  });

  it('is what the agent did next where no call was made', () => {
    const rejected = (): Builder =>
      held().add(EXPERT, {
        kind: 'call.rejected',
        call: 'k1',
        seen_seq: 1,
        timing,
        reason: 'the wrong order',
        privilege: [],
      });
    expect(callOutcome(rejected().record(), 'k1')).toBe('Waiting for its next call.');
    const next = rejected().call('list_orders', { customer_id: 1 }, { text: '[]' });
    expect(callOutcome(next.record(), 'k1')).toBe('It did this next: List orders for customer 1.');
  });

  it('is not told to a seat that is not to know how the run goes', () => {
    const record = answered(approved(), { text: '{}' }).record();
    if (record.started === null) throw new Error('it was not started');
    const covered = { ...record, started: { ...record.started, is_covered: true } };
    expect(callOutcome(covered, 'k1')).toBe('This run is blinded: how it goes on is not shown.');
  });
});

describe('what came of letting a stopped episode go on', () => {
  const phase = (to: 'paused' | 'autonomous' | 'correcting', cause: 'person' | 'step'): LogEvent => ({
    kind: 'phase.changed',
    from: 'autonomous',
    to,
    cause,
    reason: null,
    at_once: false,
  });
  const stopped = (): Builder => episode().open().add(EXPERT, phase('paused', 'person'));
  const sinceOf = (builder: Builder): number => builder.record().phaseAt ?? T0;

  it('is where the episode is now', () => {
    const since = sinceOf(stopped());
    const after = (...events: LogEvent[]): string | null =>
      stopOutcome(events.reduce((builder, event) => builder.add(EXPERT, event), stopped()).record(), since);
    expect(after()).toBeNull();
    expect(after(phase('autonomous', 'person'))).toBe('It goes on: turn 0.');
    expect(after(phase('autonomous', 'step'), phase('paused', 'step'))).toBe(
      'It stopped again: one step done.',
    );
    expect(after(phase('correcting', 'person'))).toBe('A person acts in its place.');
    const over = stopped().add(EXPERT, phase('autonomous', 'person')).end('complete');
    expect(stopOutcome(over.record(), since)).toBe('Task complete.');
  });
});
