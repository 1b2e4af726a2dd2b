// Rows of the timeline for one turn: what its call does, or what the agent said; what came of it; what was decided
// about it. What was proposed, decided and effective stay apart: the proposed stands struck above the effective.
import { returnedSentence } from '../episode/callOutcome.ts';
import type { CallDecision, Turn } from '../episode/record.ts';
import type { SayCall } from '../episode/turnSentence.ts';
import { textHead } from '../events/text.ts';
import type { Move } from '../events/turns.ts';
import { isToolError } from '../wire.ts';
import {
  argumentsLine,
  firstSentence,
  oneLine,
  proseOf,
  type Facet,
  type RowRole,
  type TimelineRow,
} from './timelineRow.ts';

type TurnRowText = Pick<TimelineRow, 'name' | 'sentence' | 'detail' | 'isDetailCode' | 'said'>;

/** The log's content: an imported one may not say how its calls ended. */
type Recorded = { isTold: boolean; hasErrors: boolean };

/**
 * The lines of one turn: its step, what was decided about its call, what the agent was told instead of a result. It is
 * told of a call nobody could read where `isTold`.
 */
export function turnRows(
  turn: Turn,
  at: number,
  n: number,
  { isTold, hasErrors }: Recorded,
  say: SayCall,
): TimelineRow[] {
  const returned = turn.call?.returned ?? null;
  const step: TimelineRow = {
    key: `t${String(n)}`,
    n,
    at,
    shape: 'step',
    role: turnRole(turn),
    ...turnRowText(turn, say),
    struck: struckOf(turn, say),
    ...(returned === null || turn.call === null
      ? {}
      : { result: returnedSentence(turn.call.sent, returned) }),
    outcome: heldOutcome(turn) ?? turnOutcome(turn, hasErrors),
    reward: returned?.reward ?? null,
    facets: facetsOf(turn),
    isHuman: false,
    subject: { type: 'turn', turn },
  };
  return [step, ...decisionRows(turn, step), ...toldRows(turn, step, isTold), ...labelRows(turn, step, say)];
}

/** Role behind the move: the agent, or whoever moved in its place. */
export const turnRole = ({ actor }: Turn): RowRole =>
  actor.type === 'human' || actor.type === 'scripted' ? actor.type : 'agent';

function turnRowText(turn: Turn, say: SayCall): TurnRowText {
  const { move } = turn;
  const said = firstSentence(proseOf(turn.content));
  const aside = said === '' ? null : said;
  if (move === null) {
    return { name: 'Wrote', detail: said, isDetailCode: false, said: null };
  }
  switch (move.type) {
    case 'call_tool': {
      const { toolName, arguments: args } = turn.call?.sent ?? {
        toolName: move.tool_name,
        arguments: move.arguments,
      };
      const sentence = say(toolName, args);
      const detail = sentence.parts.some(({ type }) => type === 'code') ? '' : toolName;
      return { name: sentence.text, sentence, detail, isDetailCode: true, said: aside };
    }
    case 'list_tools':
      return { name: 'List the tools', detail: '', isDetailCode: false, said: aside };
    case 'ask_expert': {
      const detail = firstSentence(move.context ?? move.task ?? '');
      return { name: 'Ask an expert', detail, isDetailCode: false, said: aside };
    }
    case 'final': {
      const detail = firstSentence(textHead(move.text));
      return { name: 'Final answer', detail, isDetailCode: false, said: null };
    }
    case 'malformed':
      return { name: 'Unreadable call', detail: said, isDetailCode: false, said: null };
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
  if (isToolError(returned.error, returned.reward_type)) return { tone: 'error', label: 'failed' };
  return returned.reward_type === null && !hasErrors
    ? { tone: 'plain', label: 'returned' }
    : { tone: 'ok', label: 'ok' };
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
      name: isMalformed ? 'The agent was told that its reply was unreadable' : 'Not sent to the environment',
      detail: isMalformed ? move.detail : firstSentence(refused?.text ?? ''),
      subject: { type: 'told', turn },
    },
  ];
}

/** True when the environment or the host said no. */
export const isRowFailed = ({ outcome }: TimelineRow): boolean => outcome?.tone === 'error';

/** A mark that belongs to a step, after it. */
export const markAfter = (
  { sentence: _sentence, result: _result, ...step }: TimelineRow,
  name: string,
  at: number,
): TimelineRow => ({
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
export const struckOf = ({ move, call }: Turn, say: SayCall): string | null =>
  move?.type === 'call_tool' && call?.decision?.type === 'edited'
    ? say(move.tool_name, move.arguments).text
    : null;

/** Outcome of a call that waited for a person, instead of an ordinary one. */
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
  const { decision = null, late } = turn.call ?? {};
  if (decision === null) return [];
  const row = (one: CallDecision, name: string, outcome: TimelineRow['outcome']): TimelineRow => ({
    ...markAfter(step, name, one.at),
    role: decisionRole(one),
    ...decisionRowText(one),
    outcome,
    isHuman: one.actor.type === 'human' || one.actor.type === 'scripted',
    subject: { type: 'decision', turn },
  });
  return [
    ...(late === undefined ? [] : [row(late, 'late', { tone: 'error', label: 'too late' })]),
    row(
      decision,
      'decision',
      isExecutedUndecided(decision) ? { tone: 'error', label: 'executed undecided' } : null,
    ),
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
export function labelRows(turn: Turn, step: TimelineRow, say: SayCall): TimelineRow[] {
  const { label } = turn;
  if (label === null) return [];
  return [
    {
      ...markAfter(step, 'label', label.at),
      role: 'human',
      name: label.agrees ? 'Label: agrees' : 'Label: differs',
      detail: label.agrees ? '' : moveLine(label.move, say),
      isHuman: true,
      subject: { type: 'label', turn },
    },
  ];
}

/** `get_run run_id: 2031`, or what the call does where it is said; `final answer: Done.` */
export function moveLine(move: Move, say?: SayCall): string {
  switch (move.type) {
    case 'call_tool':
      return (
        say?.(move.tool_name, move.arguments).text ??
        `${move.tool_name} ${argumentsLine(move.arguments)}`.trim()
      );
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
