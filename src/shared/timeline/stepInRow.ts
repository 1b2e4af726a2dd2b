// Rows of the timeline for people's acts: answers to questions, from asked to delivered, and the marks of stepping in.
// A timeout or a cancel is never a rejection.
import { countText } from '../countText.ts';
import type { Consultation, Decision, EpisodeRecord, Item, StepInItem } from '../episode/record.ts';
import { restartText } from '../episode/restarts.ts';
import { uptakeOf, uptakeTone, uptakeWords } from '../episode/uptake.ts';
import type { Fallback } from '../events/lifecycle.ts';
import { isBlobRef, textHead } from '../events/text.ts';
import { admissionText } from '../sentences/admissionText.ts';
import { outcomeTextOf } from '../taskOutcome.ts';
import {
  adviceLine,
  callsLine,
  firstSentence,
  oneLine,
  type RowRole,
  type TimelineRow,
} from './timelineRow.ts';

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

type AdviceRowText = Pick<TimelineRow, 'shape' | 'role' | 'name' | 'detail' | 'said' | 'outcome'>;

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
        name: consultation.baseline === null ? approvedName(decision) : `Brief: ${approvedName(decision)}`,
        detail: adviceLine(decision.text, record.tools),
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
        name: decision.expert === undefined ? 'Advice declined' : `Advice declined by ${decision.expert}`,
        detail: oneLine(decision.reason),
        said: null,
        outcome: null,
      };
    case 'expired':
      return {
        shape,
        role: 'system',
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
    name: `Waiting for ${routed?.expert ?? (isHuman ? 'an expert' : 'the advisor')}`,
    detail: firstSentence(asked),
    said: null,
    outcome: { tone: 'waiting', label: 'waiting' },
  };
}

const openBrief = (isHuman: boolean): AdviceRowText => ({
  shape: 'step',
  role: isHuman ? 'human' : 'model',
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

/** The result when nobody answered in time. */
function afterwards(fallback: Fallback, { draft, delivered }: Consultation): string {
  if (delivered?.as === 'draft' || (fallback === 'draft' && draft !== null))
    return 'the draft was sent unchanged';
  if (fallback === 'draft') return 'there was no draft to send; the agent continued without advice';
  return fallback === 'proceed' ? 'the agent continued without advice' : 'the agent was told so';
}

type StepInRowText = Pick<TimelineRow, 'role' | 'name' | 'detail'> &
  Partial<Pick<TimelineRow, 'isHuman' | 'isTechnical' | 'outcome'>>;

export function stepInText(record: EpisodeRecord, item: StepInItem): StepInRowText {
  const human = { role: 'human' as const, isHuman: true };
  switch (item.type) {
    case 'phase':
      return { ...phaseName(item), detail: oneLine(item.reason ?? '') };
    case 'note':
      return { ...human, name: 'Note to the agent', detail: noteText(record, item.note) };
    case 'breakpoint_hit':
      return { role: 'system', name: 'Breakpoint', detail: `at turn ${String(item.turn)}` };
    case 'rules':
      return { ...human, name: 'Approval rules', detail: rulesDetail(item.count) };
    case 'discarded':
      return {
        ...human,
        name: 'Correction discarded',
        detail:
          `turns ${String(item.fromTurn)} to ${String(item.toTurn)} ${oneLine(item.reason ?? '')}`.trim(),
      };
    case 'preview':
      return previewText(record, item);
    case 'forked':
      return {
        role: 'system',
        name: 'Continues another episode',
        detail: forkedDetail(record),
      };
    case 'went_on':
      return { role: 'system', ...wentOnText(record, item) };
    case 'doubt':
      return {
        ...(item.act === null ? { role: 'system' as const } : human),
        name: DOUBT_NAMES[item.act ?? 'waits'],
        detail: `turn ${String(item.turn)}`,
      };
  }
}

const DOUBT_NAMES = {
  waits: 'Call in doubt',
  send_again: 'Call in doubt sent again',
  unknown: 'Call in doubt not sent again',
} as const;

function phaseName({
  to,
  from,
  cause,
  actor,
}: Extract<Item, { type: 'phase' }>): Pick<TimelineRow, 'role' | 'name' | 'isHuman'> {
  const isHuman = actor.type === 'human';
  const role = isHuman ? 'human' : 'system';
  const name =
    to === 'correcting'
      ? 'Taken over'
      : to === 'paused'
        ? 'Paused'
        : from === 'correcting'
          ? 'Handed back'
          : cause === 'step'
            ? 'One step'
            : 'Resumed';
  return { role, name, isHuman };
}

const rulesDetail = (count: number): string =>
  count === 0 ? 'no call needs approval' : `${String(count)} ${count === 1 ? 'rule' : 'rules'}`;

function noteText({ notes }: EpisodeRecord, id: string): string {
  const text = notes.find((note) => note.id === id)?.text ?? '';
  return isBlobRef(text) ? firstSentence(textHead(text)) : firstSentence(text);
}

/** A try that was shown without asking is no act of a person. */
function previewText({ previews, tools }: EpisodeRecord, { preview }: { preview: string }): StepInRowText {
  const found = previews.find((one) => one.preview === preview);
  if (found === undefined) return { role: 'human', isHuman: true, name: TRIED, detail: '' };
  const { drift, verdict, calls, shown_to: shownTo } = found;
  const differs = drift.length === 0 ? 'no drift' : `${String(drift.length)} results differ`;
  const said = verdict === null ? '' : `, the verifier would say ${outcomeTextOf(verdict)}`;
  const tried = calls.map(({ tool_name: tool, arguments: args }) => ({ tool, args }));
  const detail = `${callsLine(tried, tools)} · ${differs}${said}`;
  return shownTo === undefined
    ? { role: 'human', isHuman: true, name: TRIED, detail }
    : { role: 'system', isTechnical: true, name: 'Effect shown to the expert', detail };
}
const TRIED = 'Tried in a throw-away session';

function wentOnText(
  { restarts }: EpisodeRecord,
  { attempt }: { attempt: number },
): Pick<StepInRowText, 'name' | 'detail'> {
  const restart = restarts.find((one) => one.attempt === attempt);
  const detail = restart === undefined ? '' : restartText(restart);
  return restart?.wentOn?.drift
    ? { name: 'Did not go on after a restart', detail }
    : { name: WENT_ON, detail };
}
const WENT_ON = 'Went on after a restart';

function forkedDetail({ forked }: EpisodeRecord): string {
  if (forked === null) return '';
  const drift =
    forked.drift.length === 0
      ? 'without drift'
      : forked.drift.length === 1
        ? '1 result differs from the log'
        : `${String(forked.drift.length)} results differ from the log`;
  const made = `${String(forked.replayed)} calls replayed, ${drift}`;
  const carried = carriedText(forked);
  return `turns to ${String(forked.from_turn)} are copied from ${forked.from} · ${made}${carried === '' ? '' : ` · ${carried}`}`;
}

/** `1 approval rule and 2 breakpoints hold here too`; empty where nothing was set. */
export function carriedText({ carried }: Pick<NonNullable<EpisodeRecord['forked']>, 'carried'>): string {
  if (carried === undefined) return '';
  const parts = [
    ...(carried.rules === 0 ? [] : [countText(carried.rules, 'approval rule')]),
    ...(carried.breakpoints === 0 ? [] : [countText(carried.breakpoints, 'breakpoint')]),
  ];
  if (parts.length === 0) return '';
  const isOne = parts.length === 1 && carried.rules + carried.breakpoints === 1;
  return `${parts.join(' and ')} ${isOne ? 'holds' : 'hold'} here too`;
}
