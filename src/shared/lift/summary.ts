// Results of a measurement of advice, as in `results_summary.json`. Reports and figures are drawn from them alone.
import { z } from 'zod';
import { InterventionLift, LiftExclusion } from './intervention.ts';
import { LiftPlan } from './plan.ts';

const Share = z.number().min(0).max(1);

const Exclusions = z.partialRecord(LiftExclusion, z.number().int());

const Overall = z.strictObject({
  /** Interventions whose figure is causal, and the tasks they are of. */
  interventions: z.number().int(),
  tasks: z.number().int(),
  /** The mean of their lifts; null where there is none. */
  estimate: z.number().nullable(),
  /** At 95 %: what the test would not reject. Null with one task, and where every lift is the same. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Signs are flipped task by task; null where there is no estimate. */
  test: z.enum(['sign_flip_exact', 'sign_flip_monte_carlo']).nullable(),
  p: Share.nullable(),
  is_shown: z.boolean(),
  says: z.string(),
});

export const LIFT_SUMMARY_VERSION = 1 as const;
export const LiftSummary = z.strictObject({
  kind: z.literal('interject.lift'),
  version: z.literal(LIFT_SUMMARY_VERSION),
  plan: LiftPlan,
  /** Continuations planned, and of these over. */
  planned: z.number().int(),
  finished: z.number().int(),
  is_complete: z.boolean(),
  agent: z.strictObject({
    /** The models that went on; none where the agent followed a script. */
    models: z.array(z.string()),
    is_rehearsal: z.boolean(),
    /** Some continuation of one arm of one intervention differs from another. */
    is_resampled: z.boolean(),
  }),
  overall: Overall,
  interventions: z.array(InterventionLift),
  /** Continuations left out, by arm and cause. */
  excluded: z.strictObject({ with: Exclusions, without: Exclusions }),
  /** What a reader must know before they quote a number. */
  cautions: z.array(z.string()),
});
export type LiftSummary = z.infer<typeof LiftSummary>;
