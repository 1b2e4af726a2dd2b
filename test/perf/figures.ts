// Figures of many measurements, and how they read.

/** The value below which a share `q` of the values lies; 0 of none. */
export const quantile = (values: readonly number[] | Float64Array, q: number): number =>
  Float64Array.from(values).sort()[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
export const median = (values: readonly number[] | Float64Array): number => quantile(values, 0.5);

export const ms = (value: number): string => `${value.toFixed(2)} ms`;
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const count = (value: number): string => Math.round(value).toLocaleString('en');

/** What a figure was to stay below, and whether it did: stands behind the figure, and decides nothing. */
export const against = (value: number, below: number, read: (value: number) => string = ms): string =>
  ` (target: below ${read(below)}; ${value < below ? 'met' : 'MISSED'})`;

const WORK_ROUNDS = 400_000;
const WORK_NAMES = 5_000;

/**
 * Milliseconds that a fixed piece of work takes now: of a machine that is shared, figures of two runs compare as these do.
 */
export const fixedWork = (): number => Math.min(work(), work());

/** The first time compiles it. */
function work(): number {
  const from = performance.now();
  const names = new Map<string, unknown>();
  for (let at = 0; at < WORK_ROUNDS; at += 1)
    names.set(`k${String(at % WORK_NAMES)}`, JSON.parse('{"a":[1,2,3],"b":"x"}'));
  return performance.now() - from;
}
