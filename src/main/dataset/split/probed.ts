// What probes tell of a task: whether its verifier can be trusted, and how hard it is.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

/** Why a task is no candidate. */
export type DropCause =
  'no_verifier' | 'judged_by_model' | 'verifier_broken' | 'passes_untouched' | 'not_reset';

export const DROP_WORDS: Readonly<Record<DropCause, string>> = {
  no_verifier: 'no deterministic verifier',
  judged_by_model: 'a model judges it',
  verifier_broken: 'the verifier broke on the untouched state',
  passes_untouched: 'it passes with nothing done',
  not_reset: 'it could not be reset',
};

export type StatedDifficulty = 'easy' | 'medium' | 'hard' | null;

/** A task that stays, with what its rollouts came to. */
export type ProbedTask = {
  scenario: string;
  task_idx: number;
  stated: StatedDifficulty;
  rollouts: number;
  completed: number;
};

const VERDICTS: ReadonlySet<string | null> = new Set(['complete', 'incomplete', 'others']);

/** Why an episode in which nothing was done speaks against its task; null where it does not. */
export function causeOf({ reset, ended, verified }: EpisodeRecord): DropCause | null {
  if (verified === null) return reset === null || ended?.outcome === 'error' ? 'not_reset' : 'no_verifier';
  if (verified.reward_type === 'no_verifier') return 'no_verifier';
  if (verified.reward_type === 'complete') return 'passes_untouched';
  return verified.error !== null || !VERDICTS.has(verified.reward_type) ? 'verifier_broken' : null;
}

export type Difficulty = 'easy' | 'medium' | 'hard' | 'unsolved' | 'unknown';
/** Where difficulties come from: the rollouts, what the task's author says, or nowhere. */
export type DifficultySource = 'measured' | 'stated' | 'none';

/** Rollouts tell tasks apart only where some of them completed a task. */
export function difficultySource(tasks: readonly ProbedTask[]): DifficultySource {
  if (tasks.some(({ completed }) => completed > 0)) return 'measured';
  return tasks.some(({ stated }) => stated !== null) ? 'stated' : 'none';
}

/** Of one task, or of a scenario by all its tasks. */
export function difficultyOf(tasks: readonly ProbedTask[], source: DifficultySource): Difficulty {
  if (source === 'measured') return measured(tasks);
  const stated = tasks.flatMap((task) => (task.stated === null ? [] : [LEVELS.indexOf(task.stated)]));
  if (source === 'none' || stated.length === 0) return 'unknown';
  const mean = stated.reduce((sum, level) => sum + level, 0) / stated.length;
  return LEVELS[Math.round(mean)] ?? 'unknown';
}

const LEVELS = ['easy', 'medium', 'hard'] as const;

function measured(tasks: readonly ProbedTask[]): Difficulty {
  const rollouts = tasks.reduce((sum, task) => sum + task.rollouts, 0);
  if (rollouts === 0) return 'unknown';
  const rate = tasks.reduce((sum, task) => sum + task.completed, 0) / rollouts;
  if (rate === 0) return 'unsolved';
  return rate <= 1 / 3 ? 'hard' : rate <= 2 / 3 ? 'medium' : 'easy';
}
