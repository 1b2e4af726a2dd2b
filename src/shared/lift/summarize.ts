// From a plan and its continuations to what the advice was worth. Pure: the same continuations give the same bytes.
import type { LiftArm } from '../events/lifecycle.ts';
import { isShownAt, reachingZero, withinLimits } from '../bench/comparison.ts';
import { meanOf } from '../statistics/means.ts';
import { independentDifference } from '../statistics/proportions.ts';
import { signFlip } from '../statistics/signFlip.ts';
import { signFlipInterval } from '../statistics/signFlipInterval.ts';
import { liftCautions } from './cautions.ts';
import { LEAST_CONTINUATIONS } from './liftSentence.ts';
import type { InterventionLift, LiftExclusion } from './intervention.ts';
import { cellsOfLift, type LiftPlan, type LiftPoint } from './plan.ts';
import { LIFT_SUMMARY_VERSION, type LiftSummary } from './summary.ts';

/** The data kept of one continuation that is over. Small, so that thousands can be. */
export type Continuation = {
  consultation: string;
  arm: LiftArm;
  number: number;
  /** Null for one that counts. */
  exclusion: LiftExclusion | null;
  isComplete: boolean;
  /** Tells what the agent did: two that did the same, word for word, have one. */
  transcript: string;
  model: string | null;
  isRehearsal: boolean;
};

export function summarizeLift(plan: LiftPlan, observed: readonly Continuation[]): LiftSummary {
  const over = observed.filter(({ exclusion }) => exclusion !== 'not_finished');
  const isResampled = hasDifferences(observed);
  const interventions = plan.points.map((point) => interventionOf(point, observed, isResampled));
  const planned = cellsOfLift(plan).length;
  const summary = {
    kind: 'interject.lift' as const,
    version: LIFT_SUMMARY_VERSION as typeof LIFT_SUMMARY_VERSION,
    plan,
    planned,
    finished: over.length,
    is_complete: over.length === planned,
    agent: {
      models: [...new Set(observed.flatMap(({ model }) => model ?? []))].toSorted(),
      is_rehearsal: observed.some(({ isRehearsal }) => isRehearsal),
      is_resampled: isResampled,
    },
    overall: overallOf(plan, interventions),
    interventions,
    excluded: { with: excludedIn(observed, 'with'), without: excludedIn(observed, 'without') },
  };
  return { ...summary, cautions: liftCautions(summary) };
}

const isCounted = ({ exclusion }: Continuation): boolean => exclusion === null;

/** True if an agent did something else in two continuations of one arm of one intervention. */
function hasDifferences(observed: readonly Continuation[]): boolean {
  const arms = Map.groupBy(observed.filter(isCounted), ({ consultation, arm }) => `${arm} ${consultation}`);
  return [...arms.values()].some((own) => new Set(own.map(({ transcript }) => transcript)).size > 1);
}

function interventionOf(
  { environment: _environment, model: _model, ...point }: LiftPoint,
  observed: readonly Continuation[],
  isResampled: boolean,
): InterventionLift {
  const own = observed.filter(({ consultation }) => consultation === point.consultation);
  const [aided, alone] = [armOf(own, 'with'), armOf(own, 'without')];
  const found = independentDifference(
    { successes: alone.complete, total: alone.counted },
    { successes: aided.complete, total: aided.counted },
  );
  const isFew = Math.min(aided.counted, alone.counted) < LEAST_CONTINUATIONS;
  const reason = isFew ? 'too_few' : isResampled ? null : 'not_resampled';
  const isCausal = found !== null && reason === null;
  return {
    ...point,
    with: aided,
    without: alone,
    excluded: countsOf(own.flatMap(({ exclusion }) => exclusion ?? [])),
    estimate: found?.estimate ?? null,
    low: isCausal ? found.low : null,
    high: isCausal ? found.high : null,
    kind: isCausal ? 'causal' : 'descriptive',
    reason,
  };
}

function armOf(own: readonly Continuation[], arm: LiftArm): InterventionLift['with'] {
  const counted = own.filter((one) => one.arm === arm && isCounted(one));
  return { counted: counted.length, complete: counted.filter(({ isComplete }) => isComplete).length };
}

export const countsOf = <Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> =>
  Object.fromEntries(
    [...Map.groupBy(names.toSorted(), (name) => name)].map(([name, all]) => [name, all.length]),
  ) as Partial<Record<Name, number>>;

const excludedIn = (
  observed: readonly Continuation[],
  arm: LiftArm,
): Partial<Record<LiftExclusion, number>> =>
  countsOf(observed.flatMap((one) => (one.arm === arm ? (one.exclusion ?? []) : [])));

/** The mean over causal interventions; those of one task belong together. */
function overallOf(plan: LiftPlan, interventions: readonly InterventionLift[]): LiftSummary['overall'] {
  const environments = new Map(
    plan.points.map(({ consultation, environment }) => [consultation, environment]),
  );
  const causal = interventions.flatMap((one) =>
    one.kind === 'causal' && one.estimate !== null ? [{ ...one, estimate: one.estimate }] : [],
  );
  const tasks = Map.groupBy(causal, ({ consultation, episode, scenario, task_idx }) =>
    JSON.stringify(
      scenario === null && task_idx === null
        ? [episode]
        : [environments.get(consultation), scenario, task_idx],
    ),
  );
  const groups = [...tasks.values()].map((own) => own.map(({ estimate }) => estimate));
  const about = { interventions: causal.length, tasks: groups.length };
  if (causal.length === 0)
    return { ...about, ...NO_OVERALL, says: 'No intervention has a causal figure: nothing is shown.' };
  const estimate = meanOf(groups.flat());
  const sums = groups.map((own) => ({ sum: own.reduce((all, one) => all + one, 0), count: own.length }));
  const { p, method } = signFlip(sums.map(({ sum }) => sum));
  const around = signFlipInterval(sums);
  const interval = around === null ? null : withinLimits(reachingZero(around, p), true);
  const isShown = isShownAt(p, interval);
  const found = {
    ...about,
    estimate,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    test: method === 'exact' ? ('sign_flip_exact' as const) : ('sign_flip_monte_carlo' as const),
    p,
    is_shown: isShown,
  };
  return { ...found, says: overallSentence(found) };
}

const NO_OVERALL = { estimate: null, low: null, high: null, test: null, p: null, is_shown: false } as const;

const points = (share: number): string => (100 * share).toFixed(1).replace('-', '−');

function overallSentence({
  interventions,
  tasks,
  estimate,
  low,
  high,
  p,
  is_shown: isShown,
}: Omit<LiftSummary['overall'], 'says'>): string {
  const over = `over ${count(interventions, 'intervention')} in ${count(tasks, 'task')}`;
  const interval =
    low === null || high === null ? 'no interval' : `95 % interval ${points(low)} to ${points(high)}`;
  const figures = `${points(estimate ?? 0)} points (${interval}, p = ${(p ?? 1).toPrecision(2)}) ${over}`;
  return isShown
    ? `The advice ${(estimate ?? 0) > 0 ? 'raised' : 'lowered'} completion: ${figures}.`
    : `No lift is shown: ${figures}. That does not show that there is none.`;
}

const count = (number: number, noun: string): string => `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
