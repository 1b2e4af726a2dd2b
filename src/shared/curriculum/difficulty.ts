// The levels of difficulty in play: the next one opens when the mean reward on the highest open one is high enough;
// where all are open, rewards that stay low close all but the lowest (the public brief: 0.30, and 0.1 after 500). Pure.
import { DIFFICULTIES, isAlone, type CurriculumTask, type Difficulty, type Rollout } from './rollout.ts';
import { meanOf } from './signals.ts';
import type { CurriculumSettings } from './settings.ts';

export type DifficultyState = {
  /** The highest open level; null while all are open. */
  level: Difficulty | null;
  /** Rewards alone on that level since it opened, the last of them. */
  onLevel: readonly number[];
  /** The last rewards of all rollouts, while all levels are open. */
  all: readonly number[];
};
export const ALL_OPEN: DifficultyState = { level: null, onLevel: [], all: [] };

export type DifficultyResult = {
  state: DifficultyState;
  change: 'triggered' | 'began' | 'unlocked' | 'opened' | null;
  /** What the decision looked at: a mean over so many rollouts; null before there are enough. */
  mean: number | null;
  rollouts: number;
};

/** `levelOf`: the level of a rollout's task; null where nobody said. */
export function difficultyAfter(
  state: DifficultyState,
  rollouts: readonly Rollout[],
  tasks: readonly CurriculumTask[],
  levelOf: (rollout: Rollout) => Difficulty | null,
  settings: CurriculumSettings['difficulty'],
): DifficultyResult {
  const levels = DIFFICULTIES.filter((level) => tasks.some(({ difficulty }) => difficulty === level));
  const [lowest] = levels;
  if (settings.mode === 'off' || lowest === undefined || levels.length < 2) {
    return { state: ALL_OPEN, change: state.level === null ? null : 'opened', mean: null, rollouts: 0 };
  }
  if (state.level === null && settings.mode === 'triggered') {
    return triggered(state, rollouts, lowest, settings);
  }
  if (state.level === null) {
    return { state: { level: lowest, onLevel: [], all: [] }, change: 'began', mean: null, rollouts: 0 };
  }
  return unlocked(state, state.level, rollouts, levels, levelOf, settings);
}

function triggered(
  { all }: DifficultyState,
  rollouts: readonly Rollout[],
  lowest: Difficulty,
  { trigger_below: below, trigger_rollouts: size }: CurriculumSettings['difficulty'],
): DifficultyResult {
  const last = [...all, ...rewardsOf(rollouts)].slice(-size);
  const mean = last.length < size ? null : meanOf(last);
  const isTriggered = mean !== null && mean < below;
  return {
    state: isTriggered ? { level: lowest, onLevel: [], all: [] } : { level: null, onLevel: [], all: last },
    change: isTriggered ? 'triggered' : null,
    mean,
    rollouts: last.length,
  };
}

function unlocked(
  state: DifficultyState,
  level: Difficulty,
  rollouts: readonly Rollout[],
  levels: readonly Difficulty[],
  levelOf: (rollout: Rollout) => Difficulty | null,
  { unlock_above: above, unlock_rollouts: size }: CurriculumSettings['difficulty'],
): DifficultyResult {
  const alone = rollouts.filter((rollout) => isAlone(rollout) && levelOf(rollout) === level);
  const last = [...state.onLevel, ...rewardsOf(alone)].slice(-size);
  const mean = last.length < size ? null : meanOf(last);
  const next = levels[levels.indexOf(level) + 1];
  const isUnlocked = next !== undefined && mean !== null && mean > above;
  return {
    state: isUnlocked ? { level: next, onLevel: [], all: [] } : { ...state, onLevel: last },
    change: isUnlocked ? 'unlocked' : null,
    mean,
    rollouts: last.length,
  };
}

const rewardsOf = (rollouts: readonly Rollout[]): number[] =>
  rollouts.flatMap(({ reward }) => (reward === null ? [] : [reward]));

/** A task whose level nobody said is always open. */
export const isOpen = (difficulty: Difficulty | null, level: Difficulty | null): boolean =>
  difficulty === null || level === null || DIFFICULTIES.indexOf(difficulty) <= DIFFICULTIES.indexOf(level);
