import { describe, expect, it } from 'vitest';
import {
  claimedBy,
  type DeskEntry,
  entryAt,
  firstFor,
  waitingOf,
  whyText,
  withInFront,
} from '../../../src/renderer/parts/desk/deskQueue.ts';
import { createKept, createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { receiveDesk } from '../../../src/renderer/state/session.ts';
import { createConsoleStore } from '../../../src/renderer/state/store.ts';
import { type DeskItem, HoldItem } from '../../../src/shared/episode/rowShapes.ts';
import { deskItems } from '../../../src/shared/episode/rows.ts';
import { deskItem as ask } from '../../support/desk.ts';
import { episode } from './episodes.ts';

const NOW = 1_000_000;

const hold = (id: string, over: Partial<HoldItem> = {}): HoldItem =>
  HoldItem.parse({
    type: 'call',
    key: `${id}:t1`,
    episode: id,
    seq: 1,
    scenario: 's',
    task_idx: 0,
    task: null,
    turn: 1,
    turn_limit: 15,
    since: NOW - 1000,
    deadline_at: null,
    fallback: 'wait',
    why: 'needs approval (rule)',
    call: { id: 't1', tool_name: 'find', arguments: {}, said: '' },
    ...over,
  });

const empty = () => createConsoleStore(createKept(createMemoryStorage()), {}).getState().record;
const look = (order: 'triage' | 'age' = 'triage') => ({ seat: 'seat-me', order, now: NOW });
const keys = (desk: { items?: DeskItem[]; holds?: HoldItem[] }, order?: 'triage' | 'age') =>
  waitingOf({ items: [], holds: [], ...desk }, look(order)).map(({ key }) => key);

describe('what waits', () => {
  it('comes most urgent first, or oldest first when the person wants that', () => {
    const items = [
      ask('old', { asked_at: NOW - 120_000 }),
      ask('stuck', { error_streak: 4, asked_at: NOW - 1000 }),
    ];
    expect(keys({ items })).toEqual(['stuck:c1', 'old:c1']);
    expect(keys({ items }, 'age')).toEqual(['old:c1', 'stuck:c1']);
    const [first] = waitingOf({ items, holds: [] }, look());
    expect(first === undefined ? '' : whyText(first, NOW)).toContain('4 errors in a row');
  });

  it('is one card for questions of the same task, failing call and condition', () => {
    const group = JSON.stringify(['builtin', 's', 0, 'find', { id: 1 }]);
    const items = [
      ask('a', { group }),
      ask('b', { group }),
      ask('c', { group, condition: 'human+draft' }),
      ask('d'),
      ask('e'),
    ];
    expect(keys({ items })).toEqual(['a:c1', 'c:c1', 'd:c1', 'e:c1']);
    const [first] = waitingOf({ items, holds: [] }, look());
    expect(first && withInFront(first, 'b:c1')).toMatchObject({ key: 'a:c1', item: { episode: 'b' } });
  });

  it('is one card of two rollouts only where the same call failed in both, not where nothing was tried', () => {
    const asked = (id: string, failing: number | null, over = {}): DeskItem[] => {
      const open = episode(id).open(over);
      const tried =
        failing === null ? open : open.call('get_order', { order_id: failing }, { error: 'no such order' });
      return deskItems(tried.ask(`${id}: which order?`).record());
    };
    const other = { environment: { id: 'env-2', name: 'Other', url: 'http://127.0.0.1:2', builtin: false } };
    const items = [
      ...asked('a', null),
      ...asked('b', null),
      ...asked('c', 7),
      ...asked('d', 7),
      ...asked('e', 8),
      ...asked('f', 7, other),
    ];

    const cards = waitingOf({ items, holds: [] }, look('age'));

    const groups = cards.flatMap((one) => (one.type === 'question' ? [one.group] : []));
    expect(groups.map((group) => group.map((item) => item.episode))).toEqual([
      ['a'],
      ['b'],
      ['c', 'd'],
      ['e'],
      ['f'],
    ]);
  });

  it('is a card of its own where the call that failed was followed by one that went through', () => {
    const items = ['a', 'b'].flatMap((id) => {
      const failed = episode(id).open().call('get_order', { order_id: 7 }, { error: 'no such order' });
      return deskItems(failed.call('list_orders', { customer_id: 1 }, { text: '[]' }).ask('Which?').record());
    });

    expect(waitingOf({ items, holds: [] }, look())).toHaveLength(2);
  });

  it('is one card where a call failed by its label alone', () => {
    const items = ['a', 'b'].flatMap((id) => {
      const failed = episode(id).open().call('get_order', { order_id: 7 }, { label: 'server_error' });
      return deskItems(failed.ask('Which?').record());
    });

    expect(waitingOf({ items, holds: [] }, look())).toHaveLength(1);
  });

  it('is one card for a question and a stop of the same moment', () => {
    const stop = hold('a', { type: 'pause', key: 'a', call: null });
    const [only, ...rest] = waitingOf({ items: [ask('a')], holds: [stop] }, look());
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ type: 'question', hold: { key: 'a' } });
    expect(keys({ holds: [stop, hold('b')] }).toSorted()).toEqual([`a@${String(NOW - 1000)}`, 'b:t1']);
  });

  it('is taken up where no other seat is, as long as that seat’s claim lasts', () => {
    const claimed = ask('a', { asked_at: 0, claim: { seat: 'seat-other', until: NOW + 1 } });
    const list = waitingOf({ items: [claimed, ask('b')], holds: [] }, look());
    expect(firstFor(list, 'seat-me', NOW)).toBe('b:c1');
    expect(firstFor(list, 'seat-other', NOW)).toBe('a:c1');
    expect(claimedBy(claimed, 'seat-me', NOW + 1)).toBeNull();
  });
});

it('a desk that main sends again keeps each question and held call that is as it was, wherever it stands now, and takes what changed', () => {
  const send = (slice: ReturnType<typeof empty>, items: DeskItem[], holds: HoldItem[]) =>
    receiveDesk(slice, { items, total: items.length, holds, seats: [] });
  const before = send(empty(), [ask('a'), ask('b'), ask('c')], [hold('d')]);
  const after = send(before, [ask('b'), ask('c', { error_streak: 2 }), ask('e')], [hold('d')]);

  expect(after.desk.items[0]).toBe(before.desk.items[1]);
  expect(after.desk.holds).toBe(before.desk.holds);
  expect(after.desk.items).toEqual([ask('b'), ask('c', { error_streak: 2 }), ask('e')]);
  const copies = after.desk.items.map((item) => structuredClone(item));
  expect(send(after, [...copies, ask('f')], [hold('d')]).desk.items[0]).toBe(after.desk.items[0]);
  // Nothing is drawn for it.
  expect(send(after, copies, [hold('d')])).toBe(after);
});

it('an address of a question leads to its card, alike ones too, to a held call and to a stop by its episode', () => {
  const group = JSON.stringify(['builtin', 's', 0, 'buy', {}]);
  const items = [ask('a', { group }), ask('b', { group }), ask('c')];
  const holds = [hold('e9'), hold('e8', { type: 'pause', key: 'e8', call: null })];
  const list = waitingOf({ items, holds }, look());
  const [a = '', b = '', c = ''] = items.map(({ consultation }) => consultation);
  const stop = list.find(({ hold: held }) => held?.key === 'e8')?.key ?? '';

  expect([a, b, c, 'e9:t1', 'e8'].map((key) => entryAt(list, key))).toEqual([a, b, c, 'e9:t1', stop]);
  expect(withInFront(list.find((one) => one.key === a) as DeskEntry, b)).toMatchObject({
    item: { consultation: b },
  });
  expect(entryAt(list, 'e1:c9')).toBeNull();
});
