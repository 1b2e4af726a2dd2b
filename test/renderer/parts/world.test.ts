import { describe, expect, it } from 'vitest';
import type { TableChange } from '../../../src/shared/events/world.ts';
import { AGENT, ENVIRONMENT, SYSTEM } from '../../../src/shared/events/actor.ts';
import { startAgain } from '../../../src/renderer/parts/again/startAgain.ts';
import { forkTurn } from '../../../src/renderer/parts/timeline/useFork.ts';
import {
  changedFields,
  changedRows,
  rowName,
  rowsText,
  tableChangeText,
} from '../../../src/renderer/parts/world/Changes.tsx';
import { assisted, type Builder, episode } from './episodes.ts';

const CHANGE: TableChange = {
  table: 'orders',
  added: 1,
  removed: 0,
  changed: 2,
  rows: [
    {
      change: 'changed',
      before: { id: 12, status: 'open', note: null },
      after: { id: 12, status: 'closed', note: null },
    },
  ],
};

describe('what changed in a world', () => {
  it('is counted, named by its key, and shown by the fields that differ', () => {
    const [row] = CHANGE.rows;

    expect(changedRows([CHANGE, CHANGE])).toBe(6);
    expect([rowsText(1), rowsText(3), tableChangeText(CHANGE)]).toEqual([
      '1 row',
      '3 rows',
      '1 added, 2 changed',
    ]);
    expect(row && changedFields(row)).toEqual([{ name: 'status', was: 'open', is: 'closed' }]);
    expect(row && rowName(row, ['id'])).toBe('id 12');
  });

  it('is left out where main covered it, and nothing is claimed of the call', () => {
    const built = episode().open().call('update_order_status', { order_id: 12 }, { text: '{}' });
    built.add(ENVIRONMENT, { kind: 'state.compared', call: 'k1', changes: [], is_covered: true });

    expect(built.record().turns[0]?.call).toMatchObject({ changes: null, areChangesCovered: true });
  });
});

it('a fork goes on after the last turn whose answer the agent has read, never after a call under way', () => {
  const answered = (builder: Builder, turn: number): Builder =>
    builder.add(SYSTEM, {
      kind: 'message.added',
      role: 'tool',
      content: '{}',
      turn,
      origin: 'environment',
      tool_call_id: null,
      name: null,
      segments: [],
      full_length: 2,
    });
  const built = episode().open().call('get_order', { order_id: 1 }, { text: '{}' });
  const asking = answered(built, 1).call('get_order', { order_id: 2 }, { text: '{}' });
  const record = answered(asking, 2).ask('Which?').record();

  expect([forkTurn(record, 3), forkTurn(record, 2), forkTurn(record, 1), forkTurn(record, 0)]).toEqual([
    2, 2, 1, 0,
  ]);
  expect(forkTurn(episode().record(), 1)).toBeNull();
});

describe('the same again', () => {
  it('starts what the log says, with the person’s own reset arguments and without what the log does not hold', () => {
    const built = assisted();
    built.events[2] = {
      ...(built.events[2] as (typeof built.events)[number]),
      event: {
        ...(built.events[2] as (typeof built.events)[number]).event,
        request: {
          scenario: 'orders_1',
          task_idx: 0,
          seed: 7,
          episode_id: 'e1',
          mode: 'code',
          api_key: '[redacted]',
        },
      } as never,
    };
    const record = built.record();

    expect(startAgain(record)).toMatchObject({
      environment: 'builtin',
      scenario: 'orders_1',
      task_idx: 0,
      condition: 'human+draft',
      seed: 7,
      repeats: 1,
      limits: { turns: 15 },
      reset: { mode: 'code' },
    });
    expect(startAgain(record, 3)?.task_idx).toBe(3);
    expect(startAgain(episode().record())).toBeNull();
  });

  it('keeps the approval rules it began with, but not that an undecided call is executed', () => {
    const executed = { deadline_ms: 1000, fallback: 'approve' as const };
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    const record = episode().open().add(AGENT, { kind: 'policy.changed', rules }).record();

    expect(startAgain(record)?.approval).toEqual({ rules, deadline_ms: null, fallback: 'wait' });
    expect(startAgain(assisted().record())?.approval).toBeUndefined();
    const executes = { ...record, started: record.started && { ...record.started, approval: executed } };
    expect(startAgain(executes)?.approval).toEqual({ rules, deadline_ms: null, fallback: 'wait' });
  });
});
