// The plan of a bench, fixed before anything runs: which tasks, which arms, which runs, and the one comparison that it
// is made for.
import { z } from 'zod';
import { isBriefed } from '../conditions.ts';
import { AgentSpec, Condition, Fallback } from '../events/lifecycle.ts';
import { Roster } from '../experts/roster.ts';
import { Failure } from '../failure.ts';
import { ListedTask } from '../split.ts';
import { taskNames, tasksTwiceIn } from '../splitFaults.ts';
import { canonical } from '../canonical.ts';

/** Runs of each task in each arm. */
export const SEEDS_MAX = 100;

/** One way of running the tasks: who may advise, and which agent acts. */
export const PlannedArm = z.strictObject({
  arm: z.string().min(1).max(100),
  condition: Condition,
  agent: AgentSpec,
});
export type PlannedArm = z.infer<typeof PlannedArm>;

export const BenchPlan = z.strictObject({
  /** Also the name of its run: the library finds the episodes by it. */
  name: z.string().min(1).max(200),
  environment: z.string(),
  /** The list of the split that the tasks come from. */
  section: z.enum(['train', 'val']),
  tasks: z.array(ListedTask).min(1),
  /** Tasks of the val list that the split lists to train on too; absent where there are none. */
  also_in_train: z.array(ListedTask).min(1).optional(),
  arms: z.array(PlannedArm).min(2).max(8),
  /** The comparison the bench is made for: `second` minus `first`. */
  primary: z.strictObject({ first: z.string(), second: z.string() }),
  /** One run of each task in each arm for each; the same in all arms. */
  seeds: z.array(z.number().int()).min(1).max(SEEDS_MAX),
  /** Episodes begin in an order that is drawn with it. */
  order_seed: z.number().int(),
  /** Advisors get success criteria and the answer; without, nobody who advises does. */
  is_privileged: z.boolean(),
  /** One budget for every arm: turns and questions of an episode; null for the defaults. */
  turns: z.number().int().positive().nullable(),
  asks: z.number().int().nonnegative().nullable(),
  /** Minutes of people’s active time that may go into it in any hour; null without such a limit. */
  hourly_minutes: z.number().positive().nullable(),
  deadline_ms: z.number().int().positive().nullable(),
  fallback: Fallback,
  /** Who may be asked in every arm with help; absent where the advisor and the desk answer without a roster. */
  experts: Roster.optional(),
});
export type BenchPlan = z.infer<typeof BenchPlan>;

/** One episode of the plan. */
export type BenchCell = { arm: string; scenario: string; task_idx: number; seed: number };

/** Throws `bad_input` for a plan whose figures could not be read. */
export function checkPlan({ arms, primary, tasks, seeds }: BenchPlan): void {
  const refuse = (message: string, next: string): never => {
    throw new Failure('bad_input', message, { next });
  };
  const names = arms.map(({ arm }) => arm);
  if (new Set(names).size < names.length)
    refuse('two arms have one name', 'Give each arm a name of its own.');
  const isKnown = names.includes(primary.first) && names.includes(primary.second);
  if (!isKnown || primary.first === primary.second)
    refuse(
      `the primary comparison ${primary.first}:${primary.second} names no two of the arms`,
      `The arms are ${names.join(', ')}.`,
    );
  const agents = new Set(arms.map(({ agent }) => JSON.stringify(agent)));
  const conditions = new Set(arms.map(({ condition }) => condition));
  if (agents.size > 1 && conditions.size > 1)
    refuse(
      'agents and conditions differ at once, so a difference would say nothing of either',
      'Compare conditions with one agent, or agents in one condition.',
    );
  const briefed = arms.find(({ condition }) => isBriefed(condition));
  if (briefed !== undefined)
    refuse(
      `${briefed.condition} needs an earlier run of each task, and a bench has none`,
      'Choose among none, model, human and human+draft.',
    );
  const twice = tasksTwiceIn(tasks);
  if (twice.length > 0)
    refuse(
      `${taskNames(twice)} ${twice.length === 1 ? 'is' : 'are'} listed twice`,
      'The unit is the task: list each once.',
    );
  if (new Set(seeds).size < seeds.length) refuse('a seed is listed twice', 'Give each run its own seed.');
}

/** Every episode of the plan: task by task, so that the list itself says nothing of the order. */
export const cellsOf = ({ tasks, arms, seeds }: BenchPlan): BenchCell[] =>
  tasks.flatMap(([scenario, task_idx]) =>
    seeds.flatMap((seed) => arms.map(({ arm }) => ({ arm, scenario, task_idx, seed }))),
  );

const PART_LABELS: Readonly<Record<Exclude<keyof BenchPlan, 'name'>, string>> = {
  environment: 'environment',
  section: 'list of the split',
  tasks: 'tasks',
  also_in_train: 'tasks in the training list',
  arms: 'arms',
  primary: 'primary comparison',
  seeds: 'runs of each task',
  order_seed: 'order',
  is_privileged: 'knowledge of advisors',
  turns: 'turns of an episode',
  asks: 'questions of an episode',
  hourly_minutes: 'people’s minutes in any hour',
  deadline_ms: 'seconds a question waits',
  fallback: 'answer after the deadline',
  experts: 'experts',
};

/** The labels of what is not the same; none for the same plan. */
export const planDifferences = (one: BenchPlan, other: BenchPlan): string[] =>
  (Object.keys(PART_LABELS) as (keyof typeof PART_LABELS)[])
    .filter((part) => canonical(one[part] ?? null) !== canonical(other[part] ?? null))
    .map((part) => PART_LABELS[part]);
