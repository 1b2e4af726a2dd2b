import { describe, expect, it } from 'vitest';
import { adviceOutcome } from '../../src/shared/episode/uptake.ts';
import { AGENT } from '../../src/shared/events/actor.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { assisted, type Builder, episode } from '../renderer/parts/episodes.ts';

const PLAN = JSON.stringify({
  plan: [
    { tool: 'get_order', args: { order_id: 12 } },
    { tool: 'update_order_status', args: { order_id: 12, status: 'closed' } },
  ],
});
const advised = (text: string): Builder =>
  episode().open().ask('Which?').approve('send', text).deliver('advice', text);
const wordsIn = (record: EpisodeRecord): string | null => {
  const [asked] = record.consultations;
  return asked === undefined ? null : adviceOutcome(record, asked);
};
const wordsOf = (builder: Builder): string | null => wordsIn(builder.record());
/** Of an episode that ended with this label of its verifier, or with none. */
const wordsAtEnd = (builder: Builder, label: string | null): string | null => {
  const record = builder.end('incomplete').record();
  if (record.ended === null) throw new Error('it has not ended');
  return wordsIn({ ...record, verified: null, ended: { ...record.ended, reward_type: label, reward: null } });
};
const look = (builder: Builder): Builder => builder.call('get_order', { order_id: 12 }, { text: '{}' });

describe('what came of an answer', () => {
  it('is told call by call while the agent goes on, and with the end of its task', () => {
    expect(wordsOf(advised(PLAN))).toBe('Waiting for its next call.');
    expect(wordsOf(look(advised(PLAN)))).toBe('Followed: 1 of 2 calls so far.');
    expect(wordsOf(assisted())).toBe('Followed: 2 of 2 calls. Task complete.');
  });

  it('says how many of the calls that were made as advised went wrong, or got no answer', () => {
    const closing = { order_id: 12, status: 'closed' };
    const refused = look(advised(PLAN)).call('update_order_status', closing, {
      error: 'Timed out after 30 s',
    });
    expect(wordsOf(refused)).toBe('Followed: 2 of 2 calls, 1 failed.');
    expect(wordsAtEnd(refused, 'others')).toBe('Followed: 2 of 2 calls, 1 failed. Task failed.');
    const wrong = advised(PLAN).call('get_order', { order_id: 12 }, { error: 'No such order' });
    expect(wordsOf(wrong)).toBe('Followed: 1 of 2 calls, 1 failed so far.');

    const unanswered = look(advised(PLAN))
      .turn({ type: 'call_tool', tool_name: 'update_order_status', arguments: closing })
      .add(AGENT, { kind: 'call.sent', call: 'k3', tool_name: 'update_order_status', arguments: closing });
    expect(wordsOf(unanswered)).toBe('Followed: 2 of 2 calls.');
    expect(wordsAtEnd(unanswered, null)).toBe('Followed: 2 of 2 calls, 1 failed. Ended without a verdict.');
  });

  it('names the call that was made in place of the advice', () => {
    const other = advised(PLAN).call('list_orders', { customer_id: 12 }, { text: '{}' });

    expect(wordsOf(other)).toBe('Not followed so far: it did this instead: List orders for customer 12.');
    expect(wordsAtEnd(other, 'others')).toBe(
      'Not followed: it did this instead: List orders for customer 12. Task failed.',
    );
    expect(wordsAtEnd(advised(PLAN), 'others')).toBe('Not followed: it made no call. Task failed.');
  });

  it('claims nothing of words without calls, of a decline, or where nothing was verified', () => {
    expect(wordsOf(advised('Look at the newest order.').end('complete'))).toBe(
      'Plain text: no calls to compare. Task complete.',
    );
    expect(wordsOf(episode().open().ask('Which?'))).toBeNull();
    expect(wordsAtEnd(look(advised(PLAN)), null)).toBe(
      'Followed in part: 1 of 2 calls. Ended without a verdict.',
    );
  });

  it('is kept from a seat that is not to know how the run went', () => {
    const record = assisted().record();
    const [asked] = record.consultations;
    if (record.started === null || asked === undefined) throw new Error('nothing was asked');
    const covered = { ...record, started: { ...record.started, is_covered: true } };

    expect(adviceOutcome(covered, asked)).toBe('This run is blinded: how it goes on is not shown.');
  });
});
