// Folds a run's events into the state of its curriculum. Pure.
import type { LogEvent } from '../events/vocabulary.ts';
import { joinedStep, type RunStep, emptyStep } from '../training/run.ts';
import { decideStep, FIRST_STATE, type CurriculumState } from './decide.ts';
import type { CurriculumInputs, CurriculumPlan } from './plan.ts';
import { taskKey, type CurriculumTask, type Rollout, type RolloutOutcome, type RunKey } from './rollout.ts';
import { CURRICULUM_DEFAULTS, type CurriculumSettings } from './settings.ts';
import { type Signals, meanOf, shareOf } from './signals.ts';
import { deviationOf } from '../statistics/means.ts';

export type CurriculumHistory = {
  /** The key that steers it; null before one began it. */
  key: RunKey | null;
  settings: CurriculumSettings;
  tasks: ReadonlyMap<string, CurriculumTask>;
  state: CurriculumState;
  /** By step. */
  plans: ReadonlyMap<number, CurriculumPlan>;
  /** Ids of the rollouts that each decision has taken in. */
  counted: readonly (readonly string[])[];
  /** Reported, and in no decision yet. */
  waiting: readonly Rollout[];
  /** The trainer's own metrics since the last decision, and of the whole run. */
  newSteps: readonly RunStep[];
  steps: ReadonlyMap<number, RunStep>;
  /** Rollouts that were reported, by step. */
  reported: ReadonlyMap<number, readonly RolloutOutcome[]>;
  /** The content of each report, by its name. */
  reports: ReadonlyMap<string, string>;
};

export const NO_HISTORY: CurriculumHistory = {
  key: null,
  settings: CURRICULUM_DEFAULTS,
  tasks: new Map(),
  state: FIRST_STATE,
  plans: new Map(),
  counted: [],
  waiting: [],
  newSteps: [],
  steps: new Map(),
  reported: new Map(),
  reports: new Map(),
};

/** The owner's word stands whatever is set back. */
const OWNERS: ReadonlySet<LogEvent['kind']> = new Set([
  'curriculum.assigned',
  'curriculum.configured',
  'curriculum.set_back',
]);

/** The events of a run that still count: all but what its owner took back. */
export function standingOf<E extends { event: LogEvent }>(events: readonly E[]): E[] {
  let standing: E[] = [];
  for (const one of events) {
    const { event } = one;
    if (event.kind === 'curriculum.set_back') {
      const first = standing.findIndex(
        ({ event: before }) => before.kind === 'curriculum.decided' && before.inputs.step >= event.step,
      );
      standing = standing.filter(
        ({ event: before }, at) => first === -1 || at < first || OWNERS.has(before.kind),
      );
    }
    standing.push(one);
  }
  return standing;
}

/** The newest step that has a plan; 0 where none has. */
export const newestStep = ({ plans }: Pick<CurriculumHistory, 'plans'>): number =>
  Math.max(0, ...plans.keys());

/** The most steps beyond the newest planned one: a trainer need not ask at every step. */
const STEPS_AHEAD = 1_000;
/** Of a run that begins: a trainer that goes on from a checkpoint names its step. */
const FIRST_STEP_MAX = 1_000_000;

/** The furthest step that may be asked for or told of. */
export function lastStep(history: Pick<CurriculumHistory, 'plans'>): number {
  const newest = newestStep(history);
  return newest === 0 ? FIRST_STEP_MAX : newest + STEPS_AHEAD;
}

export function historyAfter(history: CurriculumHistory, event: LogEvent): CurriculumHistory {
  switch (event.kind) {
    case 'curriculum.assigned':
      return { ...history, key: event.key };
    case 'curriculum.configured':
      return { ...history, settings: event.settings };
    case 'curriculum.tasks_named':
      return { ...history, tasks: knownTasks(history.tasks, event.tasks) };
    case 'curriculum.reported':
      return {
        ...history,
        waiting: [
          ...history.waiting,
          ...event.rollouts.map((rollout, at) => ({ ...rollout, id: reportedId(event.report, at) })),
        ],
        newSteps: [...history.newSteps, ...event.steps],
        steps: new Map([
          ...history.steps,
          ...event.steps.map((step) => [step.step, joinedStep(history.steps.get(step.step), step)] as const),
        ]),
        reported: byStep(history.reported, event.rollouts),
        reports: new Map([...history.reports, [event.report, event.sha256]]),
      };
    case 'curriculum.decided': {
      const { state, tasks } = decidedFrom(history, event.inputs, history.settings);
      return {
        ...history,
        tasks,
        state,
        plans: new Map([...history.plans, [event.inputs.step, event.plan]]),
        counted: [...history.counted, event.inputs.rollouts.map(({ id }) => id)],
        waiting: [],
        newSteps: [],
      };
    }
    default:
      return history;
  }
}

/** The rollouts that decisions have taken in. */
export const countedIds = ({ counted }: CurriculumHistory): Set<string> => new Set(counted.flat());

const reportedId = (report: string, at: number): string => `report ${report} #${String(at + 1)}`;

/** The next decision, from where the run stands. */
export function decidedFrom(
  { state, tasks }: Pick<CurriculumHistory, 'state' | 'tasks'>,
  inputs: CurriculumInputs,
  settings: CurriculumSettings,
): { state: CurriculumState; plan: CurriculumPlan; tasks: ReadonlyMap<string, CurriculumTask> } {
  // A rollout that names no task counts for phases; nobody can be told to play it again.
  const named = inputs.rollouts.filter(({ scenario, task_idx }) => scenario !== null || task_idx !== null);
  const played = named.map(({ scenario, task_idx }): CurriculumTask => ({
    scenario,
    task_idx,
    difficulty: null,
  }));
  const known = knownTasks(
    tasks,
    played.filter((task) => !tasks.has(taskKey(task))),
  );
  return { ...decideStep(state, inputs, [...known.values()], settings), tasks: known };
}

const knownTasks = (
  known: ReadonlyMap<string, CurriculumTask>,
  tasks: readonly CurriculumTask[],
): ReadonlyMap<string, CurriculumTask> =>
  new Map([...known, ...tasks.map((task) => [taskKey(task), task] as const)]);

function byStep(
  before: CurriculumHistory['reported'],
  rollouts: readonly RolloutOutcome[],
): CurriculumHistory['reported'] {
  const steps = [...Map.groupBy(rollouts, ({ step }) => step)];
  return new Map([
    ...before,
    ...steps.map(([step, list]) => [step, [...(before.get(step) ?? []), ...list]] as const),
  ]);
}

/** The steps of the run as its trainer reports them: what its rollouts come to, and its own metrics over that. */
export function reportedSteps({ reported, steps }: CurriculumHistory): ReadonlyMap<number, RunStep> {
  const counted = [...reported].map(([step, list]) => [step, reportedStep(step, list)] as const);
  const own = new Map(counted);
  return new Map([
    ...counted,
    ...[...steps].map(([step, told]) => [step, joinedStep(own.get(step), told)] as const),
  ]);
}

/** Signals as the trainer told them of the newest of these steps. */
export function toldSignals(steps: readonly RunStep[]): Partial<Signals> {
  const newest = steps.toSorted((a, b) => a.step - b.step).at(-1);
  if (newest === undefined) return {};
  const { format_error_rate, timeout_rate, reward } = newest;
  return { format_error_rate, timeout_rate, reward };
}

/** Of one step, all of its rollouts that were reported. */
function reportedStep(step: number, all: readonly RolloutOutcome[]): RunStep {
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
