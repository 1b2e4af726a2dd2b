// One decision of a curriculum: where it stood, what came in since, and its settings, in; the plan of a step and where it
// stands then, out. Pure and without a clock: the same inputs in the same order give the same plans, bit for bit.
import { groupSplit } from '../training/controller.ts';
import {
  ALL_OPEN,
  difficultyAfter,
  isOpen,
  type DifficultyResult,
  type DifficultyState,
} from './difficulty.ts';
import { hintAfter, NO_HINT, type HintState } from './hints.ts';
import type { CurriculumChange, CurriculumInputs, CurriculumPlan, TaskPlan } from './plan.ts';
import { isAlone, taskKey, type CurriculumTask, type Rollout, type TaskName } from './rollout.ts';
import type { CurriculumSettings } from './settings.ts';
import { advancePhases, signalsOf, type PhaseStates } from './signals.ts';
import { WITH_EXPERT, withdrawalAfter, type WithdrawalState } from './withdrawal.ts';

type TaskState = { withdrawal: WithdrawalState; hint: HintState };
export type CurriculumState = {
  phases: PhaseStates;
  difficulty: DifficultyState;
  tasks: ReadonlyMap<string, TaskState>;
};
export const FIRST_STATE: CurriculumState = { phases: {}, difficulty: ALL_OPEN, tasks: new Map() };
const NEW_TASK: TaskState = { withdrawal: WITH_EXPERT, hint: NO_HINT };

/** Rollouts an arm needs before its deviation means something. */
const ARM_MIN = 4;

/** `tasks`: all that are known by now, those of the rollouts among them. */
export function decideStep(
  state: CurriculumState,
  inputs: CurriculumInputs,
  tasks: readonly CurriculumTask[],
  settings: CurriculumSettings,
): { state: CurriculumState; plan: CurriculumPlan } {
  const rollouts = inputs.rollouts.filter(({ arm }) => arm !== 'evaluation');
  const { step, group } = inputs;
  const phases = advancePhases(state.phases, step, signalsOf(rollouts, inputs.told), settings.phases);
  const levels = new Map(tasks.map((task) => [taskKey(task), task.difficulty]));
  const difficulty = difficultyAfter(
    state.difficulty,
    rollouts,
    tasks,
    (rollout) => levels.get(taskKey(rollout)) ?? null,
    settings.difficulty,
  );
  const byTask = Map.groupBy(rollouts, taskKey);
  const next = tasks.map((task) => {
    const key = taskKey(task);
    return {
      task,
      key,
      ...taskAfter(task, state.tasks.get(key) ?? NEW_TASK, byTask.get(key) ?? [], settings),
    };
  });
  const { level } = difficulty.state;
  const split = groupSplit(phases.expert_share, group);
  return {
    state: {
      phases: phases.states,
      difficulty: difficulty.state,
      tasks: new Map(next.map(({ key, state: one }) => [key, one])),
    },
    plan: {
      step,
      phase: phases.phase,
      expert_share: phases.expert_share,
      group,
      split,
      divide_by_deviation: [split.expert, split.solo].every((size) => size === 0 || size >= ARM_MIN),
      signals: phases.decisions,
      changes: [...difficultyChange(difficulty), ...next.flatMap(({ changes }) => changes)],
      level,
      tasks: next.map(({ plan, task }) => ({ ...plan, is_open: isOpen(task.difficulty, level) })),
    },
  };
}

const difficultyChange = ({ change, state, mean, rollouts }: DifficultyResult): CurriculumChange[] =>
  change === null ? [] : [{ what: 'difficulty', change, level: state.level, mean, rollouts }];

function taskAfter(
  task: CurriculumTask,
  before: TaskState,
  rollouts: readonly Rollout[],
  settings: CurriculumSettings,
): { state: TaskState; plan: Omit<TaskPlan, 'is_open'>; changes: CurriculumChange[] } {
  const judged = rollouts.flatMap((rollout) =>
    isAlone(rollout) && rollout.completed !== null ? [rollout.completed] : [],
  );
  const withdrawal = withdrawalAfter(before.withdrawal, judged, settings.withdrawal);
  const hint = hintAfter(before.hint, rollouts, settings.hints);
  const { solved, of, lower } = withdrawal;
  const name: TaskName = { scenario: task.scenario, task_idx: task.task_idx };
  const changes: CurriculumChange[] = [];
  if (withdrawal.change !== null)
    changes.push({ what: 'expert', ...name, change: withdrawal.change, solved, of, lower });
  if (hint.change !== null) {
    const [from, to] = [before.hint.tier, hint.state.tier];
    changes.push({ what: 'hint', ...name, change: hint.change, from, to, groups: hint.groups });
  }
  return {
    state: { withdrawal: withdrawal.state, hint: hint.state },
    plan: {
      ...name,
      difficulty: task.difficulty,
      has_expert: !withdrawal.state.is_withdrawn,
      solved,
      of,
      lower,
      hint: hint.state.tier,
    },
    changes,
  };
}
