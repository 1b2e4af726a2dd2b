// Data sets with a known truth: tasks of differing difficulty, a difference between two sides that differs by task, and
// several runs of each. Used to see whether intervals cover and tests keep their word.
import { deviationOf, meanOf } from '../../src/shared/statistics/means.ts';
import type { PairedCounts } from '../../src/shared/statistics/proportions.ts';
import { seededRandom, type Random } from '../../src/shared/statistics/random.ts';

export type Planted = {
  tasks: number;
  seeds: number;
  /** The mean difference of the second side over all tasks there are. */
  difference: number;
  /** How much the difference itself varies by task, up and down. */
  spread: number;
};

/** A task is solved with a chance in [0.2, 0.8] by the first side, so that no difference up to 0.2 leaves [0, 1]. */
const taskChances = ({ difference, spread }: Planted, random: Random): [number, number] => {
  const middle = 0.2 + 0.6 * random();
  const own = difference + spread * (random() < 0.5 ? -1 : 1);
  return [middle - own / 2, middle + own / 2];
};

const solvedShare = (chance: number, seeds: number, random: Random): number => {
  let solved = 0;
  for (let seed = 0; seed < seeds; seed += 1) if (random() < chance) solved += 1;
  return solved / seeds;
};

/** The difference of the task means, one per task. */
export function plantedDifferences(planted: Planted, random: Random): number[] {
  return Array.from({ length: planted.tasks }, () => {
    const [first, second] = taskChances(planted, random);
    return solvedShare(second, planted.seeds, random) - solvedShare(first, planted.seeds, random);
  });
}

/** One run of each task by each side, and how the tasks came out. */
export function plantedPairs(planted: Planted, random: Random): PairedCounts {
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (let task = 0; task < planted.tasks; task += 1) {
    const [first, second] = taskChances(planted, random).map((chance) => random() < chance);
    counts[
      first === true ? (second === true ? 'both' : 'onlyFirst') : second === true ? 'onlySecond' : 'neither'
    ] += 1;
  }
  return counts;
}

/** In how many of so many data sets of one run each something is the case. */
export function shareOfPairs(
  count: number,
  planted: Planted,
  isCase: (pairs: PairedCounts) => boolean,
): number {
  const random = seededRandom(`pairs ${String(planted.difference)}`);
  return meanOf(Array.from({ length: count }, () => Number(isCase(plantedPairs(planted, random)))));
}

/** The shares of tasks that one side alone solves by this truth, from many tasks. */
export function plantedGains(planted: Planted): { gained: number; lost: number } {
  const many = 200_000;
  const { onlyFirst, onlySecond } = plantedPairs({ ...planted, tasks: many }, seededRandom('gains'));
  return { gained: onlySecond / many, lost: onlyFirst / many };
}

/** How far task differences spread by this truth, from many tasks. */
export const plantedDeviation = (planted: Planted): number =>
  deviationOf(plantedDifferences({ ...planted, tasks: 200_000 }, seededRandom('deviation'))) ?? 0;

/** In how many of so many data sets something is the case. */
export function shareOf(
  count: number,
  planted: Planted,
  isCase: (differences: number[], index: number) => boolean,
): number {
  const random = seededRandom(`planted ${String(planted.difference)}`);
  const cases = Array.from({ length: count }, (_, index) =>
    Number(isCase(plantedDifferences(planted, random), index)),
  );
  return meanOf(cases);
}
