import { describe, expect, it } from 'vitest';
import { createFrameReader } from '../../../src/renderer/client/frames.ts';
import type { DeskItem } from '../../../src/shared/contract/rows.ts';
import { deskItem } from '../../support/desk.ts';

const push = (items: readonly unknown[]): string =>
  JSON.stringify({
    type: 'push',
    id: 3,
    push: { topic: 'desk', total: items.length, items, holds: [], seats: [] },
  });
const itemsOf = (frame: ReturnType<ReturnType<typeof createFrameReader>>): readonly DeskItem[] =>
  frame.type === 'push' && frame.push.topic === 'desk' ? frame.push.items : [];

describe('a desk of many questions', () => {
  it('takes what is told again for what is there, wherever it stands, and reads what is new', () => {
    const read = createFrameReader();
    const before = itemsOf(read(push([deskItem('a'), deskItem('b')])));
    const after = itemsOf(read(push([deskItem('b'), deskItem('a', { turn: 2 }), deskItem('c')])));

    expect(before).toEqual([deskItem('a'), deskItem('b')]);
    expect(after).toEqual([deskItem('b'), deskItem('a', { turn: 2 }), deskItem('c')]);
    expect(after[0]).toBe(before[1]);
  });

  it('with a question that is not in the agreed form is a failure, and what comes next is read as ever', () => {
    const read = createFrameReader();
    const { turn: _left, ...bad } = deskItem('a');

    expect(read(push([deskItem('b'), bad]))).toMatchObject({
      type: 'failure',
      id: 3,
      failure: { code: 'internal' },
    });
    expect(read(push([{ ...deskItem('b'), more: 1 }]))).toMatchObject({ type: 'failure', id: 3 });
    expect(read(push('none' as unknown as []))).toMatchObject({ type: 'failure', id: 3 });
    expect(itemsOf(read(push([deskItem('b')])))).toEqual([deskItem('b')]);
  });
});
