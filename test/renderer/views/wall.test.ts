import { describe, expect, it } from 'vitest';
import {
  ENDED_MAX,
  keepPlaces,
  neighbour,
  nextWaiting,
  wallRows,
  wallLabel,
} from '../../../src/renderer/views/wall/wallModel.ts';
import { rowOf } from '../state/events.ts';

describe('the wall', () => {
  it('hangs what runs in the order it began, then what has just ended, and never all that ever ended', () => {
    const ended = Array.from({ length: ENDED_MAX + 3 }, (_, i) =>
      rowOf({ id: `x${String(i)}`, status: 'ended', updated_at: i }),
    );
    const rows = wallRows([
      ...ended,
      rowOf({ id: 'late', started_at: 9 }),
      rowOf({ id: 'early', started_at: 3, status: 'waiting' }),
    ]);

    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(['early', 'late', `x${String(ENDED_MAX + 2)}`]);
    expect(rows).toHaveLength(ENDED_MAX + 2);
  });

  it('keeps every tile in its place while it is open: who ended stays, who is new comes last', () => {
    const mapOf = (...rows: ReturnType<typeof rowOf>[]) => new Map(rows.map((row) => [row.id, row]));
    const a = rowOf({ id: 'a', started_at: 1 });
    const b = rowOf({ id: 'b', started_at: 2 });
    const places = keepPlaces(null, mapOf(b, a), new Set());
    expect(places).toEqual(['a', 'b']);
    const over = { ...a, status: 'ended' as const };
    expect(keepPlaces(places, mapOf(over, b), new Set())).toBe(places);
    const more = keepPlaces(places, mapOf(rowOf({ id: 'c', started_at: 0 }), over, b), new Set());
    expect(more).toEqual(['a', 'b', 'c']);
    expect(keepPlaces(more, mapOf(over, b), new Set(['a']))).toEqual(['b']);
    const older = rowOf({ id: 'old', status: 'ended' });
    expect(keepPlaces(places, mapOf(over, b, older), new Set())).toBe(places);
  });

  it('moves by arrows as the tiles stand, and stays at its edges', () => {
    expect(neighbour(5, 'down', 12, 4)).toBe(9);
    expect(neighbour(9, 'down', 12, 4)).toBe(9);
    expect(neighbour(0, 'left', 12, 4)).toBe(0);
    expect(neighbour(-1, 'right', 12, 4)).toBe(0);
    expect(neighbour(3, 'last', 12, 4)).toBe(11);
    expect(neighbour(0, 'right', 0, 4)).toBe(-1);
  });

  it('finds the next that waits, from the last one the first again', () => {
    const rows = [rowOf(), rowOf({ status: 'waiting' }), rowOf(), rowOf({ status: 'waiting' })];

    expect([nextWaiting(rows, 1), nextWaiting(rows, 3), nextWaiting([rowOf()], 0)]).toEqual([3, 1, -1]);
  });

  it('says in words how many run, wait and ended', () => {
    expect(wallLabel([rowOf(), rowOf({ status: 'waiting' }), rowOf({ status: 'ended' })])).toBe(
      '1 waiting · 1 running · 1 finished',
    );
  });
});
