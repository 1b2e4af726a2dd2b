// How one turn reads as a line: the tool and its arguments, or what the agent said; and what came of it.
import { textHead } from '../../../shared/events/text.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import { ASK_EXPERT, RewardType } from '../../../shared/wire.ts';
import { decisionRows, heldOutcome, labelRows, markAfter, struckOf } from './decisionRow.ts';
import { argumentsLine, firstSentence, proseOf } from './phrase.ts';
import type { Facet, RowRole, TimelineRow } from './timelineRow.ts';

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
