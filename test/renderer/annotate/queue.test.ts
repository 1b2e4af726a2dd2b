import { describe, expect, it } from 'vitest';
import type { ItemRow } from '../../../src/shared/contract/annotate.ts';
import { workloadText } from '../../../src/renderer/views/annotate/QueueDialogs.tsx';
import { itemName, reviewLabels } from '../../../src/renderer/views/annotate/ItemLine.tsx';
import { idsBetween, toggled } from '../../../src/renderer/parts/list/useSelection.ts';
import { formatRoute, parseRoute, queueItemsRoute } from '../../../src/renderer/state/route.ts';
import { personName } from '../../../src/renderer/state/usePeople.ts';
import { rowOf } from '../state/events.ts';

const PEOPLE = [
  { seat: 'seat-me', label: 'You' },
  { seat: 'seat-ada', label: 'Ada' },
];
const item = (over: Partial<ItemRow> = {}): ItemRow => ({
  item: 'i1',
  subject: { type: 'episode', episode: 'e1' },
  episodes: [rowOf()],
  reviewers: [],
  mine: 'open',
  seats: [],
  is_complete: false,
  conflicts: { all: 0, open: 0 },
  ...over,
});

describe('an item of a queue', () => {
  it('is told by its task; an episode that is gone is told too', () => {
    expect(itemName(item())).toBe('loomline_workflows #0');
    expect(itemName(item({ episodes: [null] }))).toBe('a missing episode');
    const side = { type: 'episode' as const, episode: 'e1' };
    const pair = item({ subject: { type: 'pair', left: side, right: side }, episodes: [rowOf(), rowOf()] });
    expect(itemName(pair)).toBe('loomline_workflows #0, two of it');
  });

  it('says of each reviewer by name how far they are and how long they took', () => {
    const row = item({
      reviewers: ['seat-ada', 'seat-bo'],
      seats: [
        { seat: 'seat-ada', state: 'done', active_ms: 65_000 },
        { seat: 'seat-me', state: 'skipped', active_ms: null },
      ],
    });
    expect(reviewLabels(row, PEOPLE).map(({ name, label }) => `${name} ${label}`)).toEqual([
      'Ada done, 1 min 05 s',
      'seat-bo not begun',
      'You skipped',
    ]);
    expect(personName(PEOPLE, 'seat-me')).toBe('You');
  });
});

describe('sharing items out', () => {
  it('says beforehand how much that makes for each', () => {
    expect(workloadText(4, 2, 1)).toBe('4 reviews: 2 for each.');
    expect(workloadText(5, 2, 1)).toBe('5 reviews: 2 or 3 for each.');
    expect(workloadText(5, 3, 3)).toBe('15 reviews: 5 for each.');
    expect(workloadText(5, 0, 0)).toContain('No one assigned');
  });

  it('takes a stretch of what is read already, each once', () => {
    const ids = ['a', 'b', undefined, 'd'];
    expect(idsBetween((index) => ids[index], 3, 0)).toEqual(['a', 'b', 'd']);
    expect([...toggled(new Set(['a']), 'a')]).toEqual([]);
    expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b']);
  });

  it('has an address of its own', () => {
    const hash = formatRoute(queueItemsRoute('p 1', 'q1'));
    expect(hash).toBe('#/annotate/p%201/q1?items');
    expect(parseRoute(hash)).toEqual(queueItemsRoute('p 1', 'q1'));
    expect(parseRoute('#/annotate/p/q')).not.toHaveProperty('isListed');
  });
});
