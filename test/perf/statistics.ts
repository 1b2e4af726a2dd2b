// What the statistics of a bench keep of their word, over many data sets with a known truth. Printed, and asserted
// nowhere here: the unit tests do that with fewer.
import { meanOf } from '../../src/shared/statistics/means.ts';
import { powerOfMeans, powerOfPairs } from '../../src/shared/statistics/power.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';
import { mcnemarExact, pairedDifference } from '../../src/shared/statistics/proportions.ts';
import { signFlip } from '../../src/shared/statistics/signFlip.ts';
import { signFlipInterval } from '../../src/shared/statistics/signFlipInterval.ts';
import { coverageOf, plantedLifts, TRUE_LIFT } from '../support/plantedLifts.ts';
import { plantedDeviation, plantedGains, shareOf, shareOfPairs } from '../support/plantedTasks.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const NONE = { tasks: 30, seeds: 5, difference: 0, spread: 0.2 };
const SOME = { ...NONE, difference: 0.15 };

type Say = (what: string, figure: string) => void;

/** What the intervals of a lift keep of their word. */
function measureLifts(say: Say): void {
  for (const k of [3, 4, 8]) {
    const { mean, least } = coverageOf(k);
    const what = `95 % intervals of one lift, ${String(k)} continuations in an arm, that cover: mean, least`;
    say(what, `${percent(mean)}, ${percent(least)}`);
  }
  const random = seededRandom('lifts');
  const covers = (groups: number[][]): number => {
    const sums = groups.map((own) => ({ sum: own.reduce((all, one) => all + one, 0), count: own.length }));
    const interval = signFlipInterval(sums);
    return Number(interval !== null && interval.low <= TRUE_LIFT && TRUE_LIFT <= interval.high);
  };
  const covered = Array.from({ length: 4_000 }, () => covers(plantedLifts(20, 3, 4, random)));
  say(
    '95 % intervals of the mean over 20 tasks x 3 interventions that cover, of 4,000',
    percent(meanOf(covered)),
  );
}

export function measureStatistics(say: Say): void {
  measureLifts(say);
  for (const tasks of [7, 10, 30]) {
    const covered = shareOf(10_000, { ...SOME, tasks }, (differences) => {
      const interval = signFlipInterval(differences.map((sum) => ({ sum, count: 1 })));
      return interval !== null && interval.low <= SOME.difference && SOME.difference <= interval.high;
    });
    const what = `95 % intervals over ${String(tasks)} tasks x 5 seeds that cover the truth, of 10,000`;
    say(what, percent(covered));
  }
  const isShown = (differences: number[]): boolean => signFlip(differences).p < 0.05;
  say('differences claimed where there is none, of 10,000', percent(shareOf(10_000, NONE, isShown)));
  const deviation = plantedDeviation(SOME);
  const stated = powerOfMeans(SOME.difference, { deviation, tasks: SOME.tasks, step: 1 / SOME.seeds });
  const found = shareOf(10_000, SOME, isShown);
  say('power for 15 points: stated, found in 10,000', `${percent(stated)}, ${percent(found)}`);
  measureOneRun(say);
}

const ONCE = { ...SOME, tasks: 40, seeds: 1 };

/** The same where each task is run once: Newcombe's interval and McNemar's test. */
function measureOneRun(say: (what: string, figure: string) => void): void {
  const covered = shareOfPairs(10_000, ONCE, (pairs) => {
    const interval = pairedDifference(pairs);
    return interval !== null && interval.low <= ONCE.difference && ONCE.difference <= interval.high;
  });
  say('95 % intervals over 40 tasks of one run that cover the truth, of 10,000', percent(covered));
  const none = shareOfPairs(10_000, { ...ONCE, difference: 0 }, (pairs) => mcnemarExact(pairs) < 0.05);
  say('differences claimed of one run where there is none, of 10,000', percent(none));
  const { gained, lost } = plantedGains(ONCE);
  const found = shareOfPairs(10_000, ONCE, (pairs) => mcnemarExact(pairs) < 0.05);
  const stated = powerOfPairs(gained, lost, ONCE.tasks);
  say('power of one run for 15 points: stated, found in 10,000', `${percent(stated)}, ${percent(found)}`);
}
