// A person's choices for a bench. With the tasks of a split they become a plan.
import { z } from 'zod';
import { AgentSpec } from '../events/lifecycle.ts';
import { BenchPlan, PlannedArm, SEEDS_MAX } from './plan.ts';

/** A comparison of two checkpoints takes so many tasks, once each, unless told otherwise. */
export const CHECKPOINT_TASKS = 20;
/** Runs of each task, where help is compared. */
export const DEFAULT_SEEDS = 5;

const ChosenArm = PlannedArm.extend({
  /** `profile` null: the agent’s own model. */
  agent: z.strictObject({
    policy: AgentSpec.shape.policy.extract(['rehearsal', 'chat']),
    protocol: AgentSpec.shape.protocol,
    profile: z.string().max(60).nullable(),
  }),
});

export const BenchChoice = BenchPlan.pick({
  environment: true,
  section: true,
  order_seed: true,
  is_privileged: true,
  turns: true,
  asks: true,
  hourly_minutes: true,
  deadline_ms: true,
  fallback: true,
}).extend({
  /** Null: a name made from the plan, so that the same choice is the same bench. */
  name: BenchPlan.shape.name.nullable(),
  arms: z.array(ChosenArm).min(2).max(8),
  /** Null: the first arm and the last. */
  primary: BenchPlan.shape.primary.nullable(),
  /** Runs of each task in each arm, and the seed of the first. */
  seeds: z.number().int().min(1).max(SEEDS_MAX),
  first_seed: z.number().int().nonnegative(),
  /** So many tasks, drawn by the seed of the order; null for all. */
  max_tasks: z.number().int().positive().nullable(),
});
export type BenchChoice = z.infer<typeof BenchChoice>;
