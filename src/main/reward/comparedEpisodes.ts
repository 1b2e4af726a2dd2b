// Episodes with what they are worth before and after a change, and which of them belong together. Pure.
import type { ScoreRow } from '../../shared/contract/rewards.ts';
import type { Breakdown, Measure } from '../../shared/rewards/breakdown.ts';
import type { KnownReward } from './reward.ts';

/** An episode of a set: where it belongs, and what is known of it. */
export type ScoredEntry = Pick<
  ScoreRow,
  'episode' | 'environment_key' | 'scenario' | 'task_idx' | 'condition' | 'group'
> & {
  known: KnownReward;
  origin: EntryOrigin;
};

/** Where an episode came from, and what whoever recorded it says it earned. */
export type EntryOrigin = { run: string | null; file: string | null; imported_reward: number | null };

export type ComparedEpisode = {
  row: ScoreRow;
  /** By the measure that is looked at. */
  gain: number;
  isComplete: boolean;
  /** How sure the agent said it is; absent where it said nothing. */
  stated?: number;
  before: Breakdown;
  after: Breakdown;
};

/** Numbers that differ by less than this differ by rounding alone, and stand at the same place. */
const GRAIN = 1e9;
export const roundToGrain = (value: number): number => {
  const rounded = Math.round(value * GRAIN) / GRAIN;
  return Number.isFinite(rounded) ? rounded : value;
};

/** Every entry with its breakdowns by both settings, in the order of the entries. */
export const compareEpisodes = (
  entries: readonly ScoredEntry[],
  scores: { before: readonly Breakdown[]; after: readonly Breakdown[] },
  measure: Measure,
): ComparedEpisode[] =>
  entries.flatMap(({ known, origin: _origin, ...place }, index) => {
    const [before, after] = [scores.before[index], scores.after[index]];
    if (before === undefined || after === undefined) return [];
    const [was, is] = [roundToGrain(before[measure].total), roundToGrain(after[measure].total)];
    const { label } = known.facts;
    const row = { ...place, label, pattern: after.shaped.pattern, before: was, after: is };
    const stated = known.facts.stated === undefined ? {} : { stated: known.facts.stated };
    return { row, gain: is - was, isComplete: label === 'complete', ...stated, before, after };
  });

/** The episodes that share a key; those without one are left out. */
export const sharing = (
  episodes: readonly ComparedEpisode[],
  keyOf: (row: ScoreRow) => string | null,
): ComparedEpisode[][] => {
  const groups = Map.groupBy(episodes, ({ row }) => keyOf(row));
  groups.delete(null);
  return [...groups.values()];
};

export const taskKeyOf = ({
  environment_key: environment,
  scenario,
  task_idx: task,
}: Pick<ScoreRow, 'environment_key' | 'scenario' | 'task_idx'>): string | null =>
  scenario === null ? null : JSON.stringify([environment, scenario, task]);
