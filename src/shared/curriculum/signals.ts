// Computes the signals of a step from its rollouts, and the phase that each signal asks for. Pure.
import { calibrationOf } from '../calibration.ts';
import {
  advancePhase,
  expertShareOf,
  firstPhaseState,
  mostHelp,
  type PhaseDecision,
  type PhaseName,
  type PhaseState,
} from '../training/controller.ts';
import { isAlone, type Rollout } from './rollout.ts';
import { SignalName, type CurriculumSettings } from './settings.ts';

export type Signals = Record<SignalName, number | null>;

/** Null where no rollout says it; then what the trainer itself reports counts. */
export function signalsOf(rollouts: readonly Rollout[], told: Partial<Signals>): Signals {
  const stated = rollouts.flatMap(({ stated: sure, completed }) =>
    sure === null || completed === null ? [] : [{ stated: sure, isRight: completed }],
  );
  const own: Signals = {
    format_error_rate: shareOf(rollouts.map(({ format_error }) => format_error)),
    timeout_rate: shareOf(rollouts.map(({ timed_out }) => timed_out)),
    solo_completion: shareOf(rollouts.filter(isAlone).map(({ completed }) => completed)),
    reward: meanOf(rollouts.map(({ reward }) => reward)),
    calibration_error: calibrationOf(stated)?.ece ?? null,
  };
  return Object.fromEntries(
    SignalName.options.map((name) => [name, own[name] ?? told[name] ?? null]),
  ) as Signals;
}

export type PhaseStates = Readonly<Partial<Record<SignalName, PhaseState>>>;
export type SignalDecision = PhaseDecision & { signal: SignalName };
type PhasesResult = {
  states: PhaseStates;
  decisions: SignalDecision[];
  phase: PhaseName;
  expert_share: number;
};

/** Each signal takes its own way; the one that asks for the most help is followed. */
export function advancePhases(
  states: PhaseStates,
  step: number,
  signals: Signals,
  { signals: rules, start, fixed_share }: CurriculumSettings['phases'],
): PhasesResult {
  const next = rules.map(({ signal, ...rule }) => ({
    signal,
    ...advancePhase(states[signal] ?? firstPhaseState(start), { step, rate: signals[signal] }, rule),
  }));
  const phase = mostHelp(next.map(({ decision }) => decision.phase));
  return {
    states: Object.fromEntries(next.map(({ signal, state }) => [signal, state])),
    decisions: next.map(({ signal, decision }) => ({ signal, ...decision })),
    phase,
    expert_share: fixed_share ?? expertShareOf(phase),
  };
}

export function meanOf(values: readonly (number | null)[]): number | null {
  const told = values.filter((value) => value !== null);
  return told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0) / told.length;
}
export const shareOf = (values: readonly (boolean | null)[]): number | null =>
  meanOf(values.map((value) => (value === null ? null : Number(value))));
