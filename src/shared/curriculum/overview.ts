// A run's curriculum as people look at it, and as the report of the run holds it: where it stands, and each decision with
// what it was taken from. Pure.
import { z } from 'zod';
import { CurriculumPlan, type CurriculumInputs } from './plan.ts';
import { CurriculumSettings } from './settings.ts';

const Decision = CurriculumPlan.pick({
  step: true,
  phase: true,
  expert_share: true,
  split: true,
  signals: true,
  changes: true,
  level: true,
}).extend({
  /** Rollouts that it was taken from. */
  rollouts: z.number().int(),
});

export const CurriculumDecision = Decision.extend({
  /** UTC ms. */
  at: z.number(),
});
export type CurriculumDecision = z.infer<typeof CurriculumDecision>;

export const CurriculumOverview = z.strictObject({
  settings: CurriculumSettings,
  /** Of the newest step. */
  plan: CurriculumPlan,
  /** Newest first, the last of them. */
  decisions: z.array(CurriculumDecision),
  earlier: z.number().int(),
});
export type CurriculumOverview = z.infer<typeof CurriculumOverview>;

/** Every decision, oldest first, and no time, so that the same decisions give the same bytes. */
export const CurriculumSummary = z.strictObject({
  settings: CurriculumSettings,
  decisions: z.array(Decision),
});
export type CurriculumSummary = z.infer<typeof CurriculumSummary>;

export type DecidedStep = { at: number; inputs: CurriculumInputs; plan: CurriculumPlan };

const DECISIONS_SHOWN = 200;

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
    decisions: shown.map((one) => ({ ...decisionOf(one), at: one.at })),
    earlier: decided.length - shown.length,
  };
}

/** Null where nothing was decided. */
export const curriculumSummaryOf = (
  settings: CurriculumSettings,
  decided: readonly DecidedStep[],
): CurriculumSummary | null =>
  decided.length === 0 ? null : { settings, decisions: decided.map(decisionOf) };

const decisionOf = ({ inputs, plan }: DecidedStep): z.infer<typeof Decision> => ({
  step: plan.step,
  phase: plan.phase,
  expert_share: plan.expert_share,
  split: plan.split,
  signals: plan.signals,
  changes: plan.changes,
  level: plan.level,
  rollouts: inputs.rollouts.length,
});
