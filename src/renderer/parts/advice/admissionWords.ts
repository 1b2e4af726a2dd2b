// Owns: why an ask did not come before a person, in words.
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import type { Consultation } from '../../../shared/episode/record.ts';

const RULES: Readonly<Record<NonNullable<MissedAsk['rule']>, string>> = {
  open: 'every ask comes before a person',
  share: 'not drawn: only a share of the asks comes before a person',
  capacity: 'as many questions waited as there may be for each seat',
  hourly_budget: 'people’s minutes for this hour were used up',
};

/** The rule in words, or null when the ask was admitted. */
export const admissionWords = (admission: Consultation['admission']): string | null =>
  admission === null || admission.isAdmitted ? null : RULES[admission.rule];

/** Why an ask was missed. */
export function missedReason({ reason, rule }: Pick<MissedAsk, 'reason' | 'rule'>): string {
  if (reason === 'deadline') return 'the deadline passed';
  if (reason === 'nobody') return 'nobody was on duty';
  return rule === null ? 'not put before a person' : RULES[rule];
}
