// A run's curriculum as the report of the run holds it: every decision with what was measured, and no time, so that the
// same decisions give the same bytes. Pure.
import { z } from 'zod';
import { CurriculumDecision, CurriculumOverview, withdrawalsOf, type DecidedStep } from './overview.ts';
import { CurriculumSettings } from './settings.ts';

export const CurriculumSummary = z.strictObject({
  settings: CurriculumSettings,
  /** Every one, oldest first. */
  decisions: z.array(CurriculumDecision.omit({ at: true })),
  /** Tasks of the newest plan; the map draws the first of them. */
  tasks: z.number().int(),
  map: CurriculumOverview.shape.map,
});
export type CurriculumSummary = z.infer<typeof CurriculumSummary>;

/** Null where nothing was decided. */
export function curriculumSummaryOf(
  settings: CurriculumSettings,
  decided: readonly DecidedStep[],
): CurriculumSummary | null {
  const plans = decided.map(({ plan }) => plan);
  const last = plans.at(-1);
  if (last === undefined) return null;
  return {
    settings,
    decisions: decided.map(({ plan, inputs }) => ({
      step: plan.step,
      phase: plan.phase,
      expert_share: plan.expert_share,
      split: plan.split,
      signals: plan.signals,
      changes: plan.changes,
      level: plan.level,
      rollouts: inputs.rollouts.length,
    })),
    tasks: last.tasks.length,
    map: withdrawalsOf(plans),
  };
}
