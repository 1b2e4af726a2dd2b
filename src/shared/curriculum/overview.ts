// A run's curriculum as people look at it: where it stands, each decision with what it was taken from, and from which
// tasks the expert was withdrawn when. Pure.
import { z } from 'zod';
import { CurriculumPlan, type CurriculumInputs } from './plan.ts';
import { taskKey } from './rollout.ts';
import { CurriculumSettings } from './settings.ts';
import { taskLabel } from './words.ts';

export const CurriculumDecision = CurriculumPlan.pick({
  step: true,
  phase: true,
  expert_share: true,
  split: true,
  signals: true,
  changes: true,
  level: true,
}).extend({
  /** UTC ms. */
  at: z.number(),
  /** Rollouts that it was taken from. */
  rollouts: z.number().int(),
});
export type CurriculumDecision = z.infer<typeof CurriculumDecision>;

const Cell = z.enum(['expert', 'alone', 'returned']);
export const CurriculumOverview = z.strictObject({
  settings: CurriculumSettings,
  /** Of the newest step. */
  plan: CurriculumPlan,
  /** Newest first, the last of them. */
  decisions: z.array(CurriculumDecision),
  earlier: z.number().int(),
  /** Whether each task had the expert at each of these steps; null where it was not known yet. */
  map: z.strictObject({
    steps: z.array(z.number().int()),
    tasks: z.array(z.strictObject({ task: z.string(), cells: z.array(Cell.nullable()) })),
  }),
});
export type CurriculumOverview = z.infer<typeof CurriculumOverview>;

export type DecidedStep = { at: number; inputs: CurriculumInputs; plan: CurriculumPlan };

const DECISIONS_SHOWN = 200;
/** More than this cannot be read. */
const MAP_TASKS = 24;
const MAP_STEPS = 40;

/** Null where nothing was decided yet. */
export function overviewOf(
  settings: CurriculumSettings,
  decided: readonly DecidedStep[],
): CurriculumOverview | null {
  const last = decided.at(-1);
  if (last === undefined) return null;
  const shown = decided.slice(-DECISIONS_SHOWN).toReversed();
  return {
    settings,
    plan: last.plan,
    decisions: shown.map(({ at, inputs, plan }) => ({
      step: plan.step,
      phase: plan.phase,
      expert_share: plan.expert_share,
      split: plan.split,
      signals: plan.signals,
      changes: plan.changes,
      level: plan.level,
      at,
      rollouts: inputs.rollouts.length,
    })),
    earlier: decided.length - shown.length,
    map: withdrawalsOf(decided.map(({ plan }) => plan)),
  };
}

/** Tasks that the expert left come first. */
export function withdrawalsOf(plans: readonly CurriculumPlan[]): CurriculumOverview['map'] {
  const shown = plans.slice(-MAP_STEPS);
  const left = new Set<string>();
  const cells = plans.map(
    (plan) =>
      new Map(
        plan.tasks.map((task) => {
          const key = taskKey(task);
          if (!task.has_expert) left.add(key);
          return [key, task.has_expert ? (left.has(key) ? 'returned' : 'expert') : 'alone'] as const;
        }),
      ),
  );
  const tasks = (plans.at(-1)?.tasks ?? []).toSorted(
    (a, b) => Number(left.has(taskKey(b))) - Number(left.has(taskKey(a))),
  );
  return {
    steps: shown.map(({ step }) => step),
    tasks: tasks.slice(0, MAP_TASKS).map((task) => ({
      task: taskLabel(task),
      cells: cells.slice(-MAP_STEPS).map((step) => step.get(taskKey(task)) ?? null),
    })),
  };
}
