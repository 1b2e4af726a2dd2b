import { describe, expect, it } from 'vitest';
import { chooseHeldOut, heldOutCount, type SplitUnit } from '../../../src/main/dataset/split/makeManifest.ts';

const unitsOf = (sizes: readonly number[]): SplitUnit[] =>
  sizes.flatMap((size, stratum) =>
    Array.from({ length: size }, (_, place) => ({
      key: `task ${String(stratum)}.${String(place)}`,
      stratum: `stratum ${String(stratum)}`,
    })),
  );
const byStratum = (units: readonly SplitUnit[], chosen: ReadonlySet<string>, count: number): number[] =>
  Array.from(
    { length: count },
    (_, at) =>
      units.filter(({ key, stratum }) => stratum === `stratum ${String(at)}` && chosen.has(key)).length,
  );

/** Every way to share out `total` among strata of these sizes. */
function* everyWay(sizes: readonly number[], total: number): Generator<number[]> {
  const [size, ...rest] = sizes;
  if (size === undefined) {
    if (total === 0) yield [];
    return;
  }
  for (let one = 0; one <= Math.min(size, total); one += 1)
    for (const others of everyWay(rest, total - one)) yield [one, ...others];
}

type Case = { sizes: number[]; fraction: number; seed: number };

/** Two hundred splits of a few small strata, the same each time. */
const CASES: Case[] = Array.from({ length: 200 }, (_, at) => {
  const draw = (place: number, below: number): number => ((at + 1) * 7919 + (place + 3) * 104_729) % below;
  const sizes = Array.from({ length: 1 + draw(9, 4) }, (__, place) => 1 + draw(place, 7));
  return { sizes, fraction: (5 + draw(5, 90)) / 100, seed: at };
});

describe('the held-out side of a split', () => {
  it('lies as near to every stratum’s exact share as any choice of the same size', () => {
    for (const { sizes, fraction, seed } of CASES) {
      const units = unitsOf(sizes);
      const total = heldOutCount(units.length, fraction);
      const distance = (counts: readonly number[]): number =>
        counts.reduce(
          (sum, count, at) => sum + Math.abs(count - ((sizes[at] ?? 0) * total) / units.length),
          0,
        );

      const got = byStratum(units, chooseHeldOut(units, { fraction, seed }), sizes.length);

      expect(got.reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(distance(got)).toBeCloseTo(Math.min(...[...everyWay(sizes, total)].map(distance)), 9);
    }
  });

  it('is the same in whatever order the tasks come', () => {
    for (const { sizes, fraction, seed } of CASES) {
      const units = unitsOf(sizes);
      const shuffled = units.toSorted((a, b) =>
        a.key.split('').reverse().join('') < b.key.split('').reverse().join('') ? -1 : 1,
      );
      for (const others of [units.toReversed(), shuffled])
        expect(chooseHeldOut(others, { fraction, seed })).toEqual(chooseHeldOut(units, { fraction, seed }));
    }
  });

  it('is another one with another seed, and each task has its turn', () => {
    const units = unitsOf([10, 10]);
    const seeds = Array.from({ length: 60 }, (_, seed) => chooseHeldOut(units, { fraction: 0.3, seed }));

    expect(new Set(seeds.map((chosen) => [...chosen].toSorted().join())).size).toBeGreaterThan(50);
    expect(new Set(seeds.flatMap((chosen) => [...chosen])).size).toBe(units.length);
  });

  it.each([
    [33, 63 / 96, 11],
    [2, 0.01, 1],
    [2, 0.99, 1],
    [1, 0.5, 0],
    [0, 0.5, 0],
  ])('of %i units at share %d leaves both sides something', (units, trained, heldOut) => {
    expect(heldOutCount(units, 1 - trained)).toBe(heldOut);
  });
});
