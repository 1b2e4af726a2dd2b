// Episodes with what they are worth before and after a change, and which of them belong together. Pure.
import type { ScoreRow } from '../../shared/contract/rewards.ts';
import type { ScoreColumns, ScoredEntry } from './columns.ts';

/** One set of episodes with both scores of the measure that is looked at. */
export type RewardComparison = {
  entries: readonly ScoredEntry[];
  before: Float64Array;
  after: Float64Array;
  /** As the changed settings tell it; settings do not change it. */
  patterns: ScoreColumns['patterns'];
};

/** Places of the entries that share a key; those without one are left out. */
export function sharing(
  entries: readonly ScoredEntry[],
  keyOf: (entry: ScoredEntry) => string | null,
): number[][] {
  const places = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    const key = keyOf(entry);
    if (key === null) continue;
    const list = places.get(key);
    if (list === undefined) places.set(key, [index]);
    else list.push(index);
  }
  return [...places.values()];
}

export const taskKeyOf = ({ scenario, taskIdx }: ScoredEntry): string | null =>
  scenario === null ? null : JSON.stringify([scenario, taskIdx]);

export const isEntryComplete = ({ known }: ScoredEntry): boolean => known.facts.label === 'complete';

export function rowAt({ entries, before, after, patterns }: RewardComparison, index: number): ScoreRow {
  const entry = entries[index];
  if (entry === undefined) throw new RangeError(`there is no episode ${String(index)} in the set`);
  return {
    episode: entry.episode,
    scenario: entry.scenario,
    task_idx: entry.taskIdx,
    condition: entry.condition,
    group: entry.group,
    label: entry.known.facts.label,
    pattern: patterns[index] ?? null,
    before: before[index] ?? 0,
    after: after[index] ?? 0,
  };
}
