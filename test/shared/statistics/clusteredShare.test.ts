import { expect, it } from 'vitest';
import { clusteredShare, type TaskCount } from '../../../src/shared/statistics/clusteredShare.ts';
import { wilson } from '../../../src/shared/statistics/proportions.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';

const tasks = (total: number, ...successes: number[]): TaskCount[] =>
  successes.map((count) => ({ successes: count, total }));

it('is Wilson’s interval where each task was played once, and no narrower where tasks differ', () => {
  const alone = clusteredShare(tasks(1, 1, 0, 1, 1, 0));
  expect(alone?.low).toBeCloseTo(wilson(3, 5)?.low ?? 0, 12);
  expect(alone?.high).toBeCloseTo(wilson(3, 5)?.high ?? 1, 12);
  const clustered = clusteredShare(tasks(8, 8, 8, 0, 0, 8, 0));
  const pooled = wilson(24, 48);
  expect(clustered?.low).toBeLessThan(pooled?.low ?? 0);
  expect(clustered?.high).toBeGreaterThan(pooled?.high ?? 1);
});

it('says nothing of one task, and counts each task once where all episodes came out the same', () => {
  expect([clusteredShare([]), clusteredShare(tasks(40, 12))]).toEqual([null, null]);
  expect(clusteredShare([...tasks(10, 10, 10, 10), { successes: 0, total: 0 }])).toEqual(wilson(3, 3));
});

it('agrees with the same interval reckoned another way: the spread of task means, and the bound by halving', () => {
  const counts = [6, 1, 3, 8, 0, 5];
  const means = counts.map((count) => count / 8);
  const share = means.reduce((sum, mean) => sum + mean) / 6;
  // As many episodes each: the share's variance is that of the mean of six task means.
  const variance = means.reduce((sum, mean) => sum + (mean - share) ** 2, 0) / 5 / 6;
  // 97.5 % quantiles of Student's t with 47 and 5 degrees of freedom, from a printed table.
  const size = Math.min(48, (((share * (1 - share)) / 47) * 48 * (2.01174 / 2.57058) ** 2) / variance);
  // A bound is where the true share would be 1.96 of its own standard errors away.
  const boundFrom = (end: number): number => {
    let [inside, outside] = [share, end];
    for (let step = 0; step < 60; step += 1) {
      const at = (inside + outside) / 2;
      if (Math.abs(share - at) > 1.959964 * Math.sqrt((at * (1 - at)) / size)) outside = at;
      else inside = at;
    }
    return inside;
  };
  const found = clusteredShare(tasks(8, ...counts));

  expect(found?.low).toBeCloseTo(boundFrom(0), 4);
  expect(found?.high).toBeCloseTo(boundFrom(1), 4);
});

it('holds the true share about 95 times in 100 where rollouts of a task are alike, as the pooled interval does not', () => {
  const random = seededRandom('clusters');
  const hits = { clustered: 0, pooled: 0 };
  const SETS = 600;
  for (let set = 0; set < SETS; set += 1) {
    // A task is easy or hard: its rollouts succeed nine times in ten, or once.
    const drawn = Array.from({ length: 20 }, () => {
      const chance = random() < 0.5 ? 0.9 : 0.1;
      return { successes: Array.from({ length: 8 }, random).filter((one) => one < chance).length, total: 8 };
    });
    const all = drawn.reduce((sum, { successes }) => sum + successes, 0);
    const holds = (interval: { low: number; high: number } | null): boolean =>
      interval !== null && interval.low <= 0.5 && interval.high >= 0.5;
    if (holds(clusteredShare(drawn))) hits.clustered += 1;
    if (holds(wilson(all, 160))) hits.pooled += 1;
  }

  expect(hits.clustered / SETS).toBeGreaterThan(0.92);
  expect(hits.clustered / SETS).toBeLessThan(0.99);
  expect(hits.pooled / SETS).toBeLessThan(0.75);
});
