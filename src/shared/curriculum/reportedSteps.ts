// What a trainer's reported rollouts come to, step by step, in the fields that runs are drawn from. Pure.
import { deviationOf } from '../statistics/means.ts';
import { emptyStep, type RunStep } from '../training/run.ts';
import type { RolloutOutcome } from './rollout.ts';
import { meanOf, shareOf } from './signals.ts';

/** Of one step, all of its rollouts that were reported. */
export function reportedStep(step: number, all: readonly RolloutOutcome[]): RunStep {
  const rollouts = all.filter(({ arm }) => arm !== 'evaluation');
  if (rollouts.length === 0) return emptyStep(step);
  const rewards = rollouts.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  const judged = rollouts.filter(({ completed }) => completed !== null);
  const groups = [...Map.groupBy(rollouts, ({ group }) => group)].flatMap(([group, list]) =>
    group === null ? [] : [list],
  );
  return {
    ...emptyStep(step),
    reward: meanOf(rewards),
    reward_sd: deviationOf(rewards),
    rollouts: rollouts.length,
    judged: judged.length,
    completed: judged.filter(({ completed }) => completed === true).length,
    format_error_rate: shareOf(rollouts.map(({ format_error }) => format_error)),
    timeout_rate: shareOf(rollouts.map(({ timed_out }) => timed_out)),
    expert_share: shareOf(rollouts.map(({ arm }) => (arm === null ? null : arm === 'expert'))),
    groups: groups.length,
    flat_groups: groups.filter(isFlat).length,
  };
}

const isFlat = (list: readonly RolloutOutcome[]): boolean =>
  list.length > 1 && list.every(({ reward }) => reward !== null && reward === list[0]?.reward);
