// Describes the lift of one answered question in plain words. Pure.
import type { DescriptiveReason, InterventionLift } from './intervention.ts';

/** Fewer than this in an arm, and the figure is descriptive. */
export const LEAST_CONTINUATIONS = 3;

export function liftSentence(lift: InterventionLift): string {
  const { with: aided, without, estimate, low, high, kind, reason } = lift;
  const left = Object.values(lift.excluded).reduce((sum, count) => sum + count, 0);
  const aside = left === 0 ? '' : ` ${String(left)} left out (${causesText(lift.excluded)}).`;
  if (estimate === null) return `Not measured: too few continuations count.${aside}`;
  const counts = `With this advice ${String(aided.complete)} of ${String(aided.counted)} completed, without ${String(without.complete)} of ${String(without.counted)}`;
  if (kind === 'causal' && low !== null && high !== null)
    return `${counts}: lift ${points(estimate)} points (95 % interval ${points(low)} to ${points(high)}).${aside}`;
  return `${counts}. Descriptive only: ${REASONS[reason ?? 'too_few']}.${aside}`;
}

const points = (share: number): string => String(Math.round(100 * share)).replace('-', '−');

export const causesText = (excluded: InterventionLift['excluded']): string =>
  Object.entries(excluded)
    .map(([cause, count]) => `${cause.replaceAll('_', ' ')} ${String(count)}`)
    .join(', ');

const REASONS: Readonly<Record<DescriptiveReason, string>> = {
  too_few: `fewer than ${String(LEAST_CONTINUATIONS)} continuations count in an arm`,
  not_resampled: 'the agent did the same every time, so nothing was drawn anew',
};
