// What hangs on the wall and where, and where an arrow key leads. Pure.
import type { EpisodeRow } from '../../../shared/contract/rows.ts';

/** When the wall is opened: running episodes in the order they were started, then those that just ended, newest first. */
export function wallRows(rows: Iterable<EpisodeRow>): EpisodeRow[] {
  const all = [...rows];
  const running = all
    .filter(({ status }) => status !== 'ended')
    .toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
  const ended = all
    .filter(({ status }) => status === 'ended')
    .toSorted((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1));
  return [...running, ...ended.slice(0, ENDED_MAX)];
}

/**
 * While the wall is open no tile moves: an episode that ends stays where it is, a new one comes behind the last. Only
 * what the person dismissed leaves. The same list where nothing changed; `kept` is null when the wall is opened.
 */
export function keepPlaces(
  kept: readonly string[] | null,
  rows: ReadonlyMap<string, EpisodeRow>,
  dismissed: ReadonlySet<string>,
): readonly string[] {
  if (kept === null) return wallRows(rows.values()).map(({ id }) => id);
  const known = new Set(kept);
  const here = kept.filter((id) => rows.has(id) && !dismissed.has(id));
  const fresh = [...rows.values()].filter(({ id, status }) => status !== 'ended' && !known.has(id));
  return here.length === kept.length && fresh.length === 0
    ? kept
    : [...here, ...wallRows(fresh).map(({ id }) => id)];
}

/** Older ones are in the library. */
export const ENDED_MAX = 64;

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** The tile an arrow leads to, in a grid of that many columns. At an edge it stays. */
export function neighbour(index: number, direction: Direction, count: number, columns: number): number {
  if (count === 0) return -1;
  if (index < 0) return 0;
  const to = {
    left: index - 1,
    right: index + 1,
    up: index - columns,
    down: index + columns,
    first: 0,
    last: count - 1,
  }[direction];
  return to < 0 || to >= count ? index : to;
}

/** The next tile after `index` that waits for a person; after the last comes the first again. -1 when none does. */
export function nextWaiting(rows: readonly EpisodeRow[], index: number): number {
  const waits = rows.flatMap((row, at) => (row.status === 'waiting' ? [at] : []));
  return waits.find((at) => at > index) ?? waits[0] ?? -1;
}

/** The wall in one line: `12 waiting · 40 running · 12 finished`. */
export function wallLabel(rows: readonly EpisodeRow[]): string {
  const waiting = rows.filter(({ status }) => status === 'waiting').length;
  const ended = rows.filter(({ status }) => status === 'ended').length;
  const parts = [
    `${String(waiting)} waiting`,
    `${String(rows.length - waiting - ended)} running`,
    ...(ended === 0 ? [] : [`${String(ended)} finished`]),
  ];
  return parts.join(' · ');
}
