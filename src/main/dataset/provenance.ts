// Owns: where a row comes from, in flat columns: the same keys on every line, no nulls.
import type { Actor, Privilege } from '../../shared/events/actor.ts';
import { isLeakFree } from '../../shared/events/actor.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';

export type Provenance = {
  episode: string;
  scenario: string;
  task_idx: number;
  condition: string;
  consultation: string;
  turn: number;
  /** Who gave the advice or made the choice: human, model, scripted, agent. */
  actor: string;
  act: string;
  /** What the author had seen: names joined by `+`, `none`, or `unknown`. */
  privilege: string;
  leak_free: boolean;
  reward: number;
  reward_type: string;
};

type Act = { consultation: string; turn: number; actor: Actor; act: string; privilege: Privilege };

/** Columns of one row. A missing index is -1, a missing reward 0. */
export function provenance(
  record: EpisodeRecord,
  { consultation, turn, actor, act, privilege }: Act,
): Provenance {
  return {
    episode: record.id,
    scenario: record.reset?.scenario ?? record.started?.scenario ?? '',
    task_idx: record.reset?.task_idx ?? record.started?.task_idx ?? -1,
    condition: record.started?.condition ?? '',
    consultation,
    turn,
    actor: actor.type,
    act,
    privilege: privilege === 'unknown' ? 'unknown' : privilege.length === 0 ? 'none' : privilege.join('+'),
    leak_free: isLeakFree(privilege),
    reward: record.ended?.reward ?? 0,
    reward_type: record.ended?.rewardType ?? '',
  };
}

export const isCompleted = (record: EpisodeRecord): boolean =>
  record.ended?.outcome === 'done' && record.ended.rewardType === 'complete';
