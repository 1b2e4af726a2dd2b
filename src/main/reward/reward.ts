// Owns: everything a record is worth, in one breakdown that can be stored: the verifier's reward, shaped, by rubric.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { factsOf } from './facts.ts';
import { rubricScore, type Scored } from './rubric.ts';
import type { RewardSettings } from './settings.ts';
import { shapedReward, type Shaped } from './shaping.ts';

export type Breakdown = {
  /** The environment's own reward and label: the headline. Null where nothing was verified. */
  verifier: { reward: number | null; label: string | null };
  shaped: Shaped;
  rubric: Scored;
  /** Share of the agent's turns that were badly formed, by what it proposed; null without turns. */
  format_error_rate: number | null;
};

/** Pure: the same record and settings give the same numbers. */
export function rewardOf(record: EpisodeRecord, settings: RewardSettings): Breakdown {
  const facts = factsOf(record);
  return {
    verifier: { reward: record.verified?.reward ?? null, label: facts.label },
    shaped: shapedReward(facts, settings.shaping),
    rubric: rubricScore(facts, settings.rubric),
    format_error_rate: facts.turns === 0 ? null : 1 - facts.wellFormed / facts.turns,
  };
}

/** Format-error rate over many episodes: badly formed turns of all turns; null without turns. */
export function formatErrorRate(records: readonly EpisodeRecord[]): number | null {
  const facts = records.map(factsOf);
  const turns = facts.reduce((sum, one) => sum + one.turns, 0);
  const wellFormed = facts.reduce((sum, one) => sum + one.wellFormed, 0);
  return turns === 0 ? null : 1 - wellFormed / turns;
}
