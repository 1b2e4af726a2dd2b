// What a consultation came to, for the agent that waits.
import type { Privilege } from '../../shared/events/actor.ts';
import type { DeliveredAs } from '../../shared/events/consultations.ts';
import type { Consultation, Decision } from '../../shared/episode/record.ts';
import type { Routing } from '../../shared/experts/roster.ts';
import type { EventLog } from '../log/eventLog.ts';

/** What the consultation came to. `text` is the advice, or the reason of a decline or a cancel; else empty. */
export type ConsultAdvice = {
  as: DeliveredAs;
  text: string;
  privilege: Privilege;
  /** Which expert it went to; null or absent where no roster was set. */
  routed?: Routing | null;
  /** It was closed without an outcome: a person took over instead of answering, or its episode ended. */
  isSetAside?: true;
  /** The advisor alone was asked, and no model is set for it. */
  isAdvisorUnset?: true;
};

/** What a decision gives the agent, other than to decline. */
export function adviceOf(
  decision: Exclude<Decision, { type: 'declined' }>,
  consultation: Consultation | null,
  log: EventLog,
): ConsultAdvice {
  const draft = consultation?.draft ?? null;
  switch (decision.type) {
    case 'approved':
      return { as: 'advice', text: log.texts.loadText(decision.text), privilege: decision.privilege };
    case 'expired':
      if (decision.fallback === 'draft' && draft !== null) {
        return { as: 'draft', text: log.texts.loadText(draft.text), privilege: draft.privilege };
      }
      return {
        as: decision.reason === 'nobody' ? 'nobody' : 'timed_out',
        text: '',
        privilege: [],
        ...(isAdvisorUnset(consultation) ? { isAdvisorUnset: true } : {}),
      };
    case 'cancelled':
      return { as: 'nobody', text: decision.reason, privilege: [], isSetAside: true };
  }
}

const isAdvisorUnset = (consultation: Consultation | null): boolean =>
  consultation?.answeredBy === 'model' && consultation.draftFailure?.code === 'model_not_configured';
