// Messages and tools by OpenAI's rules for fine-tuning: only the keys it allows, arguments as text, names that fit.
// Source: the schemas of fine-tuning requests in OpenAI's API description.
import type { FunctionTool } from './chatTools.ts';
import { BLANK, joinReplies, type TranscriptLine } from './transcriptLine.ts';
import type { TrainingReply } from './replies.ts';
import { chatRows, type ChatRow, type ChatStyle } from './trainingConversation.ts';

type OpenAiMessage = Record<string, unknown> & { role: string };
type ToolNaming = (name: string) => string;

/** OpenAI's rule for a function's name. */
const UNFIT = /[^A-Za-z0-9_-]/g;
const LONGEST = 64;

/** Names as OpenAI takes them; tools that are spelt alike then are told apart. The same tools give the same names. */
export function namesFor(tools: readonly FunctionTool[]): ToolNaming {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const add = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const base = name.replace(UNFIT, '_').slice(0, LONGEST) || '_';
    let free = base;
    for (let i = 2; taken.has(free); i += 1)
      free = `${base.slice(0, LONGEST - 1 - String(i).length)}_${String(i)}`;
    names.set(name, free);
    taken.add(free);
    return free;
  };
  // Names that fit keep theirs, whatever stands before them.
  const all = tools.map(({ function: { name } }) => name);
  for (const name of all.toSorted((a, b) => Number(isUnfit(a)) - Number(isUnfit(b)))) add(name);
  return add;
}
const isUnfit = (name: string): boolean => name.length > LONGEST || name.search(UNFIT) !== -1;

const openAiTools = (tools: readonly FunctionTool[], named: ToolNaming): FunctionTool[] =>
  tools.map((tool) => ({ ...tool, function: { ...tool.function, name: named(tool.function.name) } }));

/** OpenAI's messages have no field for reasoning, and files with more keys have been refused. */
export const OPENAI_STYLE: ChatStyle = { arguments: 'string', reasoning: false };

/** Messages without a weight. */
export const openAiMessages = (lines: readonly TranscriptLine[], named: ToolNaming): OpenAiMessage[] =>
  chatRows(lines, OPENAI_STYLE).map((row) => message(row, named));

/** The same, each reply with the weight that `weigh` gives its line. */
export function weightedMessages(
  lines: readonly TranscriptLine[],
  named: ToolNaming,
  weigh: (line: TranscriptLine) => 0 | 1,
): OpenAiMessage[] {
  const replies = joinReplies(lines).filter(({ kind }) => kind === 'reply');
  let next = 0;
  return openAiMessages(lines, named).map((one) => {
    if (one.role !== 'assistant') return one;
    const line = replies[next];
    next += 1;
    return { ...one, weight: line === undefined ? 0 : weigh(line) };
  });
}

export const openAiReply = (reply: TrainingReply, named: ToolNaming): OpenAiMessage[] =>
  openAiMessages([{ ...BLANK, ...reply, kind: 'reply', role: 'assistant', turn: 0 }], named);

function message(
  { role, content, tool_calls: calls, tool_call_id: id }: ChatRow,
  named: ToolNaming,
): OpenAiMessage {
  if (role === 'tool') return { role, tool_call_id: id ?? '', content };
  if (calls === undefined) return { role, content };
  return {
    role,
    ...(content === '' ? {} : { content }),
    tool_calls: calls.map((call) => ({
      ...call,
      function: { ...call.function, name: named(call.function.name) },
    })),
  };
}

/** The keys of a request's tools; none where there are none, since an empty list is refused. */
export const toolKeys = (
  tools: readonly FunctionTool[],
  named: ToolNaming,
  messages: readonly OpenAiMessage[],
): Record<string, unknown> =>
  tools.length === 0
    ? {}
    : { tools: openAiTools(tools, named), parallel_tool_calls: messages.some(callsSeveral) };

const callsSeveral = ({ tool_calls: calls }: OpenAiMessage): boolean =>
  Array.isArray(calls) && calls.length > 1;
