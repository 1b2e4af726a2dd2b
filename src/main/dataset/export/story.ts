// Owns: an episode's conversation as marked lines: what each message is, who wrote a reply, what a person made of it, and
// whether it may train. A call a person changed stands as it took effect, since its result belongs to that.
import type { Segment } from '../../../shared/events/turns.ts';
import type { EpisodeRecord, Message, Turn } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import { decidedReply, type Call, type Reply } from './replies.ts';
import { functionTools } from './chatTools.ts';
import { safeText } from './json.ts';
import { BLANK, isByPerson, paired, untrainable, withoutSegments, type Line, type Story } from './line.ts';
import { toldStory } from './toldStory.ts';
import type { Told } from './format.ts';

/** The conversation, or null where nobody recorded or told one. */
export function storyOf({ record, whole }: Pick<Told, 'record' | 'whole'>): Story | null {
  if (record.tapped !== null) return toldStory(record, whole);
  const isWordless = record.turns.length === 0 || record.turns.every(({ hasText }) => !hasText);
  if (isWordless) return null;
  const isNative = record.started?.agent.protocol !== 'xml';
  const turns = new Map(record.turns.map((turn) => [turn.turn, turn]));
  const answered = new Set<number>();
  const lines = record.messages.map((message): Line => {
    const turn = turns.get(message.turn) ?? null;
    if (message.role === 'assistant') return replyLine({ message, turn, isNative, record, whole });
    const line = readLine({ message, turn, record, whole });
    if (message.role !== 'tool' || message.toolCallId !== null || answered.has(message.turn)) return line;
    // A call without an id is answered by the first result of its turn.
    answered.add(message.turn);
    return turn?.toolCalls[0]?.id === '' ? { ...line, answers: idOf('', message.turn) } : line;
  });
  return { lines: paired(lines), tools: functionTools(record.offered), isNative, isUnplaced: false };
}

type From = { message: Message; turn: Turn | null; record: EpisodeRecord; whole: (text: Text) => string };

function replyLine({ message, turn, record, whole, isNative }: From & { isNative: boolean }): Line {
  const [first] = message.toolCalls;
  const written: Reply = {
    content: safeText(whole(message.content)),
    // Calls of a reply after the first were never carried out; where calls are text, the words hold them.
    calls: first === undefined || !isNative ? [] : [callOf(first, message.turn)],
    reasoning: turn?.reasoning ? safeText(whole(turn.reasoning)) : null,
  };
  const decided = turn === null ? null : decidedReply(turn, written, { record, isNative });
  const decision = turn?.call?.decision?.type;
  return {
    ...BLANK,
    ...(decided ?? written),
    kind: 'reply',
    role: 'assistant',
    turn: message.turn,
    n: message.n,
    by: turn?.actor ?? null,
    untrainable: turn === null ? null : untrainable(turn),
    proposed: decided === null ? null : written,
    isActed: decided !== null || decision === 'answered' || isByPerson(turn),
    isTimeout: decision === 'expired',
    consultation: turn?.consultation ?? null,
    move: turn?.move ?? null,
    of: turn,
  };
}

function readLine({ message, turn, record, whole }: From): Line {
  const { role, origin, content, segments, toolCallId, name, n } = message;
  const asked = record.consultations.find(({ id }) => id === turn?.consultation);
  const isEdited = origin === 'environment' && turn?.call?.decision?.type === 'edited';
  const text = safeText(whole(content));
  const line: Line = {
    ...BLANK,
    kind: origin === 'agent' ? 'prompt' : origin,
    role,
    content: text,
    segments,
    answers: toolCallId,
    name,
    turn: message.turn,
    n,
    isTimeout: origin !== 'note' && origin !== 'prompt' && asked?.decision?.type === 'expired',
    consultation: origin === 'advice' ? (asked?.id ?? null) : null,
  };
  return isEdited ? withoutSegments(line, isEditNotice) : line;
}

const callOf = (
  { id, name, arguments: raw }: { id: string; name: string; arguments: string },
  turn: number,
): Call => ({
  id: idOf(id, turn),
  name: safeText(name),
  raw,
});

/** Servers and templates want an id; a call that came without one has that of its turn. */
const idOf = (id: string, turn: number): string => (id === '' ? `call_${String(turn)}` : id);

/** What tells the agent that another call ran: the first notice that stands apart from the result. */
const isEditNotice = (segment: Segment, { segments, content }: Line): boolean =>
  segment ===
  segments.find(({ type, start }) => type === 'notice' && content.slice(0, start).endsWith('\n\n'));
