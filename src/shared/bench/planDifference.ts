// In which parts two plans of one name differ, in the words of the form that a bench is planned with.
import { canonical } from '../canonical.ts';
import type { BenchPlan } from './plan.ts';

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
