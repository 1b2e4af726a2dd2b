// A client's conversation as the client itself reported it, as marked lines. The wire of an environment carries no
// model text, so replies are placed at the turns of the wire to know which turn a person changed and what came back
// for it.
import { z } from 'zod';
import { taggedJson } from '../../../shared/between.ts';
import { isTouchedByPerson } from '../../../shared/episode/help.ts';
import { toldMessages } from '../../../shared/episode/gateway.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { AGENT, isAtSeat } from '../../../shared/events/actor.ts';
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { tryExactJson } from '../../../shared/json.ts';
import { recordedMove } from '../import/moves.ts';
import {
  functionTools,
  decidedReply,
  type ReplyCall,
  type TrainingReply,
  BLANK,
  isFailedCall,
  paired,
  untrainable,
  type TranscriptLine,
  type Transcript,
} from './transcriptLine.ts';
import { safeText } from './json.ts';
import { canonical } from '../../../shared/canonical.ts';
import { ASK_EXPERT, NO_ADVICE, RESERVED_TOOLS } from '../../../shared/wire.ts';

const ExternalMessage = z.looseObject({
  role: z.string(),
  content: z
    .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
    .optional(),
  name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
      }),
    )
    .nullish(),
  turn: z.number().int().nullish(),
});
type ExternalMessage = z.infer<typeof ExternalMessage>;
const ExternalTool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** The story of a tapped episode, or null where nobody told its conversation. */
export function externalTranscript(
  record: EpisodeRecord,
  loadText: (text: Text) => string,
): Transcript | null {
  const { conversation } = record;
  if (conversation === null) return null;
  const messages = z.array(ExternalMessage).safeParse(toldMessages(conversation, loadText)).data;
  if (messages === undefined) return null;
  const isNative =
    messages.some(({ tool_calls: calls }) => (calls ?? []).length > 0) || record.tools.length === 0;
  const written = messages.map((message, i) =>
    message.role === 'assistant' ? externalReply(message, i) : null,
  );
  const moves = written.flatMap((reply) => (reply === null ? [] : [movesOf(reply)]));
  const placing = createReplyPlacement(record, moves);
  let calls: ReplyCall[] = [];
  let reply: TranscriptLine | null = null;
  let nth = 0;
  const lines = messages.map((message, i): TranscriptLine => {
    const said = written[i] ?? null;
    if (said === null) return externalLine(message, reply, calls);
    const turns = placing.place(nth, message.turn ?? null);
    reply = placedReplyLine(said, { moves: moves[nth] ?? [], turns, record, isNative });
    // What an agent says in the end is no call: the wire has no turn for it, and it came after all that there are.
    if (nth === moves.length - 1 && turns.length === 0 && moves[nth]?.length === 0)
      reply = { ...reply, turn: (record.turns.at(-1)?.turn ?? 0) + 1 };
    nth += 1;
    calls = [...(reply.proposed ?? reply).calls];
    return reply;
  });
  return {
    lines: paired(withAnswers(withAdvice(lines, record, loadText), record)),
    tools: externalTools(record, loadText),
    isNative,
    isUnplaced: placing.missed(),
  };
}

function externalTools(
  { conversation, tools }: EpisodeRecord,
  loadText: (text: Text) => string,
): Transcript['tools'] {
  const reportedTools = conversation?.tools ? tryExactJson(loadText(conversation.tools)) : undefined;
  const offered = z.array(ExternalTool).safeParse(reportedTools).data ?? null;
  return functionTools(
    // A client that told an empty list offered nothing beside the text.
    offered === null
      ? tools
      : offered.map(({ function: { name, description, parameters } }) =>
          ToolSpec.parse({ name, description: description ?? '', input_schema: parameters ?? {} }),
        ),
  );
}

const externalReply = (message: ExternalMessage, index: number): TrainingReply => ({
  content: contentOf(message),
  calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: raw } }, i) => ({
    id: id ?? `call_${String(index)}_${String(i)}`,
    name: safeText(name),
    raw: typeof raw === 'string' ? raw : JSON.stringify(raw ?? {}),
  })),
  reasoning: message.reasoning_content ?? null,
  isExperts: false,
});

type ReplyPlacing = {
  moves: readonly Move[];
  turns: ReturnType<ReplyPlacement['place']>;
  record: EpisodeRecord;
  isNative: boolean;
};

function placedReplyLine(
  written: TrainingReply,
  { moves, turns, record, isNative }: ReplyPlacing,
): TranscriptLine {
  const turn = turns.find((one) => one.touched !== null) ?? turns[0] ?? null;
  // A call that failed may train where the rules say so, but not beside one that may not.
  const reasons = turns.flatMap((one) => untrainable(record, one) ?? []);
  const decided =
    turn === null || moves.length !== 1 ? null : decidedReply(turn, written, { record, isNative });
  return {
    ...BLANK,
    ...(decided ?? written),
    kind: 'reply',
    role: 'assistant',
    turn: turn?.turn ?? 0,
    n: turn?.n ?? null,
    by: AGENT,
    // One call that must not be learnt from is in the same reply as the others.
    untrainable: reasons.find((why) => why !== 'failed') ?? reasons[0] ?? null,
    isFailed: turns.some((one) => isFailedCall(record, one)),
    proposed: decided === null ? null : written,
    isActed: turns.some(isTouchedByPerson),
    isTimeout: turns.some(({ call }) => call?.decision?.type === 'expired'),
    consultation: turn?.consultation ?? null,
    move: moves[0] ?? null,
    of: turn,
  };
}

const contentOf = ({ content }: ExternalMessage): string =>
  safeText(typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'));

/** The calls of a reply: those beside the text, or the first one written into it. */
function movesOf({ content, calls }: TrainingReply): Move[] {
  if (calls.length > 0) return calls.map(({ name, raw }) => recordedMove(name, raw).move);
  const [json] = taggedJson(content);
  const call = z
    .looseObject({ name: z.string(), arguments: z.unknown() })
    .safeParse(tryExactJson(json ?? '')).data;
  if (call === undefined) return [];
  const raw = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  return [recordedMove(call.name, raw).move];
}

/** A result without an id answers the next call that waits for one. */
function externalLine(
  message: ExternalMessage,
  reply: TranscriptLine | null,
  waiting: ReplyCall[],
): TranscriptLine {
  const isTool = message.role === 'tool' || message.role === 'function';
  const id = message.tool_call_id ?? (isTool ? (waiting[0]?.id ?? null) : null);
  const at = waiting.findIndex((call) => call.id === id);
  if (isTool && at !== -1) waiting.splice(at, 1);
  // Where a person answered for the environment, it never saw the call.
  const isFabricated = reply?.of?.call?.decision?.type === 'answered';
  return {
    ...BLANK,
    kind: reply === null ? 'prompt' : isFabricated ? 'fabricated' : 'environment',
    role: isTool ? 'tool' : message.role === 'system' || message.role === 'developer' ? 'system' : 'user',
    content: contentOf(message),
    answers: isTool ? id : null,
    name: isTool ? (message.name ?? null) : null,
    turn: reply?.turn ?? 0,
  };
}

/** Clients cut what their agents read: the beginning is there in any case. */
const READ_MIN = 1000;

/**
 * Marks answers to questions as the expert's, whether or not they were linked here: no environment ever saw them. Words
 * that say why no advice came are none.
 */
function withAnswers(lines: readonly TranscriptLine[], { consultations }: EpisodeRecord): TranscriptLine[] {
  let reply: TranscriptLine | null = null;
  return lines.map((line): TranscriptLine => {
    if (line.kind === 'reply') reply = line;
    if (line.kind !== 'environment' || reply?.move?.type !== 'ask_expert') return line;
    const asked = consultations.find(({ id }) => id === reply?.consultation);
    const as = asked?.delivered?.as ?? (line.content.startsWith(NO_ADVICE) ? 'declined' : 'advice');
    reply = null;
    return {
      ...line,
      kind: as === 'advice' || as === 'draft' ? 'advice' : 'notice',
      consultation: asked?.id ?? null,
    };
  });
}

/** Advice and notes are found by their own words, where the agent read them: best where they stand alone. */
function withAdvice(
  lines: readonly TranscriptLine[],
  record: EpisodeRecord,
  loadText: (text: Text) => string,
): TranscriptLine[] {
  const marked = [...lines];
  const mark = (text: Text, kind: 'advice' | 'notice' | 'note', by: Partial<TranscriptLine>): void => {
    const all = safeText(loadText(text)).trim();
    const words = all.slice(0, READ_MIN);
    if (words === '') return;
    const isRead = ({ kind: was }: TranscriptLine): boolean => was === 'environment' || was === 'fabricated';
    const alone = marked.findIndex((line) => isRead(line) && line.content.trim() === all);
    const at = alone === -1 ? marked.findIndex((one) => isRead(one) && one.content.includes(words)) : alone;
    const line = marked[at];
    if (line === undefined) return;
    const start = line.content.indexOf(words);
    const end = start + (line.content.startsWith(all, start) ? all : words).length;
    // Inside of a result it is a part: the rest is still the environment's.
    const segments = line.content.trim() === all ? [] : [{ type: kind, start, end }];
    marked[at] = { ...line, kind: line.kind === 'fabricated' ? line.kind : kind, segments, ...by };
  };
  for (const { id, decision, delivered } of record.consultations) {
    if (delivered === null) continue;
    const isAdvice = delivered.as === 'advice' || delivered.as === 'draft';
    const isTimeout = decision?.type === 'expired';
    mark(delivered.text, isAdvice ? 'advice' : 'notice', { consultation: id, isTimeout });
  }
  for (const { text, deliveredTurn } of record.notes)
    if (deliveredTurn !== null) mark(text, 'note', { turn: deliveredTurn });
  return marked;
}

type ReplyPlacement = {
  /** The turns of the `nth` reply's calls, or the one that the client itself named. */
  place: (nth: number, input: number | null) => Turn[];
  /** A turn that a person changed is at no reply. */
  missed: () => boolean;
};
type PlacedCall = Extract<Move, { type: 'call_tool' | 'ask_expert' }>;

/** `replies` are the moves of each reply that was told. */
function createReplyPlacement(record: EpisodeRecord, replies: readonly (readonly Move[])[]): ReplyPlacement {
  const turns = record.turns.filter(({ actor }) => !isAtSeat(actor));
  const calls = replies.flatMap((moves, nth) => moves.filter(isPlacedCall).map((move) => ({ nth, move })));
  const placed = new Set<Turn>();
  const known = new Set(
    turns.flatMap(({ move }) => (move !== null && isPlacedCall(move) ? [calledTool(move)] : [])),
  );
  let next = 0;
  let nextCall = 0;
  const find = (move: PlacedCall): Turn | null => {
    for (let at = next; at < turns.length; at += 1) {
      const turn = turns[at];
      const made = turn?.move && isPlacedCall(turn.move) ? turn.move : null;
      if (turn !== undefined && made !== null && calledTool(made) === calledTool(move)) {
        // A client may refuse a call itself: where a later reply makes just the call of the wire, this one was not sent.
        if (!callsEqual(made, move) && calls.slice(nextCall).some((one) => callsEqual(made, one.move)))
          return null;
        next = at + 1;
        return turn;
      }
      if (made?.type === 'call_tool' && !RESERVED_TOOLS.has(made.tool_name)) return null;
    }
    return null;
  };
  return {
    place: (nth, input) => {
      const own = calls.filter((call) => call.nth === nth && known.has(calledTool(call.move)));
      const fits = ({ move }: Turn): boolean =>
        own.length === 0 ||
        own.some((call) => move !== null && isPlacedCall(move) && calledTool(move) === calledTool(call.move));
      const named = input === null ? undefined : turns.find((one) => one.turn === input && fits(one));
      const found: Turn[] = named === undefined ? [] : [named];
      for (; calls[nextCall]?.nth === nth;) {
        const move = calls[nextCall]?.move;
        nextCall += 1;
        const turn = named === undefined && move !== undefined ? find(move) : null;
        if (turn !== null) found.push(turn);
      }
      if (named !== undefined) next = Math.max(next, turns.indexOf(named) + 1);
      for (const turn of found) placed.add(turn);
      return found;
    },
    missed: () => turns.some((turn) => turn.touched !== null && !placed.has(turn)),
  };
}

const isPlacedCall = (move: Move): move is PlacedCall =>
  move.type === 'call_tool' || move.type === 'ask_expert';
const calledTool = (move: PlacedCall): string => (move.type === 'call_tool' ? move.tool_name : ASK_EXPERT);
/** The words of a question stand in its consultation: two asks are the same. */
const callsEqual = (a: PlacedCall, b: PlacedCall): boolean =>
  a.type === 'ask_expert' || b.type === 'ask_expert'
    ? a.type === b.type
    : a.tool_name === b.tool_name && canonical(a.arguments) === canonical(b.arguments);
