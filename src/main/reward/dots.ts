// The places a chart of before and after draws: exact where there are few, on a stated grid otherwise. Pure.
import type { Dot, LabReport } from '../../shared/contract/rewards.ts';
import { isEntryComplete, type RewardComparison } from './rewardComparison.ts';

const DOTS_MAX = 400;
/** Grids that are tried in turn: the finest that leaves few enough places is taken. */
const GRIDS = [null, 0.01, 0.02, 0.05, 0.1, 0.25, 1] as const;

export function dotsOf(compared: RewardComparison): LabReport['dots'] {
  for (const grid of GRIDS) {
    const list = on(compared, grid);
    if (list.length <= DOTS_MAX) return { grid, list };
  }
  return { grid: 10, list: on(compared, 10) };
}

function on({ entries, before, after }: RewardComparison, grid: number | null): Dot[] {
  const at = (value: number): number => (grid === null ? value : Math.round(value / grid) * grid);
  const dots = new Map<string, Dot>();
  for (const [index, entry] of entries.entries()) {
    const [x, y] = [at(before[index] ?? 0), at(after[index] ?? 0)];
    const key = `${String(x)} ${String(y)}`;
    const dot = dots.get(key) ?? { before: x, after: y, complete: 0, other: 0 };
    dot[isEntryComplete(entry) ? 'complete' : 'other'] += 1;
    dots.set(key, dot);
    // A finer grid than this has too many places already.
    if (dots.size > DOTS_MAX && grid !== 10) break;
  }
  return [...dots.values()].toSorted((a, b) => a.before - b.before || a.after - b.after);
}
