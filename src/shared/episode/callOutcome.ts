// Describes the outcome of a decision on a held call or a stopped episode in one line. Derived from the record wherever
// it is shown; never stored.
import { textHead } from '../events/text.ts';
import { errorInWords } from '../sentences/errorInWords.ts';
import { resultSentence } from '../sentences/resultSentence.ts';
import { isToolError } from '../wire.ts';
import { BLINDED, endWords, nextCallText } from './uptake.ts';
import { hasHeldCall, pauseWords, turnOfCall } from './calls.ts';
import { isBrokenOff, openDoubt } from './restarts.ts';
import type { Call, CallDecision, EpisodeRecord, Turn } from './record.ts';
import { turnSentence } from './turnSentence.ts';

/** `Found 3 tags. Task complete.`; `It failed: …`; null while the call is not decided. */
export function callOutcome(record: EpisodeRecord, id: string): string | null {
  const became = callBecame(record, id);
  if (became === null || became === BLINDED) return became;
  return [became, endWords(record)].filter((part) => part !== null && part !== '').join(' ');
}

/** The same without how the task ended. */
export function callBecame(record: EpisodeRecord, id: string): string | null {
  const turn = turnOfCall(record, id);
  const call = turn?.call ?? null;
  if (turn === undefined || call === null || call.decision === null) return null;
  if (record.started?.is_covered === true) return BLINDED;
  const { type } = call.decision;
  if (call.late !== undefined) return overtaken(call.decision);
  if (type !== 'approved' && type !== 'edited') return nextMove(record, turn.turn);
  if (isBrokenOff(record) && call.sent === null)
    return 'The episode is stopped: the call is sent once it goes on.';
  return notSent(record, turn, call) ?? resultOf(call);
}

/** The tap's act before it heard of a decision. */
function overtaken(did: CallDecision): string {
  if (did.type === 'cancelled') return `It was not executed: ${did.reason}.`;
  const isExecuted = did.type === 'expired' && did.fallback === 'approve';
  return `It was ${isExecuted ? '' : 'not '}executed: your word reached the client too late.`;
}

/** The reason why a person's word on a call came too late. */
function notSent(
  { ended, tapped }: EpisodeRecord,
  { touched }: Turn,
  { sent, refused }: Call,
): string | null {
  if (sent !== null || refused !== null) return null;
  if (touched === 'expired') return 'It was not executed: your word reached the client too late.';
  if (ended === null) return null;
  return `It was not executed: ${tapped === null ? 'the episode ended' : 'the client had left'} before.`;
}

function resultOf({ sent, refused, returned }: Call): string {
  if (refused !== null) return `It was refused: ${refused.text}`;
  if (returned === null) return 'Waiting for its result.';
  const failed = isToolError(returned.error, returned.reward_type) ? 'It failed: ' : '';
  return `${failed}${returnedSentence(sent, returned)}`;
}

/** Says what a call gave back, or what went wrong, in one sentence. */
export function returnedSentence(
  sent: Call['sent'],
  { text, error, reward_type: label }: NonNullable<Call['returned']>,
): string {
  const said = text === null ? '' : textHead(text);
  return isToolError(error, label)
    ? errorInWords(error === null ? said : textHead(error)).sentence
    : resultSentence({ tool: sent?.toolName ?? '', args: sent?.arguments ?? {}, text: said });
}

/** The agent's next act after a person's answer; nothing if it ended without another turn. */
function nextMove(record: EpisodeRecord, turn: number): string {
  const { turns, ended } = record;
  const next = turns.find((later) => later.turn > turn);
  const move = next?.move ?? null;
  if (next === undefined || move === null) return ended === null ? nextCallText(record) : '';
  if (move.type === 'call_tool') return `It did this next: ${turnSentence(record, next)}.`;
  if (move.type === 'ask_expert') return 'It asked an expert next.';
  return move.type === 'final' ? 'It gave its final answer.' : 'It went on.';
}

/** The fate of an episode that stopped at `since`; null while it stands still. */
export function stopOutcome(record: EpisodeRecord, since: number): string | null {
  const { phase, phaseAt, phaseCause, started, ended, counts, consultations } = record;
  if (ended !== null) return started?.is_covered === true ? BLINDED : endWords(record);
  const doubted = openDoubt(record)?.call?.doubt ?? null;
  if (doubted !== null) return doubted.at === since ? null : 'A call of it is in doubt.';
  if (phase === 'paused') return phaseAt === since ? null : `It stopped again: ${pauseWords(phaseCause)}.`;
  if (phase === 'correcting') return 'A person acts in its place.';
  if (isBrokenOff(record)) return 'The episode is stopped.';
  if (hasHeldCall(record)) return 'Its next call waits for a decision.';
  if (consultations.some(({ decision }) => decision === null)) return 'It asks a question.';
  return `It goes on: turn ${String(counts.turns)}.`;
}
