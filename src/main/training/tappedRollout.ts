// The outcome of a client's episode, as a curriculum counts it. Pure.
import type { Rollout } from '../../shared/curriculum/rollout.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { REWARD_DEFAULTS } from '../../shared/rewards/settings.ts';
import { factsOf } from '../reward/facts.ts';
import { isFormatErrorEpisode } from '../reward/shaping.ts';

/** Null for an episode that runs still, or is at no step of a run. */
export function tappedRollout(record: EpisodeRecord): Rollout | null {
  const { started, ended } = record;
  const step = started?.trainer?.step ?? null;
  if (ended === null || step === null) return null;
  const row = episodeRow(record);
  if (row === null) return null;
  const { scenario, task_idx, group, touched, outcome, reward } = row;
  const facts = factsOf(record);
  // Neither an environment that failed nor a person who acted says anything of the agent.
  const isVoid = facts.label === null || facts.label === 'server_error' || touched > 0;
  return {
    id: record.id,
    step,
    scenario,
    task_idx,
    group,
    arm: started?.trainer?.arm ?? null,
    hint: started?.trainer?.hint ?? 'none',
    completed: isVoid ? null : facts.label === 'complete',
    reward: isVoid ? null : reward,
    format_error: isVoid ? null : isFormatErrorEpisode(facts, REWARD_DEFAULTS.shaping),
    timed_out: outcome === 'limit',
    stated: facts.stated ?? null,
  };
}
