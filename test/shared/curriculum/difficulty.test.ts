import { describe, expect, it } from 'vitest';
import {
  ALL_OPEN,
  difficultyAfter,
  isOpen,
  type DifficultyState,
} from '../../../src/shared/curriculum/difficulty.ts';
import type { CurriculumTask, Rollout } from '../../../src/shared/curriculum/rollout.ts';
import { CURRICULUM_DEFAULTS, type CurriculumSettings } from '../../../src/shared/curriculum/settings.ts';
import { rolloutsOf } from './planted.ts';

const TASKS: CurriculumTask[] = (['easy', 'medium', 'hard'] as const).map((difficulty, task_idx) => ({
  scenario: 'planted',
  task_idx,
  difficulty,
}));
const RULE = CURRICULUM_DEFAULTS.difficulty;
const after = (
  state: DifficultyState,
  rollouts: Rollout[],
  settings: Partial<CurriculumSettings['difficulty']> = {},
  tasks = TASKS,
) =>
  difficultyAfter(
    state,
    rollouts,
    tasks,
    ({ task_idx }) => tasks.find((task) => task.task_idx === task_idx)?.difficulty ?? null,
    { ...RULE, ...settings },
  );
const easyOnly = after(ALL_OPEN, [], { mode: 'on' }).state;

describe('the levels of difficulty', () => {
  it('are all open until the mean reward of 500 rollouts is below 0.1, as the brief says', () => {
    const before = after(ALL_OPEN, rolloutsOf(0, 499));
    expect(before).toMatchObject({ change: null, mean: null, rollouts: 499 });
    expect(after(before.state, rolloutsOf(0, 1))).toMatchObject({
      change: 'triggered',
      state: { level: 'easy' },
    });
    expect(after(ALL_OPEN, rolloutsOf(49, 500)).change).toBe('triggered');
    expect(after(ALL_OPEN, rolloutsOf(50, 500)).change).toBeNull();
  });

  it('open one by one where the mean reward alone is over 0.30: at 0.30 they do not', () => {
    const size = { mode: 'on', unlock_rollouts: 10 } as const;
    expect(easyOnly.level).toBe('easy');
    expect(after(easyOnly, rolloutsOf(3, 10), size).change).toBeNull();
    const medium = after(easyOnly, rolloutsOf(4, 10), size);
    expect(medium).toMatchObject({ change: 'unlocked', mean: 0.4, rollouts: 10, state: { level: 'medium' } });
    expect(after(medium.state, rolloutsOf(10, 10), size).change).toBeNull();
    const hard = after(medium.state, rolloutsOf(10, 10, { task_idx: 1 }), size);
    expect(hard.state.level).toBe('hard');
    expect(after(hard.state, rolloutsOf(10, 10, { task_idx: 2 }), size).change).toBeNull();
  });

  it('open by no rollout with the expert or with a hint', () => {
    const size = { mode: 'on', unlock_rollouts: 4 } as const;
    for (const over of [{ arm: 'expert' as const }, { hint: 'plan' as const }])
      expect(after(easyOnly, rolloutsOf(4, 4, over), size)).toMatchObject({ change: null, rollouts: 0 });
  });

  it('are one where tasks have one or none, or it is switched off', () => {
    const [easy] = TASKS;
    expect(after(ALL_OPEN, [], { mode: 'on' }, easy === undefined ? [] : [easy]).state).toEqual(ALL_OPEN);
    expect(after(easyOnly, [], { mode: 'off' })).toMatchObject({ change: 'opened', state: ALL_OPEN });
  });

  it('hide no task whose level nobody said', () => {
    expect(isOpen(null, 'easy')).toBe(true);
    expect(isOpen('hard', 'medium')).toBe(false);
    expect(isOpen('hard', null)).toBe(true);
  });
});
