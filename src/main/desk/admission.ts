// Decides if an ask comes before a person at all: once, when it arrives. Rule, share and draw are logged, so that what
// was not asked can be told apart from what was.
import type { Admission } from '../../shared/events/lifecycle.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';

export type Load = {
  /** Questions that wait for people now, and seats that could answer. */
  waiting: number;
  onDuty: number;
  /** People's active minutes in the last hour. */
  minutes: number;
};
const NO_LOAD: Load = { waiting: 0, onDuty: 0, minutes: 0 };
type AdmissionVerdict = Omit<EventOf<'consultation.admitted'>, 'kind' | 'consultation'>;

/**
 * The limits count before the draw: what they keep out was never drawn. `draw` is in [0, 1). `load` is looked at where a
 * limit asks for it.
 */
export function admit(
  { share, capacity, hourly_minutes }: Admission,
  load: () => Load,
  draw: () => number,
): AdmissionVerdict {
  const undrawn = { p: null, draw: null };
  const now = capacity === null && hourly_minutes === null ? NO_LOAD : load();
  if (capacity !== null && now.waiting >= capacity * Math.max(1, now.onDuty)) {
    return { is_admitted: false, rule: 'capacity', ...undrawn };
  }
  if (hourly_minutes !== null && now.minutes >= hourly_minutes) {
    return { is_admitted: false, rule: 'hourly_budget', ...undrawn };
  }
  if (share === null) return { is_admitted: true, rule: 'open', ...undrawn };
  const drawn = draw();
  return { is_admitted: drawn < share, rule: 'share', p: share, draw: drawn };
}
