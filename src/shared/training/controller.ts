// Which share of the next step's rollouts has an expert, decided from a series of format-error rates. Pure: the same
// series and settings give the same decisions, whether they are taken live or over a recorded run.
import { RECIPE_PHASES } from './phases.ts';

export type PhaseName = (typeof RECIPE_PHASES)[number]['name'];

export type PhaseSettings = {
  /** How far beyond a bound the rate must be, in [0, 0.15]: a rate that wavers about a bound changes nothing. */
  hysteresis: number;
  /** For how many steps in a row. */
  dwell: number;
  start: PhaseName;
};
export const PHASE_DEFAULTS: PhaseSettings = { hysteresis: 0.03, dwell: 2, start: 'scaffold' };

export type MeasuredStep = { step: number; rate: number | null };

/** A decision with everything it was taken from. */
export type PhaseDecision = MeasuredStep & {
  /** In which the step was played. */
  from: PhaseName;
  /** Where its rate alone points. */
  towards: PhaseName;
  /** Steps in a row that point away from the phase in this direction, this one among them. */
  streak: number;
  /** Of the next step. */
  phase: PhaseName;
  expert_share: number;
  reason: 'stays' | 'changes' | 'waits' | 'not_measured';
};

/** From most help to least. */
const ORDER = RECIPE_PHASES.toReversed();
const phaseAt = (index: number): (typeof RECIPE_PHASES)[number] => ORDER[index] ?? RECIPE_PHASES[2];
const placeOf = (name: PhaseName): number => ORDER.findIndex((phase) => phase.name === name);

/** One decision after each step, in order. */
export function decidePhases(series: readonly MeasuredStep[], settings: PhaseSettings): PhaseDecision[] {
  let [place, streak] = [placeOf(settings.start), 0];
  return series.map(({ step, rate }) => {
    const from = place;
    const towards = rate === null ? place : pointed(place, rate, settings.hysteresis);
    const way = Math.sign(towards - from);
    if (rate !== null) streak = way === 0 ? 0 : Math.sign(streak) === way ? streak + way : way;
    const isChanging = way !== 0 && Math.abs(streak) >= settings.dwell;
    const decision: PhaseDecision = {
      step,
      rate,
      from: phaseAt(from).name,
      towards: phaseAt(towards).name,
      streak: Math.abs(streak),
      phase: phaseAt(isChanging ? towards : from).name,
      expert_share: phaseAt(isChanging ? towards : from).expert_share,
      reason: rate === null ? 'not_measured' : isChanging ? 'changes' : way === 0 ? 'stays' : 'waits',
    };
    if (isChanging) [place, streak] = [towards, 0];
    return decision;
  });
}

/** As far as the rate leads: past each bound by more than the hysteresis, more than one phase at once if need be. */
function pointed(place: number, rate: number, hysteresis: number): number {
  let at = place;
  while (at < ORDER.length - 1 && isBelow(at, rate, hysteresis)) at += 1;
  if (at > place) return at;
  while (at > 0 && isAbove(at - 1, rate, hysteresis)) at -= 1;
  return at;
}

/** The recipe's bounds: over 70 % is scaffold, under 40 % is independence, both bounds themselves are balanced. */
const isBelow = (at: number, rate: number, hysteresis: number): boolean =>
  at === 0 ? rate <= phaseAt(0).from - hysteresis : rate < phaseAt(at).from - hysteresis;
const isAbove = (at: number, rate: number, hysteresis: number): boolean =>
  at === 0 ? rate > phaseAt(0).from + hysteresis : rate >= phaseAt(at).from + hysteresis;

/** A group's rollouts with and without an expert, as `6 : 2`. */
export function groupSplit(expertShare: number, group: number): { expert: number; solo: number } {
  const expert = Math.round(expertShare * group);
  return { expert, solo: group - expert };
}
