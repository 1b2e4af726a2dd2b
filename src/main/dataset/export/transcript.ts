// An episode's conversation as marked lines: what each message is, who wrote it, what a person made of it, and
// whether it may train. A call that a person changed stands as it took effect, because its result belongs to that.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { mayBeHelped } from '../../../shared/episode/help.ts';
import type { EpisodeRecord, Message, Turn } from '../../../shared/episode/record.ts';
import { isReplyUnknown } from '../../../shared/episode/restarts.ts';
import type { Text } from '../../../shared/events/text.ts';
import { type Segment, taggedCalls } from '../../../shared/events/turns.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { externalTranscript } from './externalTranscript.ts';
import type { EpisodeInput } from './format.ts';
import { safeText } from './json.ts';
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

/** Origins of a message in place of a call's result. */
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

/** The notice that another call ran: the first one that stands apart from the result. */
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

/**
 * Each line without the expert, or null where nothing of it is left: questions and answers, advice, notes, rejections,
 * reminders and the tool itself are taken out, so that it is what an agent working alone could have read. Lines in which a person acted stay: a conversation
 * that goes on after them does not hold without them, and whoever makes rows leaves it out. `isHelped`: somebody helped, or
 * may have, so that thoughts of advice are of theirs.
 */
export function withoutExpert(
  lines: readonly TranscriptLine[],
  isHelped: boolean,
): (TranscriptLine | null)[] {
  // Results of calls that are gone, until the next reply.
  let gone: ReadonlySet<string | null> = new Set();
  return lines.map((line) => {
    if (line.kind === 'reply') {
      const kept = withoutAsk(line, isHelped);
      gone = new Set(idsOf(line).filter((id) => kept === null || !idsOf(kept).includes(id)));
      return kept;
    }
    const isWords = line.kind === 'advice' || line.kind === 'note';
    // Words inside of a result that is kept go alone.
    const isPart = line.role === 'tool' && line.segments.length > 0;
    const isGone = (isWords && !isPart) || (line.kind !== 'prompt' && gone.has(line.answers));
    return isGone ? null : withoutReminders(line);
  });
}

/** The tools without the one to ask with. */
export const toolsWithoutAsk = (tools: Transcript['tools']): Transcript['tools'] =>
  tools.filter(({ function: { name } }) => name !== ASK_EXPERT);

/** A call written into the text has no id: its result is the next thing read. */
const idsOf = ({ calls }: TranscriptLine): (string | null)[] =>
  calls.length === 0 ? [null] : calls.map(({ id }) => id);

/** The reply without its question; null where nothing else was in it, or where a person turned its call down. */
function withoutAsk(line: TranscriptLine, isHelped: boolean): TranscriptLine | null {
  if (line.untrainable === 'rejected') return null;
  if (speaksOfExpert(line.reasoning ?? '', isHelped))
    return withoutAsk({ ...line, reasoning: null }, isHelped);
  if (line.calls.length > 1) {
    const calls = line.calls.filter(({ name }) => name !== ASK_EXPERT);
    return calls.length === line.calls.length ? line : calls.length === 0 ? null : { ...line, calls };
  }
  return line.move?.type === 'ask_expert' ? null : line;
}

const withoutReminders = (line: TranscriptLine): TranscriptLine => {
  const { content, ...rest } = withoutSegments(line, ({ type }) => EXPERTS.has(type));
  return { ...rest, content: withoutAskTool(content, line.role === 'system') };
};

const EXPERTS: ReadonlySet<string> = new Set(['nudge', 'advice', 'note']);

/** A call written as a tag, with its answer. */
const EXAMPLE = new RegExp(
  `<tool_call>(?:(?!</?tool_call>)[^])*</tool_call>` +
    `(?:\\s*<tool_response>(?:(?!</?tool_(?:call|response)>)[^])*</tool_response>)?`,
  'g',
);
/** The answer to another call does not count. */
const asksExpert = (call: string): boolean =>
  call.slice(0, call.indexOf('</tool_call>')).includes(ASK_EXPERT);
const ASK_TOOL_NAME = new RegExp(`"name"\\s*:\\s*"${ASK_EXPERT}"`);
const LISTED = new RegExp(`,\\s*"${ASK_EXPERT}"|"${ASK_EXPERT}"\\s*,?`, 'g');
const ABOUT =
  /\b(?:ask|asking|consult|consulting|call|calling|contact|contacting|query|querying) (?:for )?(?:an|the|your) expert\b|\bexpert(?:['’]s)? (?:calls?|budget|advice|help|plans?|asks?|consultations?|tool)\b|\b(?:an|the|your) expert (?:can|will|may|is|sees|answers|advises|tells|has)\b|\basks? (?:are|is) (?:few|left|limited)\b|\b(?:ask|consultation) budget\b/i;

/** True if a text still tells of the tool. */
export const holdsAskTool = (text: string): boolean => text.includes(ASK_EXPERT);
const ABOUT_ALL = new RegExp(ABOUT.source, 'gi');

/** Words of an agent that was advised, asked, or would have liked to. */
const ADVISED = new RegExp(
  [
    String.raw`\b(?:follow(?:s|ed|ing)?|no|without|(?<!you )need(?:s|ed|ing)?|ask(?:s|ed|ing)? for|wait(?:s|ed|ing)? for|got|received|given|despite) (?:(?:the|any|more|further|your|some|this|that|human|expert(?:['’]s)?) )*(?:advice|guidance)\b`,
    String.raw`\badvice (?:to go by|(?:that )?I (?:got|had|received|was given)|names?|named|says|said|tells|told|asks|asked)\b`,
    String.raw`\b(?:as advised|(?:was|were|been) advised|advised (?:me|calls?))\b`,
    String.raw`\b(?:asked|consulted|contacted|queried|from|by|with|without|no) (?:(?:an|the|your|any|human) )*(?:expert|advis[eo]r)\b(?! (?:level|mode|users?|team|group)\b)`,
    String.raw`\bI (?:(?:have|had|then|also|will|should|must|could|can) )*ask(?:ed)? (?:for (?:help|a hint)|a (?:person|human))\b`,
  ].join('|'),
  'gi',
);
/** Words that are of the expert where there was one, unless the world has them too. */
const EXPERT_WORDS =
  /\b(?:advice|advis(?:e|ed|es|ing|[eo]rs?)|experts?|consult(?:ed|ing|ations?)?|guidance|my (?:asks?|questions?)|(?:asked|ask|asking) for help)\b/gi;
const STEM = /advi[cs]|expert|consult|guidance/gi;

/** Words of a text for an expert and what they say. */
export const expertStems = (text: string): Set<string> =>
  new Set((text.match(STEM) ?? []).map((stem) => stem.toLowerCase().replace('advis', 'advic')));

const NO_STEMS: ReadonlySet<string> = new Set();

/**
 * True if words of the agent speak of an expert, of advice or of asking. `world`: the words for these that the task,
 * the tools and their results use (`expertStems`), which may mean an expert of the world. Where somebody helped, any
 * other such word counts, and what only an advised agent says counts in every world; where nobody did, only the latter
 * does, and only in other words than the world's.
 */
export function speaksOfExpert(
  text: string,
  isHelped: boolean,
  world: ReadonlySet<string> = NO_STEMS,
): boolean {
  if (holdsAskTool(text)) return true;
  const isWorlds = (words: string): boolean => {
    const stems = [...expertStems(words)];
    return stems.length > 0 && stems.every((stem) => world.has(stem));
  };
  const about = [ABOUT_ALL, ADVISED].flatMap((pattern) => text.match(pattern) ?? []);
  if (isHelped && about.length > 0) return true;
  const words = isHelped ? (text.match(EXPERT_WORDS) ?? []) : about;
  return words.some((found) => !isWorlds(found));
}

/**
 * The text without the tool. Of the agent's own prompt every sentence about asking goes; of what it read later only what
 * names the tool, since a world may well be about experts.
 */
export function withoutAskTool(text: string, isPrompt: boolean): string {
  if (!holdsAskTool(text) && !(isPrompt && ABOUT.test(text))) return text;
  const shown = withoutDeclarations(text.replace(EXAMPLE, (call) => (asksExpert(call) ? '' : call)));
  const about = (words: string): boolean => holdsAskTool(words) || (isPrompt && ABOUT.test(words));
  return shown
    .split('\n')
    .flatMap((line) => {
      if (!about(line)) return [line];
      // A point of a list is about one thing; in running text other sentences stand beside.
      if (isPrompt && holdsAskTool(line) && /^\s*(?:[-*•]|\d+[.)])\s/.test(line)) return [];
      const left = line
        .replace(LISTED, '')
        .split(/(?<=[.!?])\s+/)
        .filter((sentence) => !about(sentence))
        .join(' ');
      return /^[\s\-*\d.]*$/.test(left) ? [] : [left];
    })
    .join('\n');
}

/** Without the JSON objects that declare the tool, or call it outside of any tag. */
function withoutDeclarations(text: string): string {
  let rest = text;
  for (let named = ASK_TOOL_NAME.exec(rest); named !== null; named = ASK_TOOL_NAME.exec(rest)) {
    const own = objectAround(rest, named.index);
    if (own === null) return rest;
    const outer = objectAround(rest, own.from - 1);
    const isWrapped =
      outer !== null &&
      /^\{\s*"type"\s*:\s*"function"\s*,\s*"function"\s*:\s*$/.test(rest.slice(outer.from, own.from));
    const { from, to } = isWrapped ? outer : own;
    rest = joinAround(rest.slice(0, from), rest.slice(to));
  }
  return rest;
}

/** Joins the text around a removed part, without the comma or the line break that set it apart. */
function joinAround(before: string, after: string): string {
  if (/,\s*$/.test(before)) return before.replace(/,\s*$/, '') + after;
  if (/^\s*,/.test(after)) return before + after.replace(/^\s*,\s*/, '');
  return /(?:^|\n)$/.test(before) && /^(?:\n|$)/.test(after)
    ? before.replace(/\n$/, '') + after
    : before + after;
}

/** The innermost braces around a place, or null where they do not close. Braces in strings are not told apart. */
function objectAround(text: string, at: number): { from: number; to: number } | null {
  let from = at;
  for (let depth = 0; from >= 0; from -= 1) {
    if (text[from] === '}') depth += 1;
    else if (text[from] === '{' && depth-- === 0) break;
  }
  if (from < 0) return null;
  let to = from;
  for (let depth = 0; to < text.length; to += 1) {
    if (text[to] === '{') depth += 1;
    else if (text[to] === '}' && --depth === 0) return { from, to: to + 1 };
  }
  return null;
}
