// The statistics of a bench against scipy and statsmodels: the same numbers from the same cases.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { betaCdf, normalCdf, studentQuantile } from '../../../src/shared/statistics/distributions.ts';
import { holm } from '../../../src/shared/statistics/holm.ts';
import { powerOfMeans } from '../../../src/shared/statistics/power.ts';
import { independentDifference, mcnemarExact, wilson } from '../../../src/shared/statistics/proportions.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';
import { signFlip } from '../../../src/shared/statistics/signFlip.ts';
import { pythonRows, RELEASES } from '../../peers/support.ts';

const random = seededRandom('peers');
const below = (limit: number): number => Math.floor(random() * limit);
const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const cases = {
  wilson: many(40, () => {
    const total = 1 + below(60);
    return { successes: below(total + 1), total };
  }),
  independent: many(60, () => {
    const [firstTotal, secondTotal] = [1 + below(12), 1 + below(12)];
    return { first: below(firstTotal + 1), firstTotal, second: below(secondTotal + 1), secondTotal };
  }),
  mcnemar: many(40, () => ({
    both: below(20),
    onlyFirst: below(12),
    onlySecond: 1 + below(12),
    neither: below(20),
  })),
  // Multiples of a fifth as five runs give them, and numbers that are no multiples of anything.
  signFlip: [
    ...many(10, () => many(4 + below(9), () => (below(11) - 5) / 5)),
    ...many(10, () => many(4 + below(9), () => random() - 0.3)),
  ],
  holm: many(20, () => many(1 + below(9), () => random() ** 3)),
  power: many(20, () => ({ effect: 0.1 + random(), tasks: 5 + below(100) })),
  student: many(20, () => [random(), 1 + below(80)] as const),
  normal: many(40, () => 16 * random() - 8),
  beta: many(40, () => [random(), 0.2 + 40 * random(), 0.2 + 40 * random()] as const),
};

function ourResults(): Record<string, unknown> {
  return {
    wilson: cases.wilson.map(({ successes, total }) => {
      const { low, high } = wilson(successes, total) ?? { low: -1, high: -1 };
      return [low, high];
    }),
    independent: cases.independent.map(({ first, firstTotal, second, secondTotal }) => {
      const found = independentDifference(
        { successes: first, total: firstTotal },
        { successes: second, total: secondTotal },
      );
      return [found?.low, found?.high];
    }),
    mcnemar: cases.mcnemar.map(mcnemarExact),
    signFlip: cases.signFlip.map((values) => signFlip(values).p),
    holm: cases.holm.map(holm),
    power: cases.power.map(({ effect, tasks }) => powerOfMeans(effect, { deviation: 1, tasks, step: 0 })),
    student: cases.student.map(([chance, freedom]) => studentQuantile(chance, freedom)),
    normal: cases.normal.map(normalCdf),
    beta: cases.beta.map(([x, a, b]) => betaCdf(x, a, b)),
  };
}

const numbersOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.flatMap(numbersOf) : [Number(value)];

it('finds what scipy and statsmodels find, to the eighth digit', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'interject-statistics-'));
  try {
    const file = join(scratch, 'cases.json');
    writeFileSync(file, JSON.stringify(cases));
    const [theirs] = await pythonRows(RELEASES[0], 'check_statistics.py', [file]);
    const ours = ourResults();

    expect(Object.keys(ours)).toEqual(Object.keys(theirs ?? {}));
    for (const name of Object.keys(ours)) {
      const [mine, other] = [numbersOf(ours[name]), numbersOf(theirs?.[name])];
      expect(mine.length).toBe(other.length);
      const far = mine.map((one, at) => Math.abs(one - (other[at] ?? Number.NaN)));
      expect(Math.max(...far), name).toBeLessThan(1e-8);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
