// Which share of the next step's rollouts has an expert, decided from a series of one signal, format errors by default.
// Pure: the same series and settings give the same decisions, whether they are taken live or over a recorded run.
import { RECIPE_PHASES } from './phases.ts';

export type PhaseName = (typeof RECIPE_PHASES)[number]['name'];

/** When one signal changes the phase. A signal that falls as help is needed has `scaffold` below `independence`. */
export type PhaseRule = {
  /** Beyond it most rollouts have an expert. */
  scaffold: number;
  /** Beyond it, on the other side, few have one. */
  independence: number;
  /** How far beyond a bound the value must be: one that wavers about a bound changes nothing. */
  hysteresis: number;
  /** For how many steps in a row. */
  dwell: number;
};
/** The recipe's bounds on the format-error rate: over 70 % is scaffold, under 40 % is independence. */
export const RECIPE_BOUNDS = { scaffold: RECIPE_PHASES[2].from, independence: RECIPE_PHASES[1].from };

export type PhaseSettings = Pick<PhaseRule, 'hysteresis' | 'dwell'> & { start: PhaseName };
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
export const expertShareOf = (name: PhaseName): number => phaseAt(placeOf(name)).expert_share;

/** The one of several phases that gives the most help. */
export const mostHelp = (names: readonly PhaseName[]): PhaseName =>
  phaseAt(Math.min(ORDER.length - 1, ...names.map(placeOf))).name;

/** Where a signal stands between two decisions. `streak` is negative towards more help. */
export type PhaseState = { phase: PhaseName; streak: number };

/** One decision after each step, in order. */
export function decidePhases(
  series: readonly MeasuredStep[],
  { start, ...rule }: PhaseSettings & Partial<PhaseRule>,
): PhaseDecision[] {
  let state: PhaseState = { phase: start, streak: 0 };
  return series.map((measured) => {
    const next = advancePhase(state, measured, { ...RECIPE_BOUNDS, ...rule });
    state = next.state;
    return next.decision;
  });
}

/** The decision after one step, and where the signal stands then. */
export function advancePhase(
  { phase, streak: before }: PhaseState,
  { step, rate }: MeasuredStep,
  rule: PhaseRule,
): { state: PhaseState; decision: PhaseDecision } {
  const from = placeOf(phase);
  const towards = rate === null ? from : pointed(from, rate, rule);
  const way = Math.sign(towards - from);
  const streak = rate === null ? before : way === 0 ? 0 : Math.sign(before) === way ? before + way : way;
  const isChanging = way !== 0 && Math.abs(streak) >= rule.dwell;
  const next = phaseAt(isChanging ? towards : from);
  return {
    state: { phase: next.name, streak: isChanging ? 0 : streak },
    decision: {
      step,
      rate,
      from: phase,
      towards: phaseAt(towards).name,
      streak: Math.abs(streak),
      phase: next.name,
      expert_share: next.expert_share,
      reason: rate === null ? 'not_measured' : isChanging ? 'changes' : way === 0 ? 'stays' : 'waits',
    },
  };
}

/** As far as the rate leads: past each bound by more than the hysteresis, more than one phase at once if need be. */
function pointed(place: number, rate: number, rule: PhaseRule): number {
  // A signal that falls as help is needed is read in a mirror.
  const side = rule.scaffold > rule.independence ? 1 : -1;
  const [value, scaffold, independence] = [side * rate, side * rule.scaffold, side * rule.independence];
  let at = place;
  if (at === 0 && value <= scaffold - rule.hysteresis) at = 1;
  if (at === 1 && value < independence - rule.hysteresis) at = 2;
  if (at > place) return at;
  if (at === 2 && value >= independence + rule.hysteresis) at = 1;
  if (at === 1 && value > scaffold + rule.hysteresis) at = 0;
  return at;
}

/** A group's rollouts with and without an expert, as `6 : 2`. */
export function groupSplit(expertShare: number, group: number): { expert: number; solo: number } {
  const expert = Math.round(expertShare * group);
  return { expert, solo: group - expert };
}
