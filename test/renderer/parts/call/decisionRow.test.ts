import { describe, expect, it } from 'vitest';
import { closedCallOf } from '../../../../src/renderer/parts/card/closed.ts';
import { heldDeadline } from '../../../../src/renderer/parts/card/deadline.ts';
import { isInSpan } from '../../../../src/renderer/parts/timeline/Timeline.tsx';
import { emptyRecord, type CallDecision } from '../../../../src/shared/episode/record.ts';
import { newCall } from '../../../../src/shared/episode/calls.ts';

it('where a person acted does not cover the agent’s own turn that was still under way', () => {
  const spans = [{ from: 3, to: 9 }];
  const row = (role: 'agent' | 'human', n: number) =>
    isInSpan(spans, { role, n } as Parameters<typeof isInSpan>[1]);

  expect([row('human', 4), row('agent', 4), row('human', 10)]).toEqual([true, false, false]);
});

describe('a held call that can no longer be decided', () => {
  const closed = (decision: CallDecision | null) => {
    const call = { ...newCall('t1', 'get_run'), decision };
    const record = emptyRecord('e1');
    return closedCallOf(
      { ...record, turns: [{ callId: 't1', call } as (typeof record.turns)[number]] },
      't1',
      'seat-one',
    );
  };

  it('says who decided it, and never that a deadline rejected it', () => {
    const by = (id: string | null) => ({ at: 1, actor: { type: 'human' as const, id } });

    expect(closed(null)).toBeNull();
    expect(closed({ ...by('seat-one'), type: 'approved' })?.title).toBe('Approved by you');
    expect(closed({ ...by('seat-two'), type: 'rejected', reason: 'no', privilege: [] })).toEqual({
      title: 'Rejected by seat-two',
      detail: 'no',
    });
    expect(closed({ ...by(null), type: 'expired', fallback: 'reject' })?.title).toBe('The deadline passed');
  });

  it('has a deadline only where something happens at it', () => {
    const item = { since: 0, deadline_at: 100_000, fallback: 'wait' as const };

    expect(heldDeadline(item, 50_000).left).toBeNull();
    expect(heldDeadline({ ...item, fallback: 'approve' }, 50_000)).toMatchObject({
      left: 0.5,
      isUrgent: false,
    });
  });

  it('says what happens at zero: nothing is executed, unless somebody chose so, which is red from the start', () => {
    const item = { since: 0, deadline_at: 3 * 86_400_000, fallback: 'reject' as const };

    expect(heldDeadline(item, 0)).toMatchObject({
      isExecuting: false,
      text: 'In 3 days the call is not executed, and the agent reads that nobody approved it in time.',
    });
    expect(heldDeadline({ ...item, fallback: 'approve' }, 0)).toMatchObject({
      isExecuting: true,
      text: 'In 3 days the call is EXECUTED unless somebody decides.',
    });
  });
});
