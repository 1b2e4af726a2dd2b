// How one turn reads as lines: the tool and its arguments, or what the agent said; what came of it; what was decided
// about it. What was proposed, decided and effective stay apart: the proposed stands struck above the effective.
import type { CallDecision, Turn } from '../episode/record.ts';
import { textHead } from '../events/text.ts';
import type { Move } from '../events/turns.ts';
import { ASK_EXPERT, RewardType } from '../wire.ts';
import {
  argumentsLine,
  firstSentence,
  oneLine,
  proseOf,
  type Facet,
  type RowRole,
  type TimelineRow,
} from './timelineRow.ts';

type TurnRowText = Pick<TimelineRow, 'kind' | 'name' | 'detail' | 'isDetailCode' | 'said'>;

/** What the log of an episode holds: one that was imported may not say how its calls ended. */
type Recorded = { isTold: boolean; hasErrors: boolean };

/**
 * The lines of one turn: its step, what was decided about its call, what the agent was told instead of a result. It is
 * told of a call nobody could read where `isTold`.
 */
export function turnRows(
  turn: Turn,
  at: number,
  n: number,
  { isTold, hasErrors }: Recorded = { isTold: true, hasErrors: true },
): TimelineRow[] {
  const step: TimelineRow = {
    key: `t${String(n)}`,
    n,
    at,
    shape: 'step',
    role: turnRole(turn),
    ...turnRowText(turn),
    struck: struckOf(turn),
    outcome: heldOutcome(turn) ?? turnOutcome(turn, hasErrors),
    reward: turn.call?.returned?.reward ?? null,
    facets: facetsOf(turn),
    isHuman: false,
    subject: { type: 'turn', turn },
  };
  return [step, ...decisionRows(turn, step), ...toldRows(turn, step, isTold), ...labelRows(turn, step)];
}

/** Who made the move: the agent, or whoever moved in its place. */
export const turnRole = ({ actor }: Turn): RowRole =>
  actor.type === 'human' || actor.type === 'scripted' ? actor.type : 'agent';

function turnRowText(turn: Turn): TurnRowText {
  const { move } = turn;
  const said = firstSentence(proseOf(turn.content));
  const aside = said === '' ? null : said;
  if (move === null) {
    return { kind: 'thinking', name: 'Wrote', detail: said, isDetailCode: false, said: null };
  }
  switch (move.type) {
    case 'call_tool': {
      const sent = turn.call?.sent;
      const detail = argumentsLine(sent?.arguments ?? move.arguments);
      return {
        kind: 'call',
        name: sent?.toolName ?? move.tool_name,
        detail,
        isDetailCode: true,
        said: aside,
      };
    }
    case 'list_tools':
      return { kind: 'tools', name: 'list_tools', detail: '', isDetailCode: true, said: aside };
    case 'ask_expert': {
      const detail = firstSentence(move.context ?? move.task ?? '');
      return { kind: 'ask', name: ASK_EXPERT, detail, isDetailCode: false, said: aside };
    }
    case 'final': {
      const detail = firstSentence(textHead(move.text));
      return { kind: 'final', name: 'Final answer', detail, isDetailCode: false, said: null };
    }
    case 'malformed':
      return { kind: 'malformed', name: 'Unreadable call', detail: said, isDetailCode: false, said: null };
  }
}

function turnOutcome({ move, call, consultation }: Turn, hasErrors: boolean): TimelineRow['outcome'] {
  if (call !== null && call.refused !== null)
    return { tone: 'error', label: `refused: ${call.refused.reason}` };
  if (move === null || move.type === 'final') return null;
  if (move.type === 'malformed') return { tone: 'error', label: move.code };
  if (move.type === 'ask_expert') return consultation === null ? null : { tone: 'plain', label: 'asked' };
  if (move.type === 'list_tools') return null;
  const returned = call?.returned ?? null;
  if (call?.doubt !== undefined && returned === null) return { tone: 'plain', label: 'answer lost' };
  if (returned === null) return { tone: 'plain', label: (call?.sent ?? null) === null ? 'proposed' : 'sent' };
  const label = returned.reward_type;
  if (label !== null && RewardType.toolErrors.has(label)) return { tone: 'error', label };
  if (returned.error !== null)
    return { tone: 'error', label: label === null || label === 'tool_call_ok' ? 'error' : label };
  if (label === null && !hasErrors) return { tone: 'plain', label: 'returned' };
  return { tone: 'ok', label: label === null || label === 'tool_call_ok' ? 'ok' : label };
}

function facetsOf({ move, reasoning, content }: Turn): Facet[] {
  const isCall = move?.type === 'call_tool' || move?.type === 'list_tools' || move?.type === 'malformed';
  return [
    ...(isCall ? (['call'] as const) : []),
    ...(!isCall || proseOf(content) !== '' ? (['message'] as const) : []),
    ...(reasoning === null ? [] : (['reasoning'] as const)),
  ];
}

function toldRows(turn: Turn, step: TimelineRow, isTold: boolean): TimelineRow[] {
  const { move, call } = turn;
  const isMalformed = move?.type === 'malformed';
  const refused = call?.refused ?? null;
  if (refused === null && !(isMalformed && isTold)) return [];
  return [
    {
      ...markAfter(step, 'told', refused?.at ?? step.at),
      role: 'system',
      kind: isMalformed ? 'malformed' : 'refused',
      name: isMalformed ? 'The agent was told that its reply was unreadable' : 'Not sent to the environment',
      detail: isMalformed ? move.detail : firstSentence(refused?.text ?? ''),
      subject: { type: 'told', turn },
    },
  ];
}

/** True when the environment or the host said no. */
export const isRowFailed = ({ outcome }: TimelineRow): boolean => outcome?.tone === 'error';

/** A mark that belongs to a step, after it. */
export const markAfter = (step: TimelineRow, name: string, at: number): TimelineRow => ({
  ...step,
  key: `${step.key}/${name}`,
  at,
  shape: 'mark',
  isDetailCode: false,
  struck: null,
  said: null,
  outcome: null,
  reward: null,
});

/** The call as it was proposed, where another one took effect or will. */
export function struckOf({ move, call }: Turn): string | null {
  if (move?.type !== 'call_tool' || call?.decision?.type !== 'edited') return null;
  return `${move.tool_name} ${argumentsLine(move.arguments)}`.trim();
}

/** What a call that waited for a person shows instead of an ordinary outcome. */
export function heldOutcome({ call }: Turn): TimelineRow['outcome'] {
  if (call === null || call.held === null) return null;
  const { decision } = call;
  if (decision === null) return { tone: 'waiting', label: 'waiting for approval' };
  switch (decision.type) {
    case 'answered':
      return { tone: decision.isError ? 'error' : 'plain', label: 'fabricated result' };
    case 'rejected':
      return { tone: 'plain', label: 'rejected' };
    case 'cancelled':
      return { tone: 'plain', label: 'cancelled' };
    case 'expired':
      return decision.fallback === 'approve' ? null : { tone: 'plain', label: 'not approved in time' };
    default:
      return null;
  }
}

/** The line of what was decided; a plain approval by a rule leaves none. */
export function decisionRows(turn: Turn, step: TimelineRow): TimelineRow[] {
  const decision = turn.call?.decision ?? null;
  if (decision === null) return [];
  const isPerson = decision.actor.type === 'human' || decision.actor.type === 'scripted';
  return [
    {
      ...markAfter(step, 'decision', decision.at),
      role: decisionRole(decision),
      kind: 'decision',
      ...decisionRowText(decision),
      outcome: isExecutedUndecided(decision) ? { tone: 'error', label: 'executed undecided' } : null,
      isHuman: isPerson,
      subject: { type: 'decision', turn },
    },
  ];
}

const isExecutedUndecided = (decision: CallDecision): boolean =>
  decision.type === 'expired' && decision.fallback === 'approve';

const decisionRole = ({ actor: { type } }: CallDecision): RowRole =>
  type === 'human' || type === 'scripted' ? type : 'system';

function decisionRowText(decision: CallDecision): Pick<TimelineRow, 'name' | 'detail'> {
  switch (decision.type) {
    case 'approved':
      return { name: 'Call approved', detail: '' };
    case 'edited':
      return { name: 'Call edited', detail: oneLine(decision.reason ?? 'no reason given') };
    case 'rejected':
      return { name: 'Call rejected', detail: oneLine(decision.reason) };
    case 'answered':
      return { name: 'Result written by a person', detail: firstSentence(textHead(decision.text)) };
    case 'expired': {
      const then =
        decision.fallback === 'approve'
          ? 'executed all the same, as was chosen for when nobody answers'
          : 'the call was not made';
      return { name: 'Nobody approved this in time', detail: then };
    }
    case 'cancelled':
      return { name: 'Held call cancelled', detail: oneLine(decision.reason) };
  }
}

/** The line of a label: whether the expert would have done the same. */
export function labelRows(turn: Turn, step: TimelineRow): TimelineRow[] {
  const { label } = turn;
  if (label === null) return [];
  return [
    {
      ...markAfter(step, 'label', label.at),
      role: 'human',
      kind: 'label',
      name: label.agrees ? 'Label: agrees' : 'Label: differs',
      detail: label.agrees ? '' : moveLine(label.move),
      isHuman: true,
      subject: { type: 'label', turn },
    },
  ];
}

/** `get_run run_id: 2031`, `final answer: Done.` */
export function moveLine(move: Move): string {
  switch (move.type) {
    case 'call_tool':
      return `${move.tool_name} ${argumentsLine(move.arguments)}`.trim();
    case 'list_tools':
      return 'list_tools';
    case 'ask_expert':
      return 'ask_expert';
    case 'final':
      return `final answer: ${firstSentence(textHead(move.text))}`;
    case 'malformed':
      return 'an unreadable call';
  }
}
