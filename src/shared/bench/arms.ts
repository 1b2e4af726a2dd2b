// Sums up each arm of a bench by itself. Pure.
import { bootstrapMean } from '../statistics/bootstrap.ts';
import { meanOf } from '../statistics/means.ts';
import { wilson } from '../statistics/proportions.ts';
import { hasPerson } from '../conditions.ts';
import type { Answerer, Measures, Observed } from './observed.ts';
import type { BenchPlan, PlannedArm } from './plan.ts';
import { Exclusion, type ArmFigures, type BenchArm } from './summary.ts';
import { armMeans, completed, isCounted, type TaskRuns, type ValueOf } from './taskMeans.ts';

export function armOf(
  plan: BenchPlan,
  planned: PlannedArm,
  tasks: readonly TaskRuns[],
  episodes: readonly Observed[],
): BenchArm {
  const { arm, condition, agent } = planned;
  const own = episodes.filter((one) => one.arm === arm);
  const counted = own.filter(isCounted);
  const answered = answeredBy(own);
  const means = armMeans(tasks, arm, completed);
  return {
    arm,
    condition,
    label: labelOf(planned, answered),
    kind: condition === 'none' ? 'solo' : 'assisted',
    is_privileged: counted.some(({ isPrivileged }) => isPrivileged),
    is_rehearsal: agent.policy === 'rehearsal',
    model: own.find(({ model }) => model !== null)?.model ?? agent.model,
    answered_by: answered,
    episodes: own.length,
    counted: counted.length,
    excluded: exclusionsOf(own),
    tasks: means.length,
    completion: { estimate: means.length === 0 ? null : meanOf(means), ...intervalOf(plan, means) },
    figures: figuresOf(tasks, arm, counted),
  };
}

const answeredBy = (episodes: readonly Observed[]): Record<Answerer, number> => {
  const sum = (who: Answerer): number => episodes.reduce((all, { answered }) => all + answered[who], 0);
  return { human: sum('human'), model: sum('model'), scripted: sum('scripted'), nobody: sum('nobody') };
};

/** An assisted arm says in its name when it was not who the condition names that answered. */
function labelOf({ arm, condition }: PlannedArm, answered: Record<Answerer, number>): string {
  const isScripted = answered.human === 0 && answered.model === 0 && answered.scripted > 0;
  if (!hasPerson(condition)) return isScripted ? `${arm}(scripted)` : arm;
  if (answered.human === 0 && answered.scripted > 0) return `${arm}(scripted)`;
  if (answered.human > 0 && answered.scripted > 0) return `${arm}(partly scripted)`;
  return answered.human === 0 && answered.nobody > 0 ? `${arm}(unattended)` : arm;
}

const exclusionsOf = (episodes: readonly Observed[]): BenchArm['excluded'] =>
  Object.fromEntries(
    Exclusion.options.map((cause) => [cause, episodes.filter(({ exclusion }) => exclusion === cause).length]),
  ) as BenchArm['excluded'];

function intervalOf(
  { seeds }: BenchPlan,
  means: readonly number[],
): Pick<BenchArm['completion'], 'interval' | 'method'> {
  // Where every task was always solved, or never, a bootstrap says nothing; Wilson takes each task as one yes or no.
  const isAlike = means.every((mean) => mean === means[0]) && (means[0] === 0 || means[0] === 1);
  if (seeds.length === 1 || isAlike) {
    const interval = wilson(means.filter((mean) => mean === 1).length, means.length);
    return { interval, method: interval === null ? null : 'wilson' };
  }
  const interval = bootstrapMean(means);
  return { interval, method: interval === null ? null : 'bootstrap' };
}

function figuresOf(tasks: readonly TaskRuns[], arm: string, counted: readonly Observed[]): ArmFigures {
  const mean = (valueOf: ValueOf): number | null => {
    const means = armMeans(tasks, arm, valueOf);
    return means.length === 0 ? null : meanOf(means);
  };
  const of = (field: keyof Measures): number | null => mean(({ measures }) => measures[field]);
  const names = [...new Set(counted.flatMap(({ components }) => Object.keys(components)))].toSorted();
  const currencies = new Set(counted.map(({ currency }) => currency));
  return {
    reward_components: Object.fromEntries(
      names.map((name) => [name, mean(({ components }) => components[name] ?? null) ?? 0]),
    ),
    shaped_reward: of('shaped_reward'),
    steps: of('steps'),
    format_errors: of('format_errors'),
    tool_errors: of('tool_errors'),
    asks: of('asks'),
    blind: of('blind'),
    recovery: of('recovery'),
    uptake: of('uptake'),
    expert_minutes: of('expert_minutes'),
    reward_per_expert_minute: rewardPerMinute(counted),
    input_tokens: of('input_tokens'),
    output_tokens: of('output_tokens'),
    cost: currencies.size === 1 ? of('cost') : null,
    currency: currencies.size === 1 ? ([...currencies][0] ?? null) : null,
  };
}

/** Over the whole arm: what its episodes earned, by the minutes people gave. */
function rewardPerMinute(counted: readonly Observed[]): number | null {
  const minutes = counted.reduce((sum, { measures }) => sum + (measures.expert_minutes ?? 0), 0);
  if (minutes === 0) return null;
  return counted.reduce((sum, { reward }) => sum + (reward ?? 0), 0) / minutes;
}
