// What many episodes are worth by one set of settings, as columns of numbers. Pure.
import type { Condition } from '../../shared/events/lifecycle.ts';
import type { Pattern } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { breakdownOf, type KnownReward } from './reward.ts';

/** An episode of a set: where it belongs, and what is known of it. */
export type ScoredEntry = {
  episode: string;
  scenario: string | null;
  taskIdx: number | null;
  condition: Condition | null;
  group: string | null;
  known: KnownReward;
};

export type ScoreColumns = {
  shaped: Float64Array;
  rubric: Float64Array;
  components: ReadonlyMap<string, Float64Array>;
  patterns: readonly (Pattern | null)[];
};

/** Numbers that differ by less than this differ by rounding alone, and stand at the same place. */
const GRAIN = 1e9;
const roundToGrain = (value: number): number => {
  const rounded = Math.round(value * GRAIN) / GRAIN;
  return Number.isFinite(rounded) ? rounded : value;
};

/** Yields after every `slice` episodes, so that other work gets its turn. */
export function* scoreColumns(
  entries: readonly ScoredEntry[],
  settings: RewardSettings,
  slice = 500,
): Generator<undefined, ScoreColumns> {
  const column = (): Float64Array => new Float64Array(entries.length);
  const components = new Map(Object.keys(settings.rubric.weights).map((name) => [name, column()]));
  const [shaped, rubric] = [column(), column()];
  const patterns: (Pattern | null)[] = [];
  for (const [index, { known }] of entries.entries()) {
    const breakdown = breakdownOf(known, settings);
    shaped[index] = roundToGrain(breakdown.shaped.total);
    rubric[index] = roundToGrain(breakdown.rubric.total);
    patterns.push(breakdown.shaped.pattern);
    for (const [name, values] of components)
      values[index] = roundToGrain(breakdown.rubric.components[name] ?? 0);
    if (index % slice === slice - 1) yield undefined;
  }
  return { shaped, rubric, components, patterns };
}
