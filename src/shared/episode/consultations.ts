// Folding a consultation from asked to delivered. The first decision stands; a later one changes nothing.
import type { EventOf, Recorded } from '../events/vocabulary.ts';
import { changeTurn, countHuman, withItem, type FoldStep } from './change.ts';
import type { Consultation, Decision, EpisodeRecord } from './record.ts';

type ConsultationEvent = EventOf<
  | 'consultation.asked'
  | 'advice.drafted'
  | 'advice.draft_failed'
  | 'advice.approved'
  | 'advice.declined'
  | 'consultation.expired'
  | 'consultation.cancelled'
  | 'consultation.admitted'
  | 'consultation.opened'
  | 'consultation.claimed'
  | 'consultation.passed'
  | 'consultation.extended'
  | 'consultation.rejoined'
  | 'advice.delivered'
>;

export function foldConsultation(
  record: EpisodeRecord,
  step: FoldStep,
  event: ConsultationEvent,
): EpisodeRecord {
  const { at } = step.recorded;
  switch (event.kind) {
    case 'consultation.asked':
      return openConsultation(record, step, event);
    case 'advice.drafted':
      return addDraft(record, step, event);
    case 'advice.draft_failed':
      return change(record, step, event.consultation, {
        draftFailure: { code: event.code, message: event.message },
      });
    case 'advice.approved':
    case 'advice.declined':
    case 'consultation.expired':
    case 'consultation.cancelled':
      return decide(countHuman(record, step), step, event.consultation, adviceDecision(event, step.recorded));
    case 'consultation.admitted':
      return change(record, step, event.consultation, {
        admission: { isAdmitted: event.is_admitted, rule: event.rule },
      });
    case 'consultation.opened':
      return change(record, step, event.consultation, { isOpened: true });
    case 'consultation.claimed':
      return change(record, step, event.consultation, { claim: { seat: event.seat, until: event.until } });
    case 'consultation.passed':
      return change(record, step, event.consultation, {
        passedBy: [...(findConsultation(record, event.consultation)?.passedBy ?? []), event.seat],
        claim: null,
      });
    case 'consultation.rejoined':
      return record;
    case 'consultation.extended':
      return change(record, step, event.consultation, { deadline_at: event.deadline_at });
    case 'advice.delivered':
      return change(record, step, event.consultation, {
        delivered: {
          at,
          as: event.as,
          text: event.text,
          full_length: event.full_length,
          deliveredLength: event.delivered_length,
          privilege: event.privilege,
          to: event.to,
        },
      });
  }
}

function addDraft(record: EpisodeRecord, step: FoldStep, event: EventOf<'advice.drafted'>): EpisodeRecord {
  const { at } = step.recorded;
  const { draft: id, text, generator, model, privilege } = event;
  const measured = {
    ...(event.leak === undefined ? {} : { leak: event.leak }),
    ...(event.usage === null ? {} : { usage: event.usage }),
    ...expertOf(event),
  };
  const draft = { id, at, text, generator, model, privilege, hint: event.hint ?? null, ...measured };
  const before = findConsultation(record, event.consultation)?.drafts ?? [];
  return change(record, step, event.consultation, {
    draft,
    drafts: [...before, { ...draft, seq: step.recorded.seq }],
    draftFailure: null,
  });
}

const expertOf = ({ expert }: { expert?: string | undefined }): { expert?: string } =>
  expert === undefined ? {} : { expert };

type AdviceDecisionEvent = EventOf<
  'advice.approved' | 'advice.declined' | 'consultation.expired' | 'consultation.cancelled'
>;

function adviceDecision(event: AdviceDecisionEvent, { at, actor }: Recorded): Decision {
  switch (event.kind) {
    case 'advice.approved': {
      const { act, text, draft, privilege, timing, human_act: humanAct } = event;
      const draftFrom = event.draft_from ?? null;
      const measured = { ...(event.leak === undefined ? {} : { leak: event.leak }), ...expertOf(event) };
      return {
        type: 'approved',
        at,
        actor,
        act,
        text,
        draft,
        draftFrom,
        privilege,
        timing,
        humanAct,
        ...measured,
      };
    }
    case 'advice.declined':
      return {
        type: 'declined',
        at,
        actor,
        reason: event.reason,
        timing: event.timing,
        ...expertOf(event),
      };
    case 'consultation.expired':
      return { type: 'expired', at, fallback: event.fallback, reason: event.reason };
    case 'consultation.cancelled':
      return { type: 'cancelled', at, reason: event.reason };
  }
}

function openConsultation(
  record: EpisodeRecord,
  step: FoldStep,
  event: EventOf<'consultation.asked'>,
): EpisodeRecord {
  const { n, at } = step.recorded;
  const consultation: Consultation = {
    id: event.consultation,
    turn: event.turn,
    before: event.via !== 'loop' && event.call === null ? event.turn + 1 : event.turn,
    call: event.call,
    trigger: event.trigger,
    task: event.task,
    availableTools: event.available_tools,
    question: event.question,
    answeredBy: event.answered_by,
    askedAt: at,
    askedN: n,
    deadline_at: event.deadline_at,
    fallback: event.fallback,
    via: event.via,
    request: event.request,
    link: event.link,
    covered: event.covered ?? [],
    limitChars: event.limit_chars ?? null,
    client: event.client ?? null,
    privilege: event.privilege ?? [],
    purpose: event.purpose ?? 'advice',
    baseline: event.baseline ?? null,
    routed: event.routed ?? null,
    isOpened: event.routed?.first === undefined || event.routed.first === null,
    draft: null,
    drafts: [],
    draftFailure: null,
    admission: null,
    claim: null,
    passedBy: [],
    decision: null,
    delivered: null,
  };
  const linked = changeTurn(
    record,
    step,
    (t) => event.call !== null && t.callId === event.call,
    (turn) => ({
      ...turn,
      consultation: event.consultation,
    }),
  );
  // A brief is no ask: nothing of the agent's budget is spent.
  const asked = event.trigger === 'brief' ? 0 : 1;
  const counts = { ...linked.counts, consultations: linked.counts.consultations + asked };
  return withItem(
    { ...linked, counts, consultations: step.lists.append(linked.consultations, consultation) },
    step,
    {
      type: 'consultation',
      consultation: event.consultation,
    },
  );
}

function decide(record: EpisodeRecord, step: FoldStep, id: string, decision: Decision): EpisodeRecord {
  const isOpen = findConsultation(record, id)?.decision === null;
  return isOpen ? change(record, step, id, { decision }) : record;
}

function change(record: EpisodeRecord, step: FoldStep, id: string, by: Partial<Consultation>): EpisodeRecord {
  const index = record.consultations.findIndex((c) => c.id === id);
  const consultation = record.consultations[index];
  if (consultation === undefined) return record;
  return {
    ...record,
    consultations: step.lists.replace(record.consultations, index, { ...consultation, ...by }),
  };
}

/** Cancels what nobody has answered by the end of its episode: an answer would reach nobody. */
export function cancelUnanswered(record: EpisodeRecord, step: FoldStep): EpisodeRecord {
  const decision: Decision = {
    type: 'cancelled',
    at: step.recorded.at,
    reason: 'the episode ended before anyone answered',
    isByEnd: true,
  };
  return record.consultations
    .filter(({ delivered }) => delivered === null)
    .reduce((changed, { id }) => decide(changed, step, id, decision), record);
}

export const findConsultation = (record: EpisodeRecord, id: string): Consultation | undefined =>
  record.consultations.find((c) => c.id === id);

/** Consultations that wait on a person, oldest first. */
export const waitingOnHuman = (record: EpisodeRecord): Consultation[] =>
  record.consultations.filter((c) => c.decision === null && c.answeredBy === 'human');
