/**
 * The p-values of several tests, each raised so that the chance of even one false claim among them stays what was set
 * (Holm 1979, Scandinavian Journal of Statistics 6). In the order they were given.
 */
export function holm(values: readonly number[]): number[] {
  const adjusted = values.map(() => 1);
  let highest = 0;
  values
    .map((p, at) => ({ p, at }))
    .toSorted((a, b) => a.p - b.p)
    .forEach(({ p, at }, rank) => {
      highest = Math.max(highest, Math.min(1, p * (values.length - rank)));
      adjusted[at] = highest;
    });
  return adjusted;
}
