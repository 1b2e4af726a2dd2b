// How often each task is drawn: by learning progress, the distance of a fast and a slow average of its completions
// (Kanitscheider et al. 2021, arXiv 2106.14876), over a floor that every task keeps. Pure.
import { seededRandom, shuffled } from '../statistics/random.ts';
import type { CurriculumSettings } from './settings.ts';

/** Averages of a task's completions alone; null before any. */
export type ProgressState = { fast: number; slow: number } | null;
type MixSettings = CurriculumSettings['mix'];

/** Both averages begin at the first completion rate. */
export function progressAfter(
  state: ProgressState,
  completion: number | null,
  { fast, slow }: Pick<MixSettings, 'fast' | 'slow'>,
): ProgressState {
  if (completion === null) return state;
  if (state === null) return { fast: completion, slow: completion };
  return {
    fast: state.fast + fast * (completion - state.fast),
    slow: state.slow + slow * (completion - state.slow),
  };
}

/** Kanitscheider's reweighting: small rates are spread, so that the way from 0 to 0.1 counts as much as a later one. */
export const reweighted = (rate: number, by: number): number =>
  ((1 - by) * rate) / (rate + by * (1 - 2 * rate));

/** Getting worse counts as getting better does. */
export const learningProgress = (state: ProgressState, by: number): number =>
  state === null ? 0 : Math.abs(reweighted(state.fast, by) - reweighted(state.slow, by));

/** Weights that sum to 1: `floor` of them even, the rest by progress; all even where nothing progresses. */
export function mixWeights(progress: readonly number[], floor: number): number[] {
  const total = progress.reduce((sum, one) => sum + one, 0);
  const even = 1 / progress.length;
  return progress.map((one) => (total === 0 ? even : floor * even + (1 - floor) * (one / total)));
}

/**
 * `count` places drawn by the weights, in a random order that the seed alone decides. Systematic (Kish 1965): a weight of w
 * gets w * count draws, give or take less than one.
 */
export function drawTasks(weights: readonly number[], count: number, seed: string): number[] {
  if (weights.length === 0) return [];
  const random = seededRandom(seed);
  const offset = random();
  const drawn: number[] = [];
  let [place, passed] = [0, weights[0] ?? 0];
  for (let at = 0; at < count; at += 1) {
    while (place < weights.length - 1 && passed * count <= offset + at) {
      place += 1;
      passed += weights[place] ?? 0;
    }
    drawn.push(place);
  }
  return shuffled(drawn, random);
}
