// From what was planned and what was observed to what the bench came to. Pure: the same episodes give the same bytes.
import { holm } from '../statistics/holm.ts';
import { armOf } from './arms.ts';
import { compareCompletion, compareMeans, isShownAt, pairCounts, powerOf, sentenceOf } from './comparison.ts';
import type { Observed, SeatAct } from './observed.ts';
import { SECONDARY_OUTCOMES } from './outcomes.ts';
import { cellsOf, type BenchPlan } from './plan.ts';
import { promptDifferences } from './prompts.ts';
import {
  BENCH_SUMMARY_VERSION,
  type BenchArm,
  type BenchSummary,
  type Comparison,
  type PrimaryComparison,
} from './summary.ts';
import { isCounted, tasksOf, type TaskRuns } from './taskMeans.ts';
import { cautionsOf } from './cautions.ts';

const COMPLETION = { share: true, name: 'Verifier completion' };

/** Two arms by name, and how each is read. */
type ComparedArms = { first: string; second: string; labels: { first: string; second: string } };

export function summarize(plan: BenchPlan, observed: readonly Observed[]): BenchSummary {
  const tasks = tasksOf(plan, observed);
  const arms = plan.arms.map((planned) => armOf(plan, planned, tasks, observed));
  const labelOf = (name: string): string => arms.find(({ arm }) => arm === name)?.label ?? name;
  const withLabels = ({ first, second }: { first: string; second: string }): ComparedArms => ({
    first,
    second,
    labels: { first: labelOf(first), second: labelOf(second) },
  });
  const planned = cellsOf(plan).length;
  const over = observed.filter(({ exclusion }) => exclusion !== 'not_finished').length;
  const summary = {
    kind: 'interject.bench' as const,
    version: BENCH_SUMMARY_VERSION as typeof BENCH_SUMMARY_VERSION,
    plan,
    planned,
    finished: over,
    is_complete: over === planned,
    arms,
    primary: primaryOf(plan, tasks, withLabels(plan.primary)),
    secondary: secondaryOf(plan, tasks, arms, withLabels),
    seats: seatsOf(observed),
    prompts: promptDifferences(plan, tasks),
    tasks: tasks.map(taskRow),
  };
  return { ...summary, cautions: cautionsOf(summary) };
}

function primaryOf(
  plan: BenchPlan,
  tasks: readonly TaskRuns[],
  { labels, ...pair }: ComparedArms,
): PrimaryComparison {
  const found = { ...compareCompletion(plan, tasks, pair), p_adjusted: null };
  const isShown = isShownAt(found.p, found.interval);
  const counts = pairCounts(tasks, pair);
  return {
    ...pair,
    outcome: 'completion',
    is_diagnostic: false,
    ...found,
    is_shown: isShown,
    says: sentenceOf({ ...found, is_shown: isShown }, labels, COMPLETION),
    pairs:
      plan.seeds.length > 1
        ? null
        : {
            both: counts.both,
            only_first: counts.onlyFirst,
            only_second: counts.onlySecond,
            neither: counts.neither,
          },
    power: powerOf(plan, tasks, pair),
  };
}

/** Completion of the other pairs, then everything else of the primary pair; adjusted together. */
function secondaryOf(
  plan: BenchPlan,
  tasks: readonly TaskRuns[],
  arms: readonly BenchArm[],
  withLabels: (pair: { first: string; second: string }) => ComparedArms,
): Comparison[] {
  const others = otherPairs(plan, arms).map((pair) => ({
    ...withLabels(pair),
    outcome: 'completion',
    is_diagnostic: false,
    found: compareCompletion(plan, tasks, pair),
    unit: COMPLETION,
  }));
  const primary = withLabels(plan.primary);
  const outcomes = SECONDARY_OUTCOMES.map((of) => ({
    ...primary,
    outcome: of.outcome,
    is_diagnostic: of.isDiagnostic,
    found: compareMeans(tasks, plan.primary, of),
    unit: { share: of.isShare, name: of.name },
  }));
  const measured = [...others, ...outcomes].filter(({ found }) => found.p !== null);
  const adjusted = holm(measured.map(({ found }) => found.p ?? 1));
  return measured.map(({ found, unit, labels, ...about }, at) => {
    const p_adjusted = adjusted[at] ?? 1;
    const one = { ...found, p_adjusted, is_shown: isShownAt(p_adjusted, found.interval) };
    return { ...about, ...one, says: sentenceOf(one, labels, unit) };
  });
}

/** The first arm of the primary comparison against each that is not its second. */
const otherPairs = ({ primary }: BenchPlan, arms: readonly BenchArm[]): { first: string; second: string }[] =>
  arms
    .filter(({ arm }) => arm !== primary.first && arm !== primary.second)
    .map(({ arm }) => ({ first: primary.first, second: arm }));

function seatsOf(observed: readonly Observed[]): BenchSummary['seats'] {
  const acts = observed.flatMap((episode) => episode.seats.map((act) => ({ ...act, episode })));
  const groups = Map.groupBy(acts, ({ seat, episode }) => JSON.stringify([seat, episode.arm]));
  return [...groups.values()]
    .map((own) => {
      const episodes = new Set(own.map(({ episode }) => episode));
      const [first] = own;
      return {
        seat: first?.seat ?? '',
        arm: first?.episode.arm ?? '',
        answers: own.length,
        episodes: episodes.size,
        complete: [...episodes].filter(({ isComplete }) => isComplete).length,
        minutes: own.reduce((sum, { minutes }) => sum + minutes, 0),
        had_seen: own.filter((act) => act.hadSeen || acts.some((earlier) => isEarlierSight(earlier, act)))
          .length,
      };
    })
    .toSorted((a, b) => (a.seat + a.arm < b.seat + b.arm ? -1 : 1));
}

type SeatActOf = SeatAct & { episode: Observed };

/** The same seat had met the same task in another episode before. */
const isEarlierSight = (earlier: SeatActOf, act: SeatActOf): boolean =>
  earlier.seat === act.seat &&
  earlier.at < act.at &&
  earlier.episode !== act.episode &&
  earlier.episode.scenario === act.episode.scenario &&
  earlier.episode.task_idx === act.episode.task_idx;

const taskRow = ({ scenario, task_idx, arms }: TaskRuns): BenchSummary['tasks'][number] => ({
  scenario,
  task_idx,
  arms: [...arms].map(([arm, runs]) => {
    const counted = runs.filter(isCounted);
    return {
      arm,
      runs: counted.length,
      complete: counted.filter(({ isComplete }) => isComplete).length,
      excluded: runs.length - counted.length,
      asks: counted.reduce((sum, { measures }) => sum + (measures.asks ?? 0), 0),
    };
  }),
});
