// Reasons why an ask did not come before a person.
import type { MissedAsk } from '../episode/rowShapes.ts';
import type { Consultation } from '../episode/record.ts';

const RULES: Readonly<Record<NonNullable<MissedAsk['rule']>, string>> = {
  open: 'every question goes to a person',
  share: 'not sampled: only a share of the questions goes to a person',
  capacity: 'the limit of waiting questions per seat was reached',
  hourly_budget: 'the hour’s budget of people’s time was used up',
};

/** The rule in words, or null when the ask was admitted. */
export const admissionText = (admission: Consultation['admission']): string | null =>
  admission === null || admission.isAdmitted ? null : RULES[admission.rule];

export function missedReason({ reason, rule }: Pick<MissedAsk, 'reason' | 'rule'>): string {
  if (reason === 'deadline') return 'the deadline passed';
  if (reason === 'nobody') return 'no one was on duty';
  return rule === null ? 'not sent to a person' : RULES[rule];
}
