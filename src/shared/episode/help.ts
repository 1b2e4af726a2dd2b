// The help an agent had, as far as known: when it was first helped, and whether anybody could have helped it unseen.
// The one place that decides whether an episode may be called unaided. Pure.
import { canonical } from '../canonical.ts';
import type { Privilege } from '../events/actor.ts';
import type { Move } from '../events/turns.ts';
import { RESERVED_TOOLS } from '../wire.ts';
import type { Call, CallDecision, EpisodeRecord, Turn } from './record.ts';
import { callKey } from './toldHelp.ts';

/**
 * `none`: nobody helped, and that is known. `advised`: somebody did. `unknown`: no help is seen, and there may have been
 * some.
 */
export type Help = {
  known: 'none' | 'advised' | 'unknown';
  why:
    | 'own_loop'
    | 'declared'
    /** An ask, a note, a changed call or a take-over stands in the log. */
    | 'recorded'
    /** The client's transcript holds an ask, advice or a brief. */
    | 'told'
    | 'imported'
    | 'no_transcript'
    | 'calls_missing'
    | 'own_tools'
    | 'not_recorded'
    | 'not_declared';
  /** Whether nobody can have helped but those who stand in the log: what rows say of privilege is complete. */
  isComplete: boolean;
};

/**
 * Our own loop sees everything its agent reads. A tap sees an environment's wire: its client may have an expert of its
 * own. It is known to have had none when its transcript covers every call of the wire, holds no ask, advice or brief,
 * and it declares that it has no other expert. A file of another tool declares nothing.
 */
export function helpOf(record: EpisodeRecord): Help {
  const gap = gapOf(record);
  const isComplete = gap === null;
  if (firstHelp(record) !== null || record.counts.leaks > 0)
    return { known: 'advised', why: 'recorded', isComplete };
  const { told } = record;
  if (told.hasAsk || told.hasAdvice) return { known: 'advised', why: 'told', isComplete };
  if (gap !== null) return { known: 'unknown', why: gap, isComplete };
  return { known: 'none', why: isClients(record) ? 'declared' : 'own_loop', isComplete };
}

/** Privilege that nobody recorded: `unknown` where somebody may have helped whom the log does not show. */
export const unseenPrivilege = (record: EpisodeRecord): Privilege =>
  helpOf(record).isComplete ? [] : 'unknown';

/** True if somebody helped, as far as the log tells, or may have unseen. */
export const mayBeHelped = (record: EpisodeRecord): boolean => helpOf(record).known !== 'none';

/** True if there may have been help beside what the log holds: that no advice stands there does not mean there was none. */
export function mayHideHelp(record: EpisodeRecord): boolean {
  const { why, isComplete } = helpOf(record);
  return !isComplete || why === 'told';
}

/** The reason to suspect unrecorded help; null if there was none but what stands in the log. */
function gapOf(record: EpisodeRecord): Help['why'] | null {
  const { started, imported, conversation, told, counts } = record;
  // A fork or a resumed episode is our own again: only what our own agent played can be gone on from.
  if (imported !== null || started?.source === 'import') return 'imported';
  if (started?.source === 'ask') return 'not_recorded';
  if (!isClients(record)) return null;
  if (conversation === null || told.calls === null) return 'no_transcript';
  if (counts.lostFrames > 0) return 'not_recorded';
  if (!coversCalls(record.turns, told.calls)) return 'calls_missing';
  if (told.ownTools.length > 0) return 'own_tools';
  // A brief or advice in what was read has an author whom nobody recorded.
  if (told.hasAdvice && !record.consultations.some(({ delivered }) => delivered !== null)) return 'told';
  return conversation.no_other_expert === true ? null : 'not_declared';
}

/** True if a client of the tap played it. */
const isClients = ({ started, tapped }: EpisodeRecord): boolean =>
  tapped !== null || started?.source === 'tap';

/** True if every call the client made stands in its transcript, in order. */
function coversCalls(turns: readonly Turn[], told: readonly string[]): boolean {
  let next = 0;
  for (const { actor, move } of turns) {
    if (actor.type === 'human' || move?.type !== 'call_tool' || RESERVED_TOOLS.has(move.tool_name)) continue;
    const at = told.indexOf(callKey(move.tool_name, move.arguments), next);
    if (at === -1) return false;
    next = at + 1;
  }
  return true;
}

/**
 * The turn of the first ask, or of the first step-in that changed something: a call that was edited, rejected or
 * answered, a note, a turn made in the agent's place. Copied turns count: what was said there is known here. Null where
 * nobody helped as far as the log tells.
 */
export function firstHelp({ turns, consultations, notes }: EpisodeRecord): number | null {
  const helped = [
    ...turns.filter(isHelp).map(({ turn }) => turn),
    // What a verifier checks is asked for by the client, not by its agent.
    ...consultations.flatMap((one) => (one.purpose === 'advice' ? [one.before] : [])),
    ...notes.flatMap(({ deliveredTurn }) => (deliveredTurn === null ? [] : [deliveredTurn])),
  ];
  return helped.length === 0 ? null : helped.reduce((least, turn) => Math.min(least, turn));
}

function isHelp(turn: Turn): boolean {
  const { actor, move, call } = turn;
  if (actor.type === 'human' || actor.type === 'scripted' || isTouchedByPerson(turn)) return true;
  if (move?.type === 'ask_expert') return (call?.refused ?? null) === null;
  const decision = changingDecision(turn)?.type;
  return decision === 'edited' || decision === 'rejected' || decision === 'answered';
}

/** True if a person sent a call as it was proposed, though through the form for changing it. */
export const isUnchangedEdit = (move: Move | null, decision: CallDecision | null): boolean =>
  decision?.type === 'edited' &&
  move?.type === 'call_tool' &&
  decision.toolName === move.tool_name &&
  canonical(decision.arguments) === canonical(move.arguments);

/** True if nobody approved a call in time, so that it was not made. */
export const hasExpired = (call: Pick<Call, 'decision'> | null): boolean =>
  call?.decision?.type === 'expired' && call.decision.fallback !== 'approve';

/** True if a person changed what a client's turn did; one that nobody approved in time is changed by nobody. */
export const isTouchedByPerson = ({ touched }: Pick<Turn, 'touched'>): boolean =>
  touched !== null && touched !== 'expired';

/** The decision about a turn's call; null where there was none, or it changed nothing. */
export const changingDecision = ({ move, call }: Turn): CallDecision | null => {
  const decision = call?.decision ?? null;
  return isUnchangedEdit(move, decision) ? null : decision;
};
