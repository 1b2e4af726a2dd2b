import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/shared/events/turns.ts';
import { uptakeOf, uptakeTone, uptakeWords } from '../../src/shared/episode/uptake.ts';
import { assisted, episode, EXPERT, type Builder } from '../renderer/parts/episodes.ts';

const plan = (...calls: [string, JsonObject][]): string =>
  JSON.stringify({ plan: calls.map(([tool, args]) => ({ tool, args })) });

/** An episode whose expert advised `text`, before the agent went on. */
const advised = (text: string): Builder =>
  episode().open().ask('Which?').approve('send', text).deliver('advice', text);

const uptake = (builder: Builder) => {
  const record = builder.record();
  const [consultation] = record.consultations;
  return consultation === undefined ? null : uptakeOf(record, consultation);
};
const words = (builder: Builder): string => {
  const found = uptake(builder);
  return found === null ? '' : uptakeWords(found);
};
const CLOSE = plan(
  ['get_order', { order_id: 12 }],
  ['update_order_status', { order_id: 12, status: 'closed' }],
);

describe('advice', () => {
  it('is followed when every call it names was made, in any order of the arguments', () => {
    expect(uptake(assisted())).toMatchObject({ verdict: 'followed', planned: 2, followed: 2 });
    expect(words(assisted())).toBe('followed: 2 of 2 calls');
  });

  it('is partly followed when some calls were made, or made with other arguments on the same record', () => {
    const some = advised(CLOSE).call('get_order', { order_id: 12 }, { text: '{}' }).end('incomplete');
    const other = advised(CLOSE)
      .call('get_order', { order_id: 12 }, { text: '{}' })
      .call('update_order_status', { order_id: 12, status: 'sent' }, { text: '{}' })
      .end('incomplete');

    expect(words(some)).toBe('followed in part: 1 of 2 calls');
    expect(words(other)).toBe('followed in part: 1 of 2 calls, 1 with other arguments');
  });

  it('is contradicted when the same tool was called on another record instead', () => {
    const wrong = advised(plan(['update_order_status', { order_id: 12, status: 'closed' }]))
      .call('update_order_status', { order_id: 15, status: 'closed' }, { text: '{}' })
      .end('incomplete');
    const half = advised(CLOSE)
      .call('get_order', { order_id: 12 }, { text: '{}' })
      .call('update_order_status', { order_id: 15, status: 'closed' }, { text: '{}' })
      .end('incomplete');

    expect(uptake(wrong)?.verdict).toBe('contradicted');
    expect(words(wrong)).toBe('not followed: 1 call on another record');
    expect(words(half)).toBe('followed in part: 1 of 2 calls, 1 on another record');
  });

  it('is not contradicted by a look at another record when the advised call was made too', () => {
    const both = advised(plan(['get_order', { order_id: 12 }]))
      .call('get_order', { order_id: 15 }, { text: '{}' })
      .call('get_order', { order_id: 12 }, { text: '{}' })
      .end('complete');

    expect(uptake(both)?.verdict).toBe('followed');
  });

  it('has no verdict before the agent went on, or without calls to compare; while it runs the verdict is so far', () => {
    const begun = advised(CLOSE).call('get_order', { order_id: 12 }, { text: '{}' });

    const byPerson = advised(CLOSE).call('get_order', { order_id: 12 }, { text: '{}' });
    byPerson.events.forEach((recorded, index) => {
      if (recorded.event.kind !== 'turn.generated' || recorded.event.turn !== 2) return;
      byPerson.events[index] = { ...recorded, actor: EXPERT };
    });

    expect(uptake(byPerson)).toBeNull();
    expect(uptake(advised(CLOSE))).toBeNull();
    expect(uptake(advised('Look at the newest order.').end('incomplete'))).toBeNull();
    expect(words(begun)).toBe('followed: 1 of 2 calls so far');
  });

  it('shows as a failure what went against it, and what went wrong although it was followed', () => {
    const refused = advised(CLOSE)
      .call('get_order', { order_id: 12 }, { text: '{}' })
      .call('update_order_status', { order_id: 12, status: 'closed' }, { error: 'Closed already' })
      .end('incomplete');
    const toneOf = (builder: Builder) => {
      const found = uptake(builder);
      return found === null ? null : uptakeTone(found);
    };

    expect(words(refused)).toBe('followed: 2 of 2 calls, 1 failed');
    expect(toneOf(refused)).toBe('failed');
    expect(toneOf(assisted())).toBe('followed');
    expect(toneOf(advised(CLOSE).end('incomplete'))).toBe('failed');
    const some = advised(CLOSE).call('get_order', { order_id: 12 }, { text: '{}' }).end('incomplete');
    expect(toneOf(some)).toBe('partly');
  });
});
