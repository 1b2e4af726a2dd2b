import { describe, expect, it } from 'vitest';
import { createSocketReader } from '../../../src/renderer/client/socket.ts';
import type { DeskItem } from '../../../src/shared/episode/rowShapes.ts';
import { deskItem } from '../../support/desk.ts';

const push = (items: readonly unknown[]): string =>
  JSON.stringify({
    type: 'push',
    id: 3,
    push: { topic: 'desk', total: items.length, items, holds: [], seats: [] },
  });
const changes = (items: readonly unknown[]): string =>
  JSON.stringify({ type: 'desk', id: 3, desk: { total: items.length, items, holds: [], seats: [] } });
const itemsOf = (frame: ReturnType<ReturnType<typeof createSocketReader>>): readonly DeskItem[] =>
  frame.type === 'push' && frame.push.topic === 'desk' ? frame.push.items : [];

describe('a desk of many questions', () => {
  it('takes a place for what stood there, wherever it stands now, and reads what is new', () => {
    const read = createSocketReader();
    const before = itemsOf(read(push([deskItem('a'), deskItem('b')])));
    const after = itemsOf(read(changes([1, deskItem('a', { turn: 2 }), deskItem('c')])));
    const last = itemsOf(read(changes([2, 0])));

    expect(before).toEqual([deskItem('a'), deskItem('b')]);
    expect(after).toEqual([deskItem('b'), deskItem('a', { turn: 2 }), deskItem('c')]);
    expect(after[0]).toBe(before[1]);
    expect(last).toEqual([after[2], after[0]]);
  });

  it('that cannot be read is a failure, and what comes next is read as ever', () => {
    const read = createSocketReader();

    for (const frame of ['{"type":"push",', '[]', '{"type":"push"}'])
      expect(read(frame)).toMatchObject({ type: 'failure', id: -1, failure: { code: 'internal' } });
    expect(itemsOf(read(push([deskItem('b')])))).toEqual([deskItem('b')]);
  });

  it('that names a place nobody was told of is a failure', () => {
    const read = createSocketReader();

    expect(read(changes([0]))).toMatchObject({ type: 'failure', id: 3 });
    expect(itemsOf(read(push([deskItem('b')])))).toEqual([deskItem('b')]);
    expect(read(changes([1]))).toMatchObject({ type: 'failure', id: 3 });
    expect(read(changes([-1]))).toMatchObject({ type: 'failure', id: 3 });
    expect(itemsOf(read(changes([0])))).toEqual([deskItem('b')]);
  });
});
