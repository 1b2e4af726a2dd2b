// Who changes places with whom: pairs of one task or one group, and what a trainer makes of a group. Pure.
import type { Flip, LabReport } from '../../shared/contract/rewards.ts';
import { isEntryComplete, rowAt, type RewardComparison } from './rewardComparison.ts';
import { addPairs, NO_PAIRS, countPairs, type PairTally } from './order.ts';

/** Pairs within each of several lists of places, added up. */
export const pooled = ({ before, after }: RewardComparison, lists: readonly number[][]): PairTally =>
  lists.reduce(
    (sum, places) => addPairs(sum, countPairs(picked(before, places), picked(after, places))),
    NO_PAIRS,
  );

const picked = (column: Float64Array, places: readonly number[]): Float64Array =>
  Float64Array.from(places, (index) => column[index] ?? 0);

type GroupChanges = Pick<LabReport['groups'], 'sign_changes' | 'flat_before' | 'flat_after'>;

/**
 * What matters to a trainer that compares rollouts of one prompt with their mean (GRPO: Shao et al. 2024, DeepSeekMath):
 * on which side of it a rollout stands, and whether there is any difference to learn from.
 */
export function groupChanges({ before, after }: RewardComparison, groups: readonly number[][]): GroupChanges {
  const changes = { sign_changes: 0, flat_before: 0, flat_after: 0 };
  for (const places of groups) {
    const [was, is] = [sides(picked(before, places)), sides(picked(after, places))];
    changes.sign_changes += was.filter((side, index) => side !== is[index]).length;
    if (was.every((side) => side === 0)) changes.flat_before += 1;
    if (is.every((side) => side === 0)) changes.flat_after += 1;
  }
  return changes;
}

/** Above the mean, below it, or at it. */
function sides(values: Float64Array): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Array.from(values, (value) => (Math.abs(value - mean) < 1e-9 ? 0 : Math.sign(value - mean)));
}

/** Pairs of one completed and one uncompleted episode of a task, and those where the latter earns as much or more. */
export function inversionsOf(
  { entries, before, after }: RewardComparison,
  tasks: readonly number[][],
): LabReport['inversions'] {
  const inverted = { pairs: 0, before: 0, after: 0 };
  for (const places of tasks) {
    const isDone = (index: number): boolean =>
      entries[index] !== undefined && isEntryComplete(entries[index]);
    const [done, undone] = [places.filter(isDone), places.filter((index) => !isDone(index))];
    inverted.pairs += done.length * undone.length;
    inverted.before += notAbove(picked(before, done), picked(before, undone));
    inverted.after += notAbove(picked(after, done), picked(after, undone));
  }
  return inverted;
}

/** Pairs in which the first is not above the second. */
function notAbove(done: Float64Array, undone: Float64Array): number {
  const sorted = done.toSorted();
  let [count, below] = [0, 0];
  for (const value of undone.toSorted()) {
    while (below < sorted.length && (sorted[below] ?? 0) <= value) below += 1;
    count += below;
  }
  return count;
}

const FLIPS_MAX = 200;
/** Of a task, as many of those that gained most and least are held against each other. */
const ENDS_MAX = 40;

/**
 * Pairs of one task that change places, the largest swing first. A swing is what one gains on the other, so the largest
 * lie between those that gained most and those that gained least; a task of up to 80 episodes is looked through whole.
 */
export function listFlips(compared: RewardComparison, tasks: readonly number[][]): Flip[] {
  const { entries, before, after } = compared;
  const gain = (index: number): number => (after[index] ?? 0) - (before[index] ?? 0);
  const found: { up: number; down: number; swing: number }[] = [];
  for (const places of tasks) {
    const sorted = places.toSorted((a, b) => gain(b) - gain(a));
    const isWhole = sorted.length <= 2 * ENDS_MAX;
    const ups = isWhole ? sorted : sorted.slice(0, ENDS_MAX);
    const downs = isWhole ? sorted : sorted.slice(-ENDS_MAX);
    for (const up of ups) {
      for (const down of downs) {
        const isFlip = (before[up] ?? 0) < (before[down] ?? 0) && (after[up] ?? 0) > (after[down] ?? 0);
        if (isFlip) found.push({ up, down, swing: gain(up) - gain(down) });
      }
    }
  }
  return found
    .toSorted((a, b) => b.swing - a.swing || a.up - b.up || a.down - b.down)
    .slice(0, FLIPS_MAX)
    .map(({ up, down }) => {
      const group = entries[up]?.group ?? null;
      return {
        up: rowAt(compared, up),
        down: rowAt(compared, down),
        is_same_group: group !== null && group === entries[down]?.group,
      };
    });
}
