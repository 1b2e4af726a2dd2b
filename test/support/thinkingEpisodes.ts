// Owns: episodes of agents that think, each against a server of its own that returns reasoning in another way, with what
// the server was asked for each reply, and the rows that exports make of them beside it.
import { createChatPolicy } from '../../src/main/agent/chat.ts';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { makeRows } from './exporting.ts';
import { serveEnvironment } from './flow.ts';
import { type Completion, type ScriptedAnswer, startOpenAiServer } from './openaiServer.ts';
import { ME, startStepIn } from './stepIn.ts';

export type ChatMessage = Record<string, unknown> & { role: string; content: string };
type Asked = { messages: ChatMessage[]; tools: unknown };
/** What was asked, and the message that came back. */
export type Exchange = Asked & { reply: ChatMessage };
export type ThinkingEpisode = { name: string; log: EventLog; id: string; exchanges: Exchange[] };

/** How a reply's reasoning stands in it. */
type Manner = (reasoning: string, reply: Completion) => Completion;
const inField =
  (field: string): Manner =>
  (reasoning, reply) => ({ ...reply, more: { [field]: reasoning } });
const inDetails: Manner = (reasoning, reply) => ({
  ...reply,
  more: {
    reasoning,
    reasoning_details: [
      { type: 'reasoning.text', text: reasoning, signature: 'c2ln', format: 'x-v1', index: 0 },
    ],
  },
});
const inWords: Manner = (reasoning, reply) => ({
  ...reply,
  content: `<think>\n${reasoning}\n</think>\n\n${reply.content ?? ''}`,
});

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const tagged = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name: 'call_tool', arguments: { tool_name: name, arguments: args } })}\n</tool_call>`;

const LOOK: Completion = { toolCalls: [call('c1', 'find_workflow', { id: 1 })] };
const LOOK_ON: Completion = { toolCalls: [call('c2', 'find_workflow', { id: 2 })] };
const BOTH: Completion = {
  toolCalls: [call('c1', 'find_workflow', { id: 1 }), call('c2', 'find_workflow', { id: 2 })],
};
const RENAME: Completion = { toolCalls: [call('c3', 'rename_workflow', { id: 2 })] };
const END: Completion = { content: 'Workflow 2 is renamed.' };
const TAGGED = [
  { content: tagged('find_workflow', { id: 1 }) },
  { content: `I look on.\n${tagged('find_workflow', { id: 2 })}` },
  { content: tagged('rename_workflow', { id: 2 }) },
  END,
];

const thinks = (manner: Manner, replies: readonly Completion[]): Completion[] =>
  replies.map((reply, i) => manner(`I think, step ${String(i + 1)}: "which is it?"`, reply));
const REFUSED: ScriptedAnswer = {
  status: 400,
  body: { error: { message: "property 'reasoning_content' is unsupported", param: 'messages.2' } },
};

type Scene = {
  script: readonly ScriptedAnswer[];
  protocol?: 'xml';
  config?: Partial<ModelConfig>;
  /** The person's note reaches the agent after this reply. */
  noteAfter?: number;
};
const FIELD = inField('reasoning_content');
const usual = thinks(FIELD, [LOOK, LOOK_ON, RENAME, END]);

export const SCENES: Readonly<Record<string, Scene>> = {
  'no reasoning': { script: [LOOK, LOOK_ON, RENAME, END] },
  reasoning_content: { script: usual },
  reasoning: { script: thinks(inField('reasoning'), [LOOK, LOOK_ON, RENAME, END]) },
  reasoning_details: { script: thinks(inDetails, [LOOK, LOOK_ON, RENAME, END]) },
  'among the words': { script: thinks(inWords, [LOOK, LOOK_ON, RENAME, END]) },
  'two calls in a reply': { script: thinks(FIELD, [BOTH, RENAME, END]) },
  'a note': { script: usual, noteAfter: 2 },
  'a note, among the words': { script: thinks(inWords, [LOOK, LOOK_ON, RENAME, END]), noteAfter: 2 },
  'an unreadable reply': {
    script: [...usual.slice(0, 2), { content: '<tool_call>', toolCalls: [] }, ...usual.slice(2)],
  },
  'never sent back': { script: usual, config: { reasoning: 'off' } },
  'never sent back, among the words': {
    script: thinks(inWords, [LOOK, LOOK_ON, RENAME, END]),
    config: { reasoning: 'off' },
  },
  'refused by the server': { script: [...usual.slice(0, 1), REFUSED, ...usual.slice(1)] },
  'calls in tags': { script: thinks(FIELD, TAGGED), protocol: 'xml' },
  'calls in tags, reasoning among the words': { script: thinks(inWords, TAGGED), protocol: 'xml' },
  'calls beside the text where they are tags': { script: usual, protocol: 'xml' },
};

const answerOf = (answer: Completion): ChatMessage => ({
  role: 'assistant',
  content: answer.content ?? '',
  ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
  ...((answer.toolCalls ?? []).length === 0
    ? {}
    : {
        tool_calls: (answer.toolCalls ?? []).map(({ id, name, arguments: written }) => ({
          id,
          type: 'function',
          function: { name, arguments: written },
        })),
      }),
  ...answer.more,
});

/** Plays a scene to its end. */
export async function playScene(name: string): Promise<ThinkingEpisode> {
  const { script, protocol = 'native', config = {}, noteAfter } = SCENES[name] ?? { script: [] };
  const left = [...script];
  const exchanges: Exchange[] = [];
  const environment = await serveEnvironment();
  let note = (): unknown => undefined;
  const server = await startOpenAiServer((body) => {
    const answer = left.shift() ?? { status: 418 };
    if (exchanges.length === noteAfter) void note();
    const { messages, tools } = body as unknown as Asked;
    if (!('status' in answer) && !('hang' in answer) && !('begin' in answer))
      exchanges.push({ messages, tools: tools ?? null, reply: answerOf(answer) });
    return answer;
  });
  const endpoint = {
    provider: 'openai',
    baseUrl: server.url,
    apiKey: null,
    model: 'm',
    apiVersion: null,
  } as const;
  const llm = createOpenAi({ ...endpoint, ...config });
  const flow = startStepIn(environment.url, createChatPolicy({ llm, seed: null }), {
    agent: { policy: 'chat', protocol, model: 'm' },
  });
  note = () =>
    flow.commands['note.send'](
      { episode: flow.id, text: 'It is the second.', timing: { first_seen_at: null, active_ms: null } },
      ME,
    );
  await flow.ended;
  await server.close();
  environment.close();
  return { name, log: flow.log, id: flow.id, exchanges };
}

/** A reply that a row trains, with all that the row has before it, and the exchange that it came from. */
export type TrainedReply = {
  scene: string;
  format: string;
  row: Asked & { reply: ChatMessage };
  asked: Exchange;
};

type MessagesRow = {
  prompt?: ChatMessage[];
  completion?: ChatMessage[];
  messages?: ChatMessage[];
  tools: unknown;
};
const isReply = ({ role }: ChatMessage): boolean => role === 'assistant';

/** Every reply that the rows of an episode train. */
export async function trainedReplies(
  { name, log, exchanges }: ThinkingEpisode,
  format: 'sft' | 'sft_messages' | 'kto',
): Promise<TrainedReply[]> {
  const { rows } = await makeRows(log, format, { verdict: 'any' });
  return (rows as MessagesRow[]).flatMap(({ prompt = [], completion = [], messages, tools }) => {
    const all = messages ?? [...prompt, ...completion];
    return all.flatMap((reply, at): TrainedReply[] => {
      if (!isReply(reply) || at < prompt.length) return [];
      const before = all.slice(0, at);
      const replies = before.filter(isReply).length;
      const asked = exchanges.findLast((one) => one.messages.filter(isReply).length === replies);
      if (asked === undefined) throw new Error(`${name}: nothing was asked for ${JSON.stringify(reply)}`);
      return [{ scene: name, format, row: { messages: before, tools, reply }, asked }];
    });
  });
}
