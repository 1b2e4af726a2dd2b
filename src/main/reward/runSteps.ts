// The steps of a training run, from the episodes that a trainer played: what each step's rollouts came to. Pure.
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { meanOf, shareOf } from '../../shared/curriculum/signals.ts';
import { deviationOf } from '../../shared/statistics/means.ts';
import { REWARD_DEFAULTS } from '../../shared/rewards/settings.ts';
import { emptyStep, type RunStep } from '../../shared/training/run.ts';
import type { RewardFacts } from './facts.ts';
import { helpPattern, isFormatErrorEpisode } from './shaping.ts';

export type Rollout = {
  row: EpisodeRow;
  /** Null for an episode that still runs. */
  facts: RewardFacts | null;
  /** A person's measured time on it; null where none was measured. */
  activeMs: number | null;
};

/** One entry for each step that an episode names, lowest first. */
export function runSteps(rollouts: readonly Rollout[]): RunStep[] {
  const steps = Map.groupBy(
    rollouts.filter(({ row }) => row.step !== null),
    ({ row }) => row.step ?? 0,
  );
  return [...steps]
    .toSorted(([a], [b]) => a - b)
    .map(([step, list]) => ({ ...emptyStep(step), ...figuresOf(list) }));
}

function figuresOf(list: readonly Rollout[]): Partial<RunStep> {
  const rewards = list.flatMap(({ row }) => (row.reward === null ? [] : [row.reward]));
  const judged = list.flatMap(({ facts }) => (facts === null || facts.label === null ? [] : [facts]));
  const ended = list.filter(({ row }) => row.status === 'ended');
  const groups = [...Map.groupBy(list, ({ row }) => row.group).entries()].filter(([group]) => group !== null);
  const told = list.filter(({ row }) => row.condition !== null);
  const times = list.flatMap(({ activeMs }) => (activeMs === null ? [] : [activeMs]));
  return {
    reward: meanOf(rewards),
    reward_sd: deviationOf(rewards),
    rollouts: list.length,
    rewarded: rewards.length,
    judged: judged.length,
    completed: judged.filter(({ label }) => label === 'complete').length,
    format_error_rate: shareOf(judged.map((facts) => isFormatErrorEpisode(facts, REWARD_DEFAULTS.shaping))),
    timeout_rate: shareOf(ended.map(({ row }) => row.outcome === 'limit')),
    expert_share: shareOf(told.map(({ row }) => row.condition !== 'none')),
    expert_minutes: times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / 60_000,
    groups: groups.length,
    flat_groups: groups.filter(([, group]) => isFlat(group.map(({ row }) => row.reward))).length,
    asked: judged.length === 0 ? null : askedOf(judged),
  };
}

/** Every rollout has a reward and all are the same: a trainer that compares them learns nothing. */
const isFlat = (rewards: readonly (number | null)[]): boolean =>
  rewards.length > 1 && rewards.every((reward) => reward !== null && reward === rewards[0]);

/** Solo counts what was completed; the others count whoever asked, as the public recipe does. */
function askedOf(judged: readonly RewardFacts[]): RunStep['asked'] {
  const patterns = judged.map((facts) => ({
    pattern: helpPattern(facts),
    isDone: facts.label === 'complete',
  }));
  return {
    solo: patterns.filter(({ pattern, isDone }) => pattern === 'solo' && isDone).length,
    recovery: patterns.filter(({ pattern }) => pattern === 'recovery').length,
    blind: patterns.filter(({ pattern }) => pattern === 'blind').length,
  };
}
