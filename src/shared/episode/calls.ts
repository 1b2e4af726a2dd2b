// One call: where it is found, how a hold and a decision are folded into it, which call of its reply it is; and what waits
// for a person besides questions, held calls and episodes that stopped. Pure.
import type { HoldItem } from './rowShapes.ts';
import type { PhaseCause, stepInEvents } from '../events/stepIns.ts';
import { textHead } from '../events/text.ts';
import { type EpisodeRecord, taskRef, type Turn, type Call, type CallDecision } from './record.ts';
import { isBrokenOff, openDoubt } from './restarts.ts';
import { ruleText } from './ruleText.ts';
import type { z } from 'zod';
import { changeTurn, countHuman, type FoldStep } from './change.ts';

/** The turn that made the call with this id: the newest, where ids come twice. */
export const turnOfCall = ({ turns }: Pick<EpisodeRecord, 'turns'>, id: string): Turn | undefined =>
  turns.findLast(({ callId }) => callId === id);

/** The call with this id; null where there is none. */
export const callOf = (record: Pick<EpisodeRecord, 'turns'>, id: string): Call | null =>
  turnOfCall(record, id)?.call ?? null;

/** A call as it is before anything became of it. */
export const newCall = (id: string, toolName: string): Call => ({
  id,
  toolName,
  sent: null,
  refused: null,
  held: null,
  waived: null,
  decision: null,
  changes: null,
  returned: null,
});

type CallEvent = Extract<z.infer<(typeof stepInEvents)[number]>, { kind: `call.${string}` }>;
/** Those that settle a held call; the facts of the kinds say the same. */
type CallDecisionEvent = Exclude<CallEvent, { kind: 'call.held' | 'call.extended' | 'call.waived' }>;

/** The first decision on a call stands, unless the tap had let the limit pass, or had lost the client, before it heard of it. */
export function foldCall(record: EpisodeRecord, step: FoldStep, event: CallEvent): EpisodeRecord {
  const isIt = (turn: Turn): boolean => turn.callId === event.call;
  const { at, n } = step.recorded;
  const isDecision = !['call.held', 'call.extended', 'call.waived'].includes(event.kind);
  const counted = isDecision ? countHuman(record, step) : record;
  return changeTurn(counted, step, isIt, (turn) => {
    const proposed = turn.move?.type === 'call_tool' ? turn.move.tool_name : '';
    const call = turn.call ?? newCall(event.call, proposed);
    if (event.kind === 'call.waived') return { ...turn, call: { ...call, waived: event.rule } };
    if (event.kind === 'call.held') {
      const { why, rule, deadline_at, fallback } = event;
      return { ...turn, call: { ...call, held: { at, n, why, rule, deadline_at, fallback } } };
    }
    if (call.decision !== null) {
      const isOvertaken = event.kind === 'call.expired' || event.kind === 'call.cancelled';
      if (!isOvertaken) return turn;
      return { ...turn, call: { ...call, decision: callDecision(event, step), late: call.decision } };
    }
    if (event.kind === 'call.extended') {
      const held = call.held === null ? null : { ...call.held, deadline_at: event.deadline_at };
      return { ...turn, call: { ...call, held } };
    }
    return { ...turn, call: { ...call, decision: callDecision(event, step) } };
  });
}

function callDecision(event: CallDecisionEvent, { recorded: { at, actor } }: FoldStep): CallDecision {
  switch (event.kind) {
    case 'call.approved':
      return {
        type: 'approved',
        at,
        actor,
        ...(event.privilege === undefined ? {} : { privilege: event.privilege }),
      };
    case 'call.edited': {
      const { tool_name: toolName, arguments: args, reason, privilege } = event;
      return { type: 'edited', at, actor, toolName, arguments: args, reason, privilege };
    }
    case 'call.rejected':
      return { type: 'rejected', at, actor, reason: event.reason, privilege: event.privilege };
    case 'call.answered':
      return {
        type: 'answered',
        at,
        actor,
        text: event.text,
        isError: event.is_error,
        privilege: event.privilege,
      };
    case 'call.expired':
      return { type: 'expired', at, actor, fallback: event.fallback };
    case 'call.cancelled':
      return { type: 'cancelled', at, actor, reason: event.reason };
  }
}

const REPLY_TEXT_MAX = 600;

const NAMED_TWICE =
  'it names an argument twice: the last one is shown, approving sends both, an edit replaces the whole call';

const PAUSE_WORDS: Record<PhaseCause, string> = {
  person: 'paused by a person',
  step: 'one step done',
  breakpoint: 'stopped at a breakpoint',
  rejections: 'three calls in a row were rejected: what should happen?',
};

export const pauseWords = (cause: PhaseCause | null): string => PAUSE_WORDS[cause ?? 'person'];

/** The call or the pause that waits in an episode; where both wait, the call alone. */
export function holdItems(record: EpisodeRecord): HoldItem[] {
  if (record.started === null || record.ended !== null) return [];
  const doubted = openDoubt(record);
  if (doubted !== null) return [doubtHold(record, doubted)];
  const last = record.turns.at(-1);
  if (last?.call?.held && last.call.decision === null) return [callHold(record, last)];
  if (record.phase !== 'paused') return [];
  const why = pauseWords(record.phaseCause);
  return [
    { ...common(record), type: 'pause', key: record.id, why, deadline_at: null, fallback: null, call: null },
  ];
}

/** True if the newest call waits for a person. */
export function hasHeldCall({ turns }: EpisodeRecord): boolean {
  const call = turns.at(-1)?.call ?? null;
  return call !== null && call.held !== null && call.decision === null;
}

function common(record: EpisodeRecord) {
  const { started, reset } = record;
  return {
    episode: record.id,
    seq: record.seq,
    ...taskRef(record),
    task: reset?.task ?? null,
    turn: record.counts.turns,
    turn_limit: started?.limits?.turns ?? null,
    is_tapped: record.tapped !== null,
    ...(isBrokenOff(record) ? { is_stopped: true } : {}),
    since: record.phaseAt ?? record.updatedAt ?? 0,
  };
}

function doubtHold(record: EpisodeRecord, { turn, call }: Turn): HoldItem {
  const { id = '', sent = null, doubt } = call ?? {};
  return {
    ...common(record),
    type: 'doubt',
    key: `${record.id}:doubt:${id}`,
    turn,
    since: doubt?.at ?? 0,
    why: 'a call was sent, and its answer was lost at the restart',
    deadline_at: null,
    fallback: null,
    call: null,
    doubt: {
      id,
      tool_name: sent?.toolName ?? '',
      arguments: sent?.arguments ?? {},
      sent_at: sent?.at ?? 0,
    },
  };
}

function callHold(record: EpisodeRecord, turn: Turn): HoldItem {
  const { call, move } = turn;
  const held = call?.held ?? null;
  const why =
    held?.why === 'breakpoint'
      ? 'stopped at a breakpoint'
      : held?.why === 'step'
        ? record.phase === 'correcting'
          ? 'held while a person acts'
          : 'held while the episode is paused'
        : held?.why === 'confidence'
          ? `the agent is unsure (${held.rule ?? ''})`
          : `needs approval (rule${held?.rule ? `: ${ruleText(held.rule)}` : ''})`;
  return {
    ...common(record),
    type: 'call',
    key: `${record.id}:${call?.id ?? ''}`,
    since: held?.at ?? 0,
    why: turn.repairs.includes('duplicate_keys') ? `${why}; ${NAMED_TWICE}` : why,
    deadline_at: held?.deadline_at ?? null,
    fallback: held?.fallback ?? null,
    call: {
      id: call?.id ?? '',
      tool_name: move?.type === 'call_tool' ? move.tool_name : '',
      arguments: move?.type === 'call_tool' ? move.arguments : {},
      // A further call has no words of its own: the reply's are those of its first turn.
      said: textHead((replyOfTurn(record, turn) ?? turn).content).slice(0, REPLY_TEXT_MAX),
    },
  };
}

/** The turn that holds the words and all calls of the reply that this turn belongs to. */
const replyOfTurn = ({ turns }: EpisodeRecord, { turn, replyOf }: Turn): Turn | undefined =>
  turns.find((one) => one.turn === (replyOf ?? turn));

/** Place of a turn's call in its reply, counted from 1, and all calls by name; null where the reply made one. */
export function placeInReply(record: EpisodeRecord, number: number): { nth: number; names: string[] } | null {
  const turn = record.turns.find((one) => one.turn === number);
  const reply = turn === undefined ? undefined : replyOfTurn(record, turn);
  // Where only the first was carried out, the others are told as left out.
  if (reply === undefined || reply.ignoredCalls > 0) return null;
  const names = reply.toolCalls.map(({ name }) => name);
  const made = record.turns.filter(
    ({ turn: one, replyOf }) => one <= number && (one === reply.turn || replyOf === reply.turn),
  );
  return names.length < 2 ? null : { nth: made.length, names };
}
