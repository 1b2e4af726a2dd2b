// Which tasks of a benchmark are held out: seeded, in proportion in every stratum, the same whatever order they come in.
import { hash } from 'node:crypto';

/** What goes to one side as a whole: a task, or a scenario with all its tasks. */
export type SplitUnit = { key: string; stratum: string };

/** The units that are held out. With two units or more, each side has at least one. */
export function chooseHeldOut(
  units: readonly SplitUnit[],
  { fraction, seed }: { fraction: number; seed: number },
): Set<string> {
  const strata = Map.groupBy(units, ({ stratum }) => stratum);
  const sizes = new Map([...strata].map(([stratum, { length }]) => [stratum, length]));
  const shares = shareOut(sizes, heldOutCount(units.length, fraction), seed);
  const chosen = [...strata].flatMap(([stratum, members]) =>
    inSeededOrder(
      members.map(({ key }) => key),
      seed,
    ).slice(0, shares.get(stratum) ?? 0),
  );
  return new Set(chosen);
}

export const heldOutCount = (units: number, fraction: number): number =>
  Math.max(Math.min(Math.round(units * fraction), units - 1), Math.min(1, units - 1), 0);

/**
 * Largest remainders: each stratum gets its exact share rounded down, and what is left goes where most was cut off. No
 * other way to share out the same number lies nearer to the exact shares.
 */
export function shareOut(
  sizes: ReadonlyMap<string, number>,
  total: number,
  seed: number,
): Map<string, number> {
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  // Whole numbers throughout: size * total = quotient * all + remainder.
  const exact = new Map(
    [...sizes].map(([stratum, size]) => [
      stratum,
      { least: Math.floor((size * total) / all), rest: (size * total) % all },
    ]),
  );
  const given = [...exact.values()].reduce((sum, { least }) => sum + least, 0);
  const byRest = inSeededOrder([...sizes.keys()], seed).toSorted(
    (a, b) => (exact.get(b)?.rest ?? 0) - (exact.get(a)?.rest ?? 0),
  );
  const more = new Set(byRest.slice(0, total - given));
  return new Map([...exact].map(([stratum, { least }]) => [stratum, least + (more.has(stratum) ? 1 : 0)]));
}

function inSeededOrder(keys: readonly string[], seed: number): string[] {
  const places = new Map(keys.map((key) => [key, hash('sha256', `${String(seed)}\n${key}`, 'hex')]));
  return keys.toSorted((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
}
