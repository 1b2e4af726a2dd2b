// Cautions for a reader who quotes a lift. Pure.
import { countText } from '../countText.ts';
import { LEAST_CONTINUATIONS } from './liftSentence.ts';
import type { LiftSummary } from './summary.ts';

export function liftCautions(summary: Omit<LiftSummary, 'cautions'>): string[] {
  const { plan, agent, interventions, planned, finished } = summary;
  const descriptive = interventions.filter(({ kind }) => kind === 'descriptive').length;
  const privileged = interventions.filter((one) => one.is_privileged).length;
  const others = plan.points.filter(({ model }) => model !== null && !agent.models.includes(model));
  const left = Object.values(summary.excluded)
    .flatMap((causes) => Object.values(causes))
    .reduce((sum, count) => sum + count, 0);
  return [
    ...(summary.is_complete
      ? []
      : [
          `It is not over: ${String(finished)} of ${countText(planned, 'continuation')} ${finished === 1 ? 'is' : 'are'}.`,
        ]),
    ...(agent.is_rehearsal
      ? ['REHEARSAL: the agent followed a script, and no model acted. The figures say nothing of a model.']
      : []),
    ...(agent.is_resampled
      ? []
      : [
          'The agent did the same in every continuation of an arm, so nothing was drawn anew: every figure is descriptive. A model needs a temperature above 0.',
        ]),
    ...(descriptive === 0 || !agent.is_resampled
      ? []
      : [
          `${String(descriptive)} of ${countText(interventions.length, 'figure')} ${descriptive === 1 ? 'is' : 'are'} descriptive: fewer than ${String(LEAST_CONTINUATIONS)} continuations count in an arm. Such a figure is in no mean.`,
        ]),
    `With ${countText(plan.request.k, 'continuation')} in an arm the interval of a single intervention is wide, and not adjusted for how many there are; the mean over interventions is the result.`,
    ...(privileged === 0
      ? []
      : [
          `PRIVILEGED: in ${String(privileged)} of ${countText(interventions.length, 'intervention')}, whoever advised had seen what the verifier checks or the answer, or it is not known whether they had. Those lifts say nothing of help on a task whose answer nobody knows.`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `In ${String(others.length)} of ${String(plan.points.length)} another model asked than went on: the lift is that of the advice for the model that went on.`,
        ]),
    ...(left === 0
      ? []
      : [
          `${String(left)} of ${countText(planned, 'continuation')} ${left === 1 ? 'is' : 'are'} left out, by cause. Where the arms lose unequally, the rest may not compare.`,
        ]),
    'Only questions that were answered can be measured, and later questions get no answer in either arm: it is the worth of one answer, not of an expert who stays.',
  ];
}
