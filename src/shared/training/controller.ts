// Decides the share of the next step's rollouts that has an expert, from a series of one signal, format errors by
// default. Pure: the same series and settings give the same decisions. A recorded series may have gaps; a live run has
// none, since each of its steps is decided.
import { RECIPE_PHASES } from './run.ts';

export type PhaseName = (typeof RECIPE_PHASES)[number]['name'];

/** A signal's bounds for the phase. A signal that falls as help is needed has `scaffold` below `independence`. */
type PhaseRule = {
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

type MeasuredStep = { step: number; rate: number | null };

/** A decision with everything it was taken from. */
export type PhaseDecision = MeasuredStep & {
  /** In which the step was played. */
  from: PhaseName;
  /** Where its rate alone points. */
  towards: PhaseName;
  /** Steps in a row at which the nearest bound in this direction was passed, this one among them. */
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

/** For how many measured steps in a row a bound has been passed, by the phase it leads to. */
type Streaks = Readonly<Record<PhaseName, number>>;
/**
 * A signal's state between two decisions: bounds towards less help lead to `balanced` and `independence`, those towards
 * more to `balanced` and `scaffold`. Each counts by itself, whatever the phase is.
 */
export type PhaseState = { phase: PhaseName; less: Streaks; more: Streaks };

const NONE: Streaks = { scaffold: 0, balanced: 0, independence: 0 };
export const firstPhaseState = (phase: PhaseName): PhaseState => ({ phase, less: NONE, more: NONE });

/** A step further from the one before than so many usual distances is in no row with it. */
const GAP = 2;

/** One decision after each step, in order. A gap in the series begins every count again. */
export function decidePhases(
  series: readonly MeasuredStep[],
  { start, ...rule }: PhaseSettings & Partial<PhaseRule>,
): PhaseDecision[] {
  const distance = usualDistance(series);
  let state = firstPhaseState(start);
  let before: number | null = null;
  return series.map((measured) => {
    const { step, rate } = measured;
    if (rate !== null && before !== null && step - before > GAP * distance) {
      state = firstPhaseState(state.phase);
    }
    if (rate !== null) before = step;
    const next = advancePhase(state, measured, { ...RECIPE_BOUNDS, ...rule });
    state = next.state;
    return next.decision;
  });
}

/** The median distance of measured steps, the lower one of two: many trainers write every tenth step only. */
function usualDistance(series: readonly MeasuredStep[]): number {
  const steps = series.flatMap(({ step, rate }) => (rate === null ? [] : [step]));
  const distances = steps.slice(1).map((step, at) => step - (steps[at] ?? step));
  return distances.toSorted((a, b) => a - b)[Math.floor((distances.length - 1) / 2)] ?? Infinity;
}

/** The decision after one step, and where the signal stands then. */
export function advancePhase(
  state: PhaseState,
  { step, rate }: MeasuredStep,
  rule: PhaseRule,
): { state: PhaseState; decision: PhaseDecision } {
  const passed = rate === null ? null : passedBounds(rate, rule);
  const less = passed === null ? state.less : counted(state.less, passed.less);
  const more = passed === null ? state.more : counted(state.more, passed.more);
  const from = placeOf(state.phase);
  const towards = passed === null ? from : furthest(from, passed.less, passed.more, 1);
  const next = phaseAt(passed === null ? from : furthest(from, less, more, rule.dwell));
  const way = Math.sign(towards - from);
  const isChanging = next.name !== state.phase;
  return {
    state: { phase: next.name, less, more },
    decision: {
      step,
      rate,
      from: state.phase,
      towards: phaseAt(towards).name,
      // The bound that is nearest has been passed for the longest.
      streak: way === 0 ? 0 : (way > 0 ? less : more)[phaseAt(from + way).name],
      phase: next.name,
      expert_share: next.expert_share,
      reason: rate === null ? 'not_measured' : isChanging ? 'changes' : way === 0 ? 'stays' : 'waits',
    },
  };
}

const counted = (before: Streaks, passed: Streaks): Streaks => ({
  scaffold: passed.scaffold === 0 ? 0 : before.scaffold + 1,
  balanced: passed.balanced === 0 ? 0 : before.balanced + 1,
  independence: passed.independence === 0 ? 0 : before.independence + 1,
});

/** The place furthest from this one whose bound has been passed for so many steps; this one where none has. */
function furthest(from: number, less: Streaks, more: Streaks, dwell: number): number {
  const places = ORDER.map((_, place) => place);
  const down = places.filter((place) => place > from && less[phaseAt(place).name] >= dwell);
  const up = places.filter((place) => place < from && more[phaseAt(place).name] >= dwell);
  return down.at(-1) ?? up[0] ?? from;
}

/** The bounds one rate passes by the hysteresis, as 1 or 0. */
function passedBounds(rate: number, rule: PhaseRule): { less: Streaks; more: Streaks } {
  // A signal that falls as help is needed is read in a mirror.
  const side = rule.scaffold > rule.independence ? 1 : -1;
  const [value, scaffold, independence] = [side * rate, side * rule.scaffold, side * rule.independence];
  return {
    less: {
      ...NONE,
      balanced: Number(value <= scaffold - rule.hysteresis),
      independence: Number(value < independence - rule.hysteresis),
    },
    more: {
      ...NONE,
      balanced: Number(value >= independence + rule.hysteresis),
      scaffold: Number(value > scaffold + rule.hysteresis),
    },
  };
}

/** A group's rollouts with and without an expert, as `6 : 2`. */
export function groupSplit(expertShare: number, group: number): { expert: number; solo: number } {
  const expert = Math.round(expertShare * group);
  return { expert, solo: group - expert };
}
