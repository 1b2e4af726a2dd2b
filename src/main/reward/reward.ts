// Everything a record is worth, in one breakdown that can be stored: the verifier's reward, shaped, by rubric.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { factsOf, type RewardFacts } from './facts.ts';
import { rubricScore } from './rubric.ts';
import { shapedReward } from './shaping.ts';

/** The worth of an episode, without its record: facts are small and hold for any settings. */
type KnownReward = { facts: RewardFacts; verifierReward: number | null };

export const knownOf = (record: EpisodeRecord): KnownReward => ({
  facts: factsOf(record),
  verifierReward: record.verified?.reward ?? null,
});

/** Pure: the same facts and settings give the same numbers. */
export const breakdownOf = ({ facts, verifierReward }: KnownReward, settings: RewardSettings): Breakdown => ({
  verifier: { reward: verifierReward, label: facts.label },
  shaped: shapedReward(facts, settings.shaping),
  rubric: rubricScore(facts, settings.rubric),
  format_error_rate: facts.turns === 0 ? null : 1 - facts.wellFormed / facts.turns,
});
