// How a consultation reads as a line, from asked to delivered. A timeout or a cancel is never a rejection.
import type { Fallback } from '../../../shared/events/lifecycle.ts';
import type { Consultation, Decision, EpisodeRecord } from '../../../shared/episode/record.ts';
import { textHead } from '../../../shared/events/text.ts';
import { admissionText } from '../advice/admissionText.ts';
import { adviceLine, firstSentence, oneLine } from './phrase.ts';
import type { RowRole, TimelineRow } from './timelineRow.ts';
import { uptakeOf, uptakeTone, uptakeWords } from '../../../shared/episode/uptake.ts';

/** The line of a consultation. */
export function consultationRow(record: EpisodeRecord, consultation: Consultation): TimelineRow {
  return {
    key: `c${consultation.id}`,
    n: consultation.askedN,
    at: consultation.decision?.at ?? consultation.askedAt,
    reward: null,
    struck: null,
    isDetailCode: false,
    facets: ['message'],
    isHuman: true,
    subject: { type: 'consultation', consultation },
    ...adviceRowText(record, consultation),
  };
}

const EXPIRED_LABELS = {
  deadline: 'The deadline passed',
  nobody: 'No one was there to answer',
  not_admitted: 'Not sent to a person',
} as const;

type AdviceRowText = Pick<TimelineRow, 'shape' | 'role' | 'kind' | 'name' | 'detail' | 'said' | 'outcome'>;

function adviceRowText(record: EpisodeRecord, consultation: Consultation): AdviceRowText {
  const { decision } = consultation;
  if (decision === null) return openText(consultation);
  const shape = 'mark';
  switch (decision.type) {
    case 'approved': {
      const uptake = uptakeOf(record, consultation);
      return {
        shape,
        role: adviceRole(decision.actor.type),
        kind: 'advice',
        name: consultation.baseline === null ? approvedName(decision) : `Brief: ${approvedName(decision)}`,
        detail: adviceLine(decision.text),
        said: null,
        outcome:
          uptake === null
            ? null
            : { tone: uptakeTone(uptake) === 'failed' ? 'error' : 'plain', label: uptakeWords(uptake) },
      };
    }
    case 'declined':
      return {
        shape,
        role: adviceRole(decision.actor.type),
        kind: 'declined',
        name: decision.expert === undefined ? 'Advice declined' : `Advice declined by ${decision.expert}`,
        detail: oneLine(decision.reason),
        said: null,
        outcome: null,
      };
    case 'expired':
      return {
        shape,
        role: 'system',
        kind: 'expired',
        name: EXPIRED_LABELS[decision.reason],
        detail: [admissionText(consultation.admission), afterwards(decision.fallback, consultation)]
          .filter((text) => text !== null)
          .join('; '),
        said: null,
        outcome: null,
      };
    case 'cancelled':
      return {
        shape,
        role: 'system',
        kind: 'expired',
        name: 'Question cancelled',
        detail: oneLine(decision.reason),
        said: null,
        outcome: null,
      };
  }
}

function openText({ answeredBy, question, task, baseline, routed }: Consultation): AdviceRowText {
  if (baseline !== null) return openBrief(answeredBy === 'human');
  const asked = question === null ? (task ?? '') : textHead(question);
  const isHuman = answeredBy === 'human';
  return {
    shape: 'step',
    role: isHuman ? 'human' : 'model',
    kind: 'waiting',
    name: `Waiting for ${routed?.expert ?? (isHuman ? 'an expert' : 'the advisor')}`,
    detail: firstSentence(asked),
    said: null,
    outcome: { tone: 'waiting', label: 'waiting' },
  };
}

const openBrief = (isHuman: boolean): AdviceRowText => ({
  shape: 'step',
  role: isHuman ? 'human' : 'model',
  kind: 'waiting',
  name: isHuman ? 'The brief waits for a person' : 'The advisor writes a brief',
  detail: 'of an earlier run of this task',
  said: null,
  outcome: { tone: 'waiting', label: 'waiting' },
});

const ADVICE_ACTS = { accept: 'accepted', edit: 'edited', send: 'written' } as const;

/** `Draft edited and sent`, and by whom when it was not a person. */
function approvedName({ act, actor, expert }: Extract<Decision, { type: 'approved' }>): string {
  const did = act === 'send' ? 'Advice written' : `Draft ${ADVICE_ACTS[act]}`;
  if (actor.type === 'human') return expert === undefined ? did : `${did} by ${expert}`;
  return actor.type === 'model' ? `${expert ?? 'The advisor'} answered` : `${did} by a script`;
}

const adviceRole = (actor: string): RowRole =>
  actor === 'human' || actor === 'model' || actor === 'scripted' ? actor : 'system';

/** What happened when nobody answered in time. */
function afterwards(fallback: Fallback, { draft, delivered }: Consultation): string {
  if (delivered?.as === 'draft' || (fallback === 'draft' && draft !== null))
    return 'the draft was sent unchanged';
  if (fallback === 'draft') return 'there was no draft to send; the agent continued without advice';
  return fallback === 'proceed' ? 'the agent continued without advice' : 'the agent was told so';
}
