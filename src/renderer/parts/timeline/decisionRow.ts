// How a decision about a proposed call reads in the timeline, and a label on a turn. What was proposed, decided and
// effective stay apart: the proposed stands struck above the effective.
import { textHead } from '../../../shared/events/text.ts';
import type { CallDecision, Turn } from '../../../shared/episode/record.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { argumentsLine, firstSentence, oneLine } from './phrase.ts';
import type { RowRole, TimelineRow } from './timelineRow.ts';

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
  const { decision = null, late } = turn.call ?? {};
  if (decision === null) return [];
  const row = (one: CallDecision, name: string, outcome: TimelineRow['outcome']): TimelineRow => ({
    ...markAfter(step, name, one.at),
    role: decisionRole(one),
    kind: 'decision',
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
