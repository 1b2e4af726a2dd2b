// One episode's conversation as the rules want it, with or without its expert, and its messages in the shape a
// trainer reads.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { mayBeHelped } from '../../../shared/episode/help.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { argumentsAsRead, type Move } from '../../../shared/events/turns.ts';
import {
  type FunctionTool,
  asRead,
  joinReplies,
  replyTurn,
  type TranscriptLine,
  type Transcript,
  withoutThought,
  parseArguments,
  replyOfMove,
  wordsBeside,
  withWords,
  type TrainingReply,
} from './transcriptLine.ts';
import type { EpisodeRows, MadeRow, RowFacts, EpisodeInput } from './format.ts';
import { safeText } from './json.ts';
import { transcriptOf, toolsWithoutAsk, withoutExpert } from './transcript.ts';

/** A message as TRL's conversational formats have it. */
export type ChatRow = {
  role: string;
  /** Never null: some chat templates print the word. */
  content: string;
  /** What the agent thought before it spoke. Chat templates of reasoning models read this name. */
  reasoning_content?: string;
  tool_calls?: {
    id: string;
    type: 'function';
    function: { name: string; arguments: Record<string, unknown> | string };
  }[];
  tool_call_id?: string;
  name?: string;
};

export type TrainingConversation = {
  transcript: Transcript;
  record: EpisodeRecord;
  loadText: EpisodeInput['loadText'];
  tools: FunctionTool[];
  isStripped: boolean;
  words: ExportRules['words'];
  /** The lines of a part, as they are told. */
  part: (from: number, to: number) => TranscriptLine[];
  /** What was read before a reply. */
  before: (at: number) => TranscriptLine[];
  /** Why a row that ends before `to` cannot be made, without the expert or at all; null when it can. */
  refuses: (to: number) => string | null;
};

/** The rules for a conversation that is trained on. */
type ConversationRules = Pick<ExportRules, 'privilege' | 'words' | 'failed_calls'>;

/** A conversation, or the rule that says why an episode gives none. */
export function trainingConversation(
  input: EpisodeInput,
  rules: ConversationRules,
): TrainingConversation | string {
  const told = transcriptOf(input);
  if (told === null)
    return input.record.imported !== null && input.record.turns.length === 0 ? 'no_steps' : 'no_transcript';
  if (told.isUnplaced) return 'touched_turn_not_found';
  const transcript = { ...told, lines: linesByRules(told.lines, rules) };
  const { words } = rules;
  const isStripped = rules.privilege === 'strip';
  const kept = isStripped ? withoutExpert(transcript.lines, mayBeHelped(input.record)) : transcript.lines;
  const part = (from: number, to: number): TranscriptLine[] =>
    kept.slice(from, to).filter((line) => line !== null);
  return {
    transcript,
    words,
    record: input.record,
    loadText: input.loadText,
    tools: isStripped ? toolsWithoutAsk(transcript.tools) : transcript.tools,
    isStripped,
    part,
    before: (at) => asRead(part(0, at), transcript.lines[at]),
    refuses: (to) => {
      const lines = transcript.lines.slice(0, to);
      // What stands where the result of a call would is none, and nobody knows which world the rest happened in.
      if (lines.some((line) => line.isReplyUnknown)) return 'reply_unknown';
      return isStripped && lines.some(({ isActed }) => isActed) ? 'person_acted' : null;
    },
  };
}

function linesByRules(
  told: readonly TranscriptLine[],
  { words, failed_calls: failed }: ConversationRules,
): TranscriptLine[] {
  const lines = told.map((line): TranscriptLine => {
    const untrainable = line.untrainable === 'failed' ? null : line.untrainable;
    const kept = failed === 'keep' && line.isFailed ? { ...line, isFailed: false, untrainable } : line;
    return line.proposed === null ? kept : { ...kept, ...withWords(kept, wordsByRule(line, words)) };
  });
  // The agent wrote all calls of a reply at once: what is left without the one that failed, it never said.
  const withFailed = new Set(
    lines.flatMap((line) => (line.isFailed && line.of !== null ? replyTurn(line) : [])),
  );
  const isPart = ({ of, untrainable }: TranscriptLine): boolean => of !== null && untrainable === null;
  return lines.map((line) =>
    isPart(line) && withFailed.has(replyTurn(line)) ? { ...line, untrainable: 'failed' } : line,
  );
}

/** Words that the rules let stand beside another call than the agent's in the place of this line. */
export function wordsByRule(line: TranscriptLine, words: ExportRules['words']): string {
  if (words === 'agent') return wordsBeside(line.proposed ?? line);
  const decision = line.of?.call?.decision;
  return words === 'reason' && decision?.type === 'edited' ? safeText(decision.reason ?? '') : '';
}

/** The rules on how messages are written. */
export type ChatStyle = Pick<ExportRules, 'arguments' | 'reasoning'>;

/** Lines as messages. Neighbouring words to the agent are one message, as it read them. */
export function chatRows(lines: readonly TranscriptLine[], style: ChatStyle): ChatRow[] {
  const rows: ChatRow[] = [];
  for (const line of joinReplies(lines)) {
    const last = rows.at(-1);
    if (line.role === 'user' && last?.role === 'user') last.content = `${last.content}\n\n${line.content}`;
    else rows.push(chatRow(line, style));
    if (isEmpty(rows.at(-1))) rows.pop();
  }
  return rows;
}

/** Nothing but reasoning was in it, and that is left out. */
const isEmpty = (row: ChatRow | undefined): boolean =>
  row?.role === 'assistant' && row.content === '' && row.tool_calls === undefined;

function chatRow(line: TranscriptLine, style: ChatStyle): ChatRow {
  if (line.kind === 'reply') return replyRow(line, style);
  const { role, content, answers, name } = line;
  if (role !== 'tool') return { role, content };
  return { role, tool_call_id: answers ?? '', name: name ?? '', content };
}

/** A reply as the assistant's message. */
export function replyRow(reply: TrainingReply, style: ChatStyle): ChatRow {
  const { content, calls, reasoning } = style.reasoning ? reply : withoutThought(reply);
  const thought = (reasoning ?? '').trim() === '' ? {} : { reasoning_content: reasoning ?? '' };
  if (calls.length === 0) return { role: 'assistant', content, ...thought };
  return {
    role: 'assistant',
    content,
    ...thought,
    tool_calls: calls.map(({ id, name, raw }) => ({
      id,
      type: 'function',
      function: { name, arguments: chatArguments(raw, style.arguments) },
    })),
  };
}

/** A string is the text as it was written, where that is an object. */
const chatArguments = (raw: string, style: ExportRules['arguments']): Record<string, unknown> | string =>
  style === 'object' ? parseArguments(raw) : argumentsAsRead(safeText(raw));

/** A person's correction as a reply to what stands before the line. */
export function replyInstead(
  { transcript: { isNative }, record, loadText, words }: TrainingConversation,
  line: TranscriptLine,
  move: Move,
): TrainingReply | null {
  const reply = replyOfMove(move, line.proposed ?? line, { record, loadText, isNative });
  return reply === null || words !== 'agent' ? reply : withWords(reply, wordsByRule(line, words));
}

/** Training mask of a line: `taught` lines train where they are replies. */
export const maskLine = (line: TranscriptLine, isTaught: boolean): ReturnType<RowFacts['mask']>[number] => ({
  role: line.role,
  text: [line.content, ...line.calls.map(({ name, raw }) => `${name}(${raw})`)]
    .filter((text) => text !== '')
    .join('\n'),
  trains: isTaught && line.kind === 'reply',
  why: line.kind !== 'reply' ? line.kind : isTaught ? null : (line.untrainable ?? 'prompt'),
});

/** Counts what is left out, by rule. */
export function createTally() {
  const dropped: Record<string, number> = {};
  const rows: MadeRow[] = [];
  return {
    rows,
    dropped,
    drop: (rule: string): void => {
      dropped[rule] = (dropped[rule] ?? 0) + 1;
    },
    /** A row, the rule that leaves it out, or null where there was nothing to make one of. */
    take: (made: MadeRow | string | null): void => {
      if (typeof made === 'string') dropped[made] = (dropped[made] ?? 0) + 1;
      else if (made !== null) rows.push(made);
    },
    made: () => ({ rows, dropped }),
  };
}

export type Tally = ReturnType<typeof createTally>;

/** Counts the calls that the environment refused: each is a reply that is read and makes no row. */
export function dropFailed({ transcript }: TrainingConversation, { drop }: Tally): void {
  for (const { isFailed, untrainable } of transcript.lines)
    if (isFailed && untrainable === 'failed') drop('failed');
}

/** Rows made of an episode's conversation; one that has none gives none, under the rule that says why. */
export function rowsOfConversation(
  input: EpisodeInput,
  rules: ConversationRules,
  make: (conversation: TrainingConversation, tally: Tally) => void,
): EpisodeRows {
  const tally = createTally();
  const conversation = trainingConversation(input, rules);
  if (typeof conversation === 'string') tally.drop(conversation);
  else make(conversation, tally);
  return tally.made();
}
