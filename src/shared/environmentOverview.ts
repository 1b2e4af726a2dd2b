// The scenarios of an environment at a glance: how many tasks of which difficulty, how they are verified, on which side of
// a split they are, and what was completed without help. Pure.
import { z } from 'zod';
import { SplitManifest, type ListedTask } from './split.ts';
import { uniqueTasks } from './splitFaults.ts';
import { normalizeScenario } from './wire.ts';

export const OverviewDifficulty = z.enum(['easy', 'medium', 'hard', 'unsolved', 'unknown']);
export type OverviewDifficulty = z.infer<typeof OverviewDifficulty>;

const count = z.number().int().nonnegative();
export const ScenarioOverview = z.strictObject({
  name: z.string().min(1),
  tasks: count,
  /** Null where nobody has listed them. */
  tools: count.nullable(),
  difficulty: z.partialRecord(OverviewDifficulty, count),
  /** Null where that is not known. */
  verifier: z.string().nullable(),
  /** Tasks of either side; both null where no split names the scenario. */
  train: count.nullable(),
  held_out: count.nullable(),
  /** Verified runs without help, and those of them that were completed. */
  solo_runs: count,
  solo_completed: count,
});
export type ScenarioOverview = z.infer<typeof ScenarioOverview>;

/** A split as `results_summary.json` of its report holds it. */
export const SplitSummary = z.strictObject({
  kind: z.literal('interject.split_overview'),
  version: z.literal(1),
  split: z.string(),
  scenarios: z.array(ScenarioOverview),
  manifest: SplitManifest,
});
export type SplitSummary = z.infer<typeof SplitSummary>;

/** A task in a manifest; the public recipe's own says which they are, and nothing more. */
const SplitTask = z.looseObject({
  scenario: z.string(),
  task_idx: z.number().int(),
  difficulty: OverviewDifficulty.catch('unknown').default('unknown'),
  rollouts: z.number().int().nonnegative().catch(0).default(0),
  completed: z.number().int().nonnegative().catch(0).default(0),
});
const SplitFacts = z.looseObject({
  verifier_mode: z.string().nullish(),
  tasks: z.array(SplitTask).catch([]).default([]),
});

export function overviewOfSplit(manifest: SplitManifest): ScenarioOverview[] {
  const facts = SplitFacts.parse(manifest.meta ?? {});
  const known = new Map(facts.tasks.map((task) => [taskKey([task.scenario, task.task_idx]), task]));
  const listed = uniqueTasks([...manifest.train, ...manifest.val]);
  const heldOut = new Set(manifest.val.map(taskKey));
  return [...Map.groupBy(listed, ([scenario]) => normalizeScenario(scenario))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, tasks]) => {
      const told = tasks.map((task) => known.get(taskKey(task)));
      const levels = Map.groupBy(told, (task) => task?.difficulty ?? 'unknown');
      const held = tasks.filter((task) => heldOut.has(taskKey(task))).length;
      return {
        name,
        tasks: tasks.length,
        tools: null,
        difficulty: Object.fromEntries([...levels].map(([level, list]) => [level, list.length])),
        verifier: facts.verifier_mode ?? null,
        train: tasks.length - held,
        held_out: held,
        solo_runs: told.reduce((sum, task) => sum + (task?.rollouts ?? 0), 0),
        solo_completed: told.reduce((sum, task) => sum + (task?.completed ?? 0), 0),
      };
    });
}

const taskKey = ([scenario, index]: ListedTask): string => `${normalizeScenario(scenario)}\n${String(index)}`;
