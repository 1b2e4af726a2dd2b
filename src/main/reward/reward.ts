// Everything a record is worth, in one breakdown that can be stored: the verifier's reward, shaped, by rubric.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { factsOf, type RewardFacts } from './facts.ts';
import { rubricScore } from './rubric.ts';
import { shapedReward } from './shaping.ts';

/** What an episode is worth, without its record: facts are small and hold for any settings. */
export type KnownReward = { facts: RewardFacts; verifierReward: number | null };

export const knownOf = (record: EpisodeRecord): KnownReward => ({
  facts: factsOf(record),
  verifierReward: record.verified?.reward ?? null,
});

/** Pure: the same record and settings give the same numbers. */
export const rewardBreakdown = (record: EpisodeRecord, settings: RewardSettings): Breakdown =>
  breakdownOf(knownOf(record), settings);

/** The same from what is known of an episode. */
export const breakdownOf = ({ facts, verifierReward }: KnownReward, settings: RewardSettings): Breakdown => ({
  verifier: { reward: verifierReward, label: facts.label },
  shaped: shapedReward(facts, settings.shaping),
  rubric: rubricScore(facts, settings.rubric),
  format_error_rate: facts.turns === 0 ? null : 1 - facts.wellFormed / facts.turns,
});

/** Format-error rate over many episodes: badly formed turns of all turns; null without turns. */
export function formatErrorRate(records: readonly EpisodeRecord[]): number | null {
  const facts = records.map(factsOf);
  const turns = facts.reduce((sum, one) => sum + one.turns, 0);
  const wellFormed = facts.reduce((sum, one) => sum + one.wellFormed, 0);
  return turns === 0 ? null : 1 - wellFormed / turns;
}
