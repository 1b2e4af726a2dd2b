// How an episode of a bench is started: in every arm alike, but for who may advise and which agent acts.
import type { BenchCell, BenchPlan, PlannedArm } from '../../shared/bench/plan.ts';
import { StartEpisode } from '../../shared/contract/areas.ts';
import { hasPerson } from '../../shared/conditions.ts';

/** Starts that failed for a moment are tried again so often. */
const START_RETRIES = 4;

export const benchStart =
  (plan: BenchPlan, { condition, agent }: PlannedArm) =>
  ({ scenario, task_idx, seed }: BenchCell): StartEpisode =>
    StartEpisode.parse({
      environment: plan.environment,
      scenario,
      task_idx,
      agent,
      condition,
      deadline_ms: plan.deadline_ms,
      // There is no draft to fall back on where none is made.
      fallback: plan.fallback === 'draft' && condition === 'human' ? 'proceed' : plan.fallback,
      seed,
      repeats: 1,
      limits: {
        ...(plan.turns === null ? {} : { turns: plan.turns }),
        ...(plan.asks === null ? {} : { consultations: plan.asks }),
      },
      reset: {},
      is_blinded: true,
      run: plan.name,
      start_retries: START_RETRIES,
      ...(plan.hourly_minutes === null || !hasPerson(condition)
        ? {}
        : { admission: { share: null, capacity: null, hourly_minutes: plan.hourly_minutes } }),
    });
