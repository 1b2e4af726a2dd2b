// An episode's conversation as marked lines: what each message is, who wrote it, what a person made of it, and
// whether it may train. A call that a person changed stands as it took effect, because its result belongs to that.
import { type Segment, taggedCalls } from '../../../shared/events/turns.ts';
import type { EpisodeRecord, Message, Turn } from '../../../shared/episode/record.ts';
import { isReplyUnknown } from '../../../shared/episode/restarts.ts';
import type { Text } from '../../../shared/events/text.ts';
import {
  decidedReply,
  type ReplyCall,
  type TrainingReply,
  functionTools,
  BLANK,
  isByPerson,
  isFailedCall,
  paired,
  untrainable,
  withRecalls,
  withoutSegments,
  type TranscriptLine,
  type Transcript,
} from './transcriptLine.ts';
import { safeText } from './json.ts';
import { externalTranscript } from './externalTranscript.ts';
import type { EpisodeInput } from './format.ts';
import type { ExportRules } from '../../../shared/contract/export.ts';
import { mayBeHelped } from '../../../shared/episode/help.ts';
import { toolsWithoutAsk, withoutExpert } from './withoutExpert.ts';

/** The conversation, or null where nobody recorded or told one. */
export function transcriptOf({
  record,
  loadText,
}: Pick<EpisodeInput, 'record' | 'loadText'>): Transcript | null {
  if (record.tapped !== null) return externalTranscript(record, loadText);
  const isWordless = record.turns.length === 0 || record.turns.every(({ hasText }) => !hasText);
  if (isWordless) return null;
  const isNative = record.started?.agent.protocol !== 'xml';
  const turns = new Map(record.turns.map((turn) => [turn.turn, turn]));
  const answered = new Set<number>();
  const lines = record.messages.map((message): TranscriptLine => {
    const turn = turns.get(message.turn) ?? null;
    if (message.role === 'assistant') return transcriptReply({ message, turn, isNative, record, loadText });
    const line = transcriptInput({ message, turn, record, loadText });
    if (message.role !== 'tool' || message.toolCallId !== null || answered.has(message.turn)) return line;
    // A call without an id is answered by the first result of its turn.
    answered.add(message.turn);
    return turn?.toolCalls[0]?.id === '' ? { ...line, answers: callIdOf('', message.turn) } : line;
  });
  return {
    lines: withRecalls(paired(lines), record),
    tools: functionTools(record.offered),
    isNative,
    isUnplaced: false,
  };
}

type LineSource = {
  message: Message;
  turn: Turn | null;
  record: EpisodeRecord;
  loadText: (text: Text) => string;
};

function transcriptReply({
  message,
  turn,
  record,
  loadText,
  isNative,
}: LineSource & { isNative: boolean }): TranscriptLine {
  const [first] = message.toolCalls;
  const content = loadText(message.content);
  const written: TrainingReply = {
    // A call beside the text is written as the episode writes calls: so the model read it later.
    content: safeText(isNative ? content : taggedCalls(content, message.toolCalls)),
    // Calls of a reply after the first were never carried out.
    calls: first === undefined || !isNative ? [] : [nativeReplyCall(first, message.turn)],
    reasoning: turn?.reasoning ? safeText(loadText(turn.reasoning)) : null,
    isExperts: isByPerson(turn),
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
    untrainable: turn === null ? null : untrainable(record, turn),
    isFailed: turn !== null && isFailedCall(record, turn),
    proposed: decided === null ? null : written,
    isActed: decided !== null || decision === 'answered' || isByPerson(turn),
    isTimeout: decision === 'expired',
    consultation: turn?.consultation ?? null,
    move: turn?.move ?? null,
    of: turn,
  };
}

function transcriptInput({ message, turn, record, loadText }: LineSource): TranscriptLine {
  const { role, origin, content, segments, toolCallId, name, n } = message;
  const asked = record.consultations.find(({ id }) => id === turn?.consultation);
  const isEdited = origin === 'environment' && turn?.call?.decision?.type === 'edited';
  const text = safeText(loadText(content));
  const line: TranscriptLine = {
    ...BLANK,
    kind: origin === 'agent' ? 'prompt' : origin,
    role,
    content: text,
    segments,
    answers: toolCallId,
    name,
    turn: message.turn,
    n,
    isReplyUnknown: STANDS_IN.has(origin) && isReplyUnknown(turn?.call ?? null),
    isTimeout: origin !== 'note' && origin !== 'prompt' && asked?.decision?.type === 'expired',
    consultation: origin === 'advice' ? (asked?.id ?? briefOf(record, message)) : null,
  };
  return isEdited ? withoutSegments(line, isEditNotice) : line;
}

/** What a message may be that stands where the result of a call would. */
const STANDS_IN: ReadonlySet<Message['origin']> = new Set(['fabricated', 'notice']);

/** The brief that stands before the first turn. */
const briefOf = ({ consultations }: EpisodeRecord, { turn }: Message): string | null =>
  turn === 0 ? (consultations.find(({ trigger }) => trigger === 'brief')?.id ?? null) : null;

const nativeReplyCall = (
  { id, name, arguments: raw }: { id: string; name: string; arguments: string },
  turn: number,
): ReplyCall => ({
  id: callIdOf(id, turn),
  name: safeText(name),
  raw,
});

/** Servers and templates want an id; a call that came without one has that of its turn. */
const callIdOf = (id: string, turn: number): string => (id === '' ? `call_${String(turn)}` : id);

/** What tells the agent that another call ran: the first notice that stands apart from the result. */
const isEditNotice = (segment: Segment, { segments, content }: TranscriptLine): boolean =>
  segment ===
  segments.find(({ type, start }) => type === 'notice' && content.slice(0, start).endsWith('\n\n'));

type RecordedTranscript = Transcript & { isWordless: boolean };
export type RecordedConversation = RecordedTranscript & { isStripped: boolean };

/** The conversation, or what can be said without one. */
export function recordedTranscript(input: EpisodeInput): RecordedTranscript {
  const spoken = transcriptOf(input);
  return spoken === null
    ? { ...wordless(input.record, input.loadText), isWordless: true }
    : { ...spoken, isWordless: false };
}

/** The same as the rules want it: without the expert, or the rule that leaves out what does not hold without a person. */
export function recordedConversation(
  input: EpisodeInput,
  { privilege }: Pick<ExportRules, 'privilege'>,
): RecordedConversation | 'person_acted' {
  const transcript = recordedTranscript(input);
  if (privilege !== 'strip') return { ...transcript, isStripped: false };
  if (transcript.lines.some(({ isActed }) => isActed)) return 'person_acted';
  const lines = withoutExpert(transcript.lines, mayBeHelped(input.record)).filter((line) => line !== null);
  return { ...transcript, lines, tools: toolsWithoutAsk(transcript.tools), isStripped: true };
}

function wordless(record: EpisodeRecord, loadText: (text: Text) => string): Transcript {
  const task = record.reset?.task ?? null;
  const opening: TranscriptLine[] =
    task === null
      ? []
      : [{ ...BLANK, kind: 'prompt', role: 'user', content: safeText(loadText(task)), turn: 0 }];
  return {
    lines: [...opening, ...record.turns.flatMap((turn) => linesOfCall(turn, record, loadText))],
    tools: functionTools(record.offered.length === 0 ? record.tools : record.offered),
    isNative: true,
    isUnplaced: false,
  };
}

function linesOfCall(turn: Turn, record: EpisodeRecord, loadText: (text: Text) => string): TranscriptLine[] {
  const { move, call } = turn;
  if (move === null || move.type === 'malformed') return [];
  const place = { turn: turn.turn, n: turn.n };
  const decided = call?.decision?.type;
  const reply: TranscriptLine = {
    ...BLANK,
    ...place,
    kind: 'reply',
    role: 'assistant',
    by: turn.actor,
    untrainable: untrainable(record, turn),
    isExperts: isByPerson(turn) || decided === 'edited',
    isActed: isByPerson(turn) || decided === 'edited' || decided === 'answered',
    move,
    of: turn,
  };
  if (move.type === 'final') return [{ ...reply, content: safeText(loadText(move.text)) }];
  const id = `t${String(turn.turn)}`;
  const made =
    move.type === 'call_tool'
      ? { name: call?.sent?.toolName ?? move.tool_name, args: call?.sent?.arguments ?? move.arguments }
      : { name: move.type, args: move.type === 'ask_expert' ? move.arguments : {} };
  const called: TranscriptLine = {
    ...reply,
    calls: [{ id, name: made.name, raw: JSON.stringify(made.args) }],
  };
  const returned = call?.returned ?? null;
  const text = returned === null ? null : (returned.error ?? returned.text);
  if (text === null && move.type !== 'list_tools') return [called];
  const listed = record.tools.map(({ name }) => name).join('\n');
  const content = safeText(text === null ? listed : loadText(text));
  return [
    called,
    { ...BLANK, ...place, kind: 'environment', role: 'tool', answers: id, name: made.name, content },
  ];
}
