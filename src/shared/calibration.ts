// Fit of stated confidence to the verifier's verdicts: reliability bins, expected calibration error and Brier score.
// Pure. One point an episode: the confidence that its agent stated last, and whether the task was completed.
import type { EpisodeRecord } from './episode/record.ts';

/** `stated` in [0, 1]; `isRight` is the verifier's word. */
export type StatedOutcome = { stated: number; isRight: boolean };

type Bin = {
  from: number;
  to: number;
  n: number;
  /** Means over the bin; null where it is empty. */
  stated: number | null;
  right: number | null;
};
type Calibration = {
  n: number;
  /** Mean distance of stated and right over the bins, weighted by their n. */
  ece: number;
  /** Mean squared distance of what was stated and what came true. */
  brier: number;
  bins: Bin[];
};

/** Bins of equal width; the upper edge belongs to a bin, 0 to the first. */
const BINS = 10;

/** Null without a point. */
export function calibrationOf(points: readonly StatedOutcome[]): Calibration | null {
  if (points.length === 0) return null;
  const groups = Array.from({ length: BINS }, (): StatedOutcome[] => []);
  for (const point of points) groups[binOf(point.stated)]?.push(point);
  const bins = groups.map((group, at) => ({
    from: at / BINS,
    to: (at + 1) / BINS,
    n: group.length,
    stated: meanOf(group.map(({ stated }) => stated)),
    right: meanOf(group.map(({ isRight }) => Number(isRight))),
  }));
  const gaps = bins.map(({ n, stated, right }) => n * Math.abs((stated ?? 0) - (right ?? 0)));
  const squares = points.map(({ stated, isRight }) => (stated - Number(isRight)) ** 2);
  return {
    n: points.length,
    ece: gaps.reduce((sum, gap) => sum + gap, 0) / points.length,
    brier: meanOf(squares) ?? 0,
    bins,
  };
}

const binOf = (stated: number): number =>
  Math.min(BINS - 1, Math.max(0, Math.ceil(stated * BINS - 1e-9) - 1));

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Confidence the agent stated last in a verified episode; null in any other. */
export function statedOutcome({ turns, verified }: EpisodeRecord): StatedOutcome | null {
  const stated = lastStated(turns);
  const label = verified?.reward_type ?? null;
  return stated === null || label === null ? null : { stated, isRight: label === 'complete' };
}

/** The last confidence of the agent's own; what it said in the episode it was copied from counts there. */
export const lastStated = (turns: EpisodeRecord['turns']): number | null =>
  turns.findLast(({ confidence, isCopied }) => confidence !== undefined && !isCopied)?.confidence ?? null;
