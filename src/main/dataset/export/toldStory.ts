// Owns: a client's conversation as it was told, as marked lines. The wire of an environment carries no model text: replies
// are placed at the turns of the wire, so that a turn a person changed is known, and what came back for it.
import { z } from 'zod';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { AGENT } from '../../../shared/events/actor.ts';
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { moveOf } from '../import/moves.ts';
import { functionTools } from './chatTools.ts';
import { safeText } from './json.ts';
import { decidedReply, type Call, type Reply } from './replies.ts';
import { BLANK, paired, untrainable, type Line, type LineKind, type Story } from './line.ts';
import { createPlacing, type Placing } from './toldPlaces.ts';

const Message = z.looseObject({
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
type Message = z.infer<typeof Message>;
const Tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** The story of a tapped episode, or null where nobody told its conversation. */
export function toldStory(record: EpisodeRecord, whole: (text: Text) => string): Story | null {
  const { conversation } = record;
  if (conversation === null) return null;
  const messages = z.array(Message).safeParse(parsed(whole(conversation.messages))).data;
  if (messages === undefined) return null;
  const isNative =
    messages.some(({ tool_calls: calls }) => (calls ?? []).length > 0) || record.tools.length === 0;
  const written = messages.map((message, i) => (message.role === 'assistant' ? replyIn(message, i) : null));
  const moves = written.flatMap((reply) => (reply === null ? [] : [movesOf(reply)]));
  const placing = createPlacing(record, moves);
  let calls: Call[] = [];
  let reply: Line | null = null;
  let nth = 0;
  const lines = messages.map((message, i): Line => {
    const said = written[i] ?? null;
    if (said === null) return readLine(message, reply, calls);
    const turns = placing.place(nth, message.turn ?? null);
    reply = replyLine(said, { moves: moves[nth] ?? [], turns, record, isNative });
    nth += 1;
    calls = [...(reply.proposed ?? reply).calls];
    return reply;
  });
  return {
    lines: paired(withAdvice(lines, record, whole)),
    tools: toolsOf(record, whole),
    isNative,
    isUnplaced: placing.missed(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toolsOf({ conversation, tools }: EpisodeRecord, whole: (text: Text) => string): Story['tools'] {
  const told = conversation?.tools ? parsed(whole(conversation.tools)) : undefined;
  const offered = z.array(Tool).safeParse(told).data ?? [];
  return functionTools(
    offered.length === 0
      ? tools
      : offered.map(({ function: { name, description, parameters } }) =>
          ToolSpec.parse({ name, description: description ?? '', input_schema: parameters ?? {} }),
        ),
  );
}

const replyIn = (message: Message, index: number): Reply => ({
  content: contentOf(message),
  calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: raw } }, i) => ({
    id: id ?? `call_${String(index)}_${String(i)}`,
    name: safeText(name),
    raw: typeof raw === 'string' ? raw : JSON.stringify(raw ?? {}),
  })),
  reasoning: message.reasoning_content ?? null,
});

type Placed = {
  moves: readonly Move[];
  turns: ReturnType<Placing['place']>;
  record: EpisodeRecord;
  isNative: boolean;
};

function replyLine(written: Reply, { moves, turns, record, isNative }: Placed): Line {
  const turn = turns.find((one) => one.touched !== null) ?? turns[0] ?? null;
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
    untrainable: turns.map(untrainable).find((why) => why !== null) ?? null,
    proposed: decided === null ? null : written,
    isActed: turns.some(({ touched }) => touched !== null),
    isTimeout: turns.some(({ call }) => call?.decision?.type === 'expired'),
    move: moves[0] ?? null,
    of: turn,
  };
}

const contentOf = ({ content }: Message): string =>
  safeText(typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'));

/** What a reply asks for: calls beside the text, or the first one written into it. */
function movesOf({ content, calls }: Reply): Move[] {
  if (calls.length > 0) return calls.map(({ name, raw }) => moveOf(name, raw).move);
  const [, json] = /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/.exec(content) ?? [];
  const call = z.looseObject({ name: z.string(), arguments: z.unknown() }).safeParse(parsed(json ?? '')).data;
  if (call === undefined) return [];
  const raw = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  return [moveOf(call.name, raw).move];
}

/** A result without an id answers the next call that waits for one. */
function readLine(message: Message, reply: Line | null, waiting: Call[]): Line {
  const isTool = message.role === 'tool' || message.role === 'function';
  const id = message.tool_call_id ?? (isTool ? (waiting[0]?.id ?? null) : null);
  const at = waiting.findIndex((call) => call.id === id);
  if (isTool && at !== -1) waiting.splice(at, 1);
  return {
    ...BLANK,
    kind: reply === null ? 'prompt' : readKind(reply),
    role: isTool ? 'tool' : message.role === 'system' || message.role === 'developer' ? 'system' : 'user',
    content: contentOf(message),
    answers: isTool ? id : null,
    name: isTool ? (message.name ?? null) : null,
    turn: reply?.turn ?? 0,
  };
}

/** Where a person answered for the environment, it never saw the call. */
const readKind = ({ of: turn }: Line): LineKind =>
  turn?.call?.decision?.type === 'answered' ? 'fabricated' : 'environment';

/** Clients cut what their agents read: the beginning is there in any case. */
const READ_MIN = 1000;

/** Advice and notes are found by their own words, where the agent read them: best where they stand alone. */
function withAdvice(lines: readonly Line[], record: EpisodeRecord, whole: (text: Text) => string): Line[] {
  const marked = [...lines];
  const mark = (text: Text, kind: 'advice' | 'notice' | 'note', by: Partial<Line>): void => {
    const all = safeText(whole(text)).trim();
    const words = all.slice(0, READ_MIN);
    if (words === '') return;
    const isRead = ({ kind: was }: Line): boolean => was === 'environment' || was === 'fabricated';
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
