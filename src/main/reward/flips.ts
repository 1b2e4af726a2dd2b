// Who changes places with whom: pairs of one task or one group, and what a trainer makes of a group. Pure.
import type { Flip, LabReport, PairCounts } from '../../shared/contract/rewards.ts';
import type { ComparedEpisode } from './comparedEpisodes.ts';
import { countPairs } from './order.ts';
import { meanOf } from '../../shared/statistics/means.ts';

const SIDES = ['before', 'after'] as const;
type Side = (typeof SIDES)[number];
const worth = (episodes: readonly ComparedEpisode[], side: Side): number[] =>
  episodes.map(({ row }) => row[side]);

export const countEpisodePairs = (episodes: readonly ComparedEpisode[]): PairCounts =>
  countPairs(worth(episodes, 'before'), worth(episodes, 'after'));

type GroupChanges = Pick<LabReport['groups'], 'sign_changes' | 'flat_before' | 'flat_after'>;

/**
 * What matters to a trainer that compares rollouts of one prompt with their mean (GRPO: Shao et al. 2024, DeepSeekMath):
 * on which side of it a rollout stands, and whether there is any difference to learn from.
 */
export function groupChanges(groups: readonly ComparedEpisode[][]): GroupChanges {
  const changes = { sign_changes: 0, flat_before: 0, flat_after: 0 };
  for (const group of groups) {
    const [was, is] = [signs(worth(group, 'before')), signs(worth(group, 'after'))];
    changes.sign_changes += was.filter((sign, index) => sign !== is[index]).length;
    if (was.every((sign) => sign === 0)) changes.flat_before += 1;
    if (is.every((sign) => sign === 0)) changes.flat_after += 1;
  }
  return changes;
}

/** Above the mean, below it, or at it. */
function signs(values: readonly number[]): number[] {
  const mean = meanOf(values);
  return values.map((value) => (Math.abs(value - mean) < 1e-9 ? 0 : Math.sign(value - mean)));
}

/** Pairs of one completed and one uncompleted episode of a task, and those where the latter earns as much or more. */
export function inversionsOf(tasks: readonly ComparedEpisode[][]): LabReport['inversions'] {
  const inversions = { pairs: 0, before: 0, after: 0 };
  for (const task of tasks) {
    const done = task.filter(({ isComplete }) => isComplete);
    const undone = task.filter(({ isComplete }) => !isComplete);
    inversions.pairs += done.length * undone.length;
    for (const side of SIDES) inversions[side] += countNotAbove(worth(done, side), worth(undone, side));
  }
  return inversions;
}

/** Pairs in which the first is not above the second. */
function countNotAbove(done: readonly number[], undone: readonly number[]): number {
  const sorted = done.toSorted((a, b) => a - b);
  let [count, below] = [0, 0];
  for (const value of undone.toSorted((a, b) => a - b)) {
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
export const listFlips = (tasks: readonly ComparedEpisode[][]): Flip[] =>
  tasks
    .flatMap((task) => {
      const sorted = task.toSorted((a, b) => b.gain - a.gain);
      const isWhole = sorted.length <= 2 * ENDS_MAX;
      const downs = isWhole ? sorted : sorted.slice(-ENDS_MAX);
      return (isWhole ? sorted : sorted.slice(0, ENDS_MAX)).flatMap((up) =>
        downs
          .filter((down) => up.row.before < down.row.before && up.row.after > down.row.after)
          .map((down) => ({ up, down })),
      );
    })
    .toSorted((a, b) => b.up.gain - b.down.gain - (a.up.gain - a.down.gain))
    .slice(0, FLIPS_MAX)
    .map(({ up: { row: up }, down: { row: down } }) => ({
      up,
      down,
      is_same_group: up.group !== null && up.group === down.group,
    }));
