// What became of a decision on a held call or a stopped episode, in one line. Derived from the record wherever it is
// shown; never stored.
import { isBlobRef, textHead } from '../events/text.ts';
import { parsePlan } from '../plan.ts';
import { errorInWords } from '../sentences/errorInWords.ts';
import { nameOf, type NameOf, namesOfRecord } from '../sentences/names.ts';
import { resultSentence } from '../sentences/resultSentence.ts';
import { callSentence, type Sentence } from '../sentences/sentence.ts';
import { outcomeOf, type TaskOutcome } from '../taskOutcome.ts';
import { isToolError } from '../wire.ts';
import { hasHeldCall, pauseWords } from './holds.ts';
import type { Call, Consultation, EpisodeRecord, Turn } from './record.ts';
import { openDoubt } from './restarts.ts';
import { firstCallSince, uptakeOf, uptakeWords } from './uptake.ts';

/** `Found 3 tags. Task complete.`; `It failed: …`; null while the call is not decided. */
export function callOutcome(record: EpisodeRecord, id: string): string | null {
  const became = callBecame(record, id);
  if (became === null || became === BLINDED) return became;
  return [became, endWords(record)].filter((part) => part !== null && part !== '').join(' ');
}

/** The same without how the task ended. */
export function callBecame(record: EpisodeRecord, id: string): string | null {
  const turn = record.turns.findLast(({ callId }) => callId === id);
  const call = turn?.call ?? null;
  if (turn === undefined || call === null || call.decision === null) return null;
  if (record.started?.is_covered === true) return BLINDED;
  const { type } = call.decision;
  if (type !== 'approved' && type !== 'edited') return nextMove(record, turn.turn);
  return notSent(record, turn, call) ?? resultOf(call);
}

/** Why a call was not executed although a person said so: their word came too late. */
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
  const { text, error, reward_type: label } = returned;
  if (isToolError(error, label))
    return `It failed: ${errorInWords(error === null ? textOf(text) : textHead(error)).sentence}`;
  return resultSentence({ tool: sent?.toolName ?? '', args: sent?.arguments ?? {}, text: textOf(text) });
}

const textOf = (text: Parameters<typeof textHead>[0] | null): string => (text === null ? '' : textHead(text));

/** What the agent did once it had read the answer of a person; nothing where it ended without another turn. */
function nextMove(record: EpisodeRecord, turn: number): string {
  const { turns, ended } = record;
  const next = turns.find((later) => later.turn > turn);
  const move = next?.move ?? null;
  if (next === undefined || move === null) return ended === null ? 'Waiting for its next call.' : '';
  if (move.type === 'call_tool') return `It did this next: ${turnSentence(record, next)}.`;
  if (move.type === 'ask_expert') return 'It asked an expert next.';
  return move.type === 'final' ? 'It gave its final answer.' : 'It went on.';
}

/** What became of an episode that stopped at `since`; null while it stands still. */
export function stopOutcome(record: EpisodeRecord, since: number): string | null {
  const { phase, phaseAt, phaseCause, started, ended, counts, consultations } = record;
  if (ended !== null) return started?.is_covered === true ? BLINDED : endWords(record);
  const doubted = openDoubt(record)?.call?.doubt ?? null;
  if (doubted !== null) return doubted.at === since ? null : 'A call of it is in doubt.';
  if (phase === 'paused') return phaseAt === since ? null : `It stopped again: ${pauseWords(phaseCause)}.`;
  if (phase === 'correcting') return 'A person acts in its place.';
  if (hasHeldCall(record)) return 'Its next call waits for a decision.';
  if (consultations.some(({ decision }) => decision === null)) return 'It asks a question.';
  return `It goes on: turn ${String(counts.turns)}.`;
}

/** How the task ended; null while it goes on, and where a seat is not to know. */
export function endOf({ started, ended, verified }: EpisodeRecord): TaskOutcome | null {
  if (ended === null || started?.is_covered === true) return null;
  const label = ended.reward_type ?? verified?.reward_type ?? null;
  return outcomeOf(label, ended.reward ?? verified?.reward ?? null);
}

const END_WORDS: Readonly<Record<TaskOutcome['kind'], string>> = {
  complete: 'Task complete.',
  partly: 'Task partly complete.',
  failed: 'Task failed.',
  unknown: 'Ended without a verdict.',
};

const BLINDED = 'This run is blinded: how it goes on is not shown.';

/** How the task ended, as a sentence; null while it goes on. */
function endWords(record: EpisodeRecord): string | null {
  const end = endOf(record);
  return end === null ? null : END_WORDS[end.kind];
}

/** `Followed: 2 of 4 calls so far.`; `Followed: 4 of 4 calls. Task complete.`; null where nothing was answered. */
export function adviceOutcome(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' && decision?.type !== 'declined') return null;
  if (record.started?.is_covered === true) return BLINDED;
  const after = decision.type === 'declined' ? null : followedText(record, consultation);
  const words = [after, endWords(record)].filter((part) => part !== null);
  return words.length > 0 ? words.join(' ') : 'Waiting for its next call.';
}

/** Whether the agent did what an advice says; null while nothing can be said. */
export function followedText(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return null;
  if (parsePlan(textHead(decision.text)).calls.length === 0) return 'Plain text: no calls to compare.';
  const uptake = uptakeOf(record, consultation);
  if (uptake === null) return record.ended === null ? null : 'Not followed: it made no call.';
  const words = uptakeWords(uptake);
  const said = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (uptake.followed + uptake.changed > 0) return `${said}.`;
  const instead = firstCallSince(record, consultation);
  return instead === null
    ? `${said}: it made no call.`
    : `${said}${uptake.contradicted > 0 ? ', ' : ': '}it did this instead: ${turnSentence(record, instead)}.`;
}

/** The call that was sent, else the one that was wanted; null of a turn that wants none. */
export function sentenceOfTurn(
  { tools }: Pick<EpisodeRecord, 'tools'>,
  { move, call }: Turn,
  names: NameOf,
): Sentence | null {
  if (move?.type !== 'call_tool') return null;
  const wanted = call?.sent ?? { toolName: move.tool_name, arguments: move.arguments };
  const tool = tools.find(({ name }) => name === wanted.toolName) ?? { name: wanted.toolName };
  return callSentence(tool, wanted.arguments, names);
}

/** The same as text, with the names that the agent had read by then; empty where there is none. */
const turnSentence = (record: EpisodeRecord, turn: Turn): string =>
  sentenceOfTurn(record, turn, nameOf(namesOfRecord(record, turn.turn)))?.text ?? '';
