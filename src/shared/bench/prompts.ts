// Compares the agent's prompts of two arms: identical but for the tool that asks an expert, or the bench compares more
// than it says. Pure.
import { ASK_EXPERT } from '../wire.ts';
import type { BenchPlan } from './plan.ts';
import type { BenchSummary } from './summary.ts';
import { isCounted, type TaskRuns } from './taskMeans.ts';

/** Lines that only one of two prompts has, marked as a difference is. */
function lineDifference(first: readonly string[], second: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of first) left.set(line, (left.get(line) ?? 0) + 1);
  const added = second.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
  const removed = [...left].flatMap(([line, count]) => Array.from({ length: count }, () => line));
  return [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
}

/** Of every arm against the first, over all tasks; each differing line once. */
export function promptDifferences(plan: BenchPlan, tasks: readonly TaskRuns[]): BenchSummary['prompts'] {
  const [base, ...others] = plan.arms.map(({ arm }) => arm);
  const promptOf = (task: TaskRuns, arm: string): string[] | null =>
    task.arms.get(arm)?.find((one) => isCounted(one) && one.prompt.length > 0)?.prompt ?? null;
  const differences = others.map((arm) => {
    const lines = new Set<string>();
    for (const task of tasks) {
      const [one, other] = [promptOf(task, base ?? ''), promptOf(task, arm)];
      if (one !== null && other !== null) for (const line of lineDifference(one, other)) lines.add(line);
    }
    return { first: base ?? '', second: arm, lines: [...lines].toSorted() };
  });
  const all = differences.flatMap(({ lines }) => lines);
  return { is_only_tool: all.every((line) => line.includes(ASK_EXPERT)), differences };
}
