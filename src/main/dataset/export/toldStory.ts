// Owns: a client's conversation as it was told, as marked lines. The wire of an environment carries no model text: replies
// are placed at the turns of the wire by their calls, in order, so that a turn a person changed is known.
import { z } from 'zod';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { AGENT } from '../../../shared/events/actor.ts';
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { Move } from '../../../shared/events/turns.ts';
import { RESERVED_TOOLS } from '../../../shared/wire.ts';
import { moveOf } from '../import/moves.ts';
import { functionTools } from './chatTools.ts';
import { safeText } from './json.ts';
import { decidedReply, type Call, type Reply } from './replies.ts';
import { BLANK, paired, untrainable, type Line, type Story } from './line.ts';

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
  const placing = createPlacing(record);
  const isNative =
    messages.some(({ tool_calls: calls }) => (calls ?? []).length > 0) || record.tools.length === 0;
  let calls: Call[] = [];
  let hasReply = false;
  const lines = messages.map((message, i): Line => {
    if (message.role === 'assistant') {
      hasReply = true;
      const line = replyLine(message, i, placing, { record, isNative });
      calls = [...(line.proposed ?? line).calls];
      return line;
    }
    return readLine(message, hasReply, calls);
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

function replyLine(
  message: Message,
  index: number,
  placing: ReturnType<typeof createPlacing>,
  { record, isNative }: { record: EpisodeRecord; isNative: boolean },
): Line {
  const written: Reply = {
    content: contentOf(message),
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: raw } }, i) => ({
      id: id ?? `call_${String(index)}_${String(i)}`,
      name: safeText(name),
      raw: typeof raw === 'string' ? raw : JSON.stringify(raw ?? {}),
    })),
    reasoning: message.reasoning_content ?? null,
  };
  const moves = movesOf(written);
  const turns = placing.place(moves, message.turn ?? null);
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
    untrainable: turn === null ? null : untrainable(turn),
    proposed: decided === null ? null : written,
    isActed: turns.some(({ touched }) => touched !== null),
    isTimeout: turn?.call?.decision?.type === 'expired',
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

/** Places replies at the client's turns; only what an orchestrator did may lie between two of them. */
function createPlacing(record: EpisodeRecord) {
  const turns = record.turns.filter(({ actor }) => actor.type !== 'human');
  const placed = new Set<Turn>();
  let next = 0;
  const find = (tool: string): Turn | null => {
    for (let at = next; at < turns.length; at += 1) {
      const turn = turns[at];
      const made = turn?.move?.type === 'call_tool' ? turn.move.tool_name : null;
      if (turn !== undefined && made === tool) {
        next = at + 1;
        return turn;
      }
      if (made !== null && !RESERVED_TOOLS.has(made)) return null;
    }
    return null;
  };
  return {
    place: (moves: readonly Move[], told: number | null): Turn[] => {
      const named = told === null ? undefined : turns.find(({ turn }) => turn === told);
      const found =
        named === undefined
          ? moves.flatMap((move) => (move.type === 'call_tool' ? (find(move.tool_name) ?? []) : []))
          : [named];
      if (named !== undefined) next = Math.max(next, turns.indexOf(named) + 1);
      for (const turn of found) placed.add(turn);
      return found;
    },
    missed: (): boolean => turns.some((turn) => turn.touched !== null && !placed.has(turn)),
  };
}

/** A result without an id answers the next call that waits for one. */
function readLine(message: Message, hasReply: boolean, waiting: Call[]): Line {
  const isTool = message.role === 'tool' || message.role === 'function';
  const id = message.tool_call_id ?? (isTool ? (waiting[0]?.id ?? null) : null);
  const at = waiting.findIndex((call) => call.id === id);
  if (isTool && at !== -1) waiting.splice(at, 1);
  return {
    ...BLANK,
    kind: hasReply ? 'environment' : 'prompt',
    role: isTool ? 'tool' : message.role === 'system' || message.role === 'developer' ? 'system' : 'user',
    content: contentOf(message),
    answers: isTool ? id : null,
    name: isTool ? (message.name ?? null) : null,
    turn: 0,
  };
}

/** Clients cut what their agents read: the beginning is there in any case. */
const READ_MIN = 1000;

/** Advice and notes are found by their own words, where the agent read them. */
function withAdvice(lines: readonly Line[], record: EpisodeRecord, whole: (text: Text) => string): Line[] {
  const marked = [...lines];
  const mark = (text: Text, by: Partial<Line>): void => {
    const words = safeText(whole(text)).trim().slice(0, READ_MIN);
    if (words === '') return;
    const at = marked.findIndex(({ kind, content }) => kind === 'environment' && content.includes(words));
    const line = marked[at];
    if (line !== undefined) marked[at] = { ...line, ...by };
  };
  for (const { id, decision, delivered } of record.consultations) {
    if (delivered === null) continue;
    const isAdvice = delivered.as === 'advice' || delivered.as === 'draft';
    const isTimeout = decision?.type === 'expired';
    mark(delivered.text, { kind: isAdvice ? 'advice' : 'notice', consultation: id, isTimeout });
  }
  for (const { text, deliveredTurn } of record.notes)
    if (deliveredTurn !== null) mark(text, { kind: 'note' });
  return marked;
}
