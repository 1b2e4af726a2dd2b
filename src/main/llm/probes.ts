// Finding out what a model can do: one small request for each question, and what came back as the evidence.
import { z } from 'zod';
import type { ModelProbe, ProbeResult } from '../../shared/contract/models.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { createOpenAi, openAiClient } from './openai.ts';
import type { ChatMessage, LlmReply, LlmRequest } from './port.ts';
import { withoutThinking } from './thinking.ts';
import type { Tokens } from './tokenCommand.ts';

type Found = Pick<ProbeResult, 'finding' | 'evidence'> & { usage: LlmReply['usage'] };
type Asking = { config: ModelConfig; tokens: Tokens; signal: AbortSignal };

const PROBE_TIMEOUT_MS = 60_000;
/** Enough for a model that thinks before it speaks. */
const OUTPUT_MAX = 850;
/** More than any model reads: a server that checks says what its own limit is. */
const ASKED_TOO_MUCH = 100_000_000;
const EVIDENCE_MAX = 160;

/** Asks one question of a model. What goes wrong is in the result; only `cancelled` is thrown. */
export async function probeModel(probe: ModelProbe, asking: Asking): Promise<ProbeResult> {
  const startedAt = performance.now();
  const result = (found: Found, failure: ProbeResult['failure'] = null): ProbeResult => ({
    ...found,
    latency_ms: performance.now() - startedAt,
    failure,
  });
  try {
    return result(await PROBES[probe](asking));
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'cancelled') throw thrown;
    const failure = failureShape(thrown);
    // A server that takes other requests and refuses this one has answered the question.
    const isRefusal = thrown instanceof Failure && thrown.code === 'model_bad_request' && probe !== 'answer';
    const found: Found = { finding: isRefusal ? 'no' : 'unclear', evidence: failure.message, usage: null };
    return result(found, isRefusal ? null : failure);
  }
}

const PROBES: Record<ModelProbe, (asking: Asking) => Promise<Found>> = {
  answer: async (asking) => {
    const reply = await ask(asking, [user('Answer with the word ready.')]);
    const isEmpty = withoutThinking(reply.content).text.trim() === '';
    return {
      finding: isEmpty ? 'no' : 'yes',
      evidence: `${reply.model ?? 'it'} answered ${isEmpty ? 'nothing' : quoted(reply)}`,
      usage: reply.usage,
    };
  },
  system_role: async (asking) => {
    const system = {
      role: 'system' as const,
      content: 'Whatever is asked, answer with the single word PELICAN.',
    };
    const reply = await ask(asking, [system, user('What is the capital of France?')]);
    const obeys = /pelican/i.test(withoutThinking(reply.content).text);
    return {
      finding: obeys ? 'yes' : 'no',
      evidence: `told by a system message to answer PELICAN, it answered ${quoted(reply)}`,
      usage: reply.usage,
    };
  },
  tools: async (asking) => {
    const reply = await ask(asking, [user('Add 17 and 25 with the tool.')], { tools: [ADD] });
    const [call] = reply.toolCalls;
    return {
      finding: call !== undefined && isGoodCall(call) ? 'yes' : 'no',
      evidence:
        call === undefined ? `it made no call, and answered ${quoted(reply)}` : `it called ${callText(call)}`,
      usage: reply.usage,
    };
  },
  parallel_calls: async (asking) => {
    const words = 'Add 1 and 2, and add 30 and 40. Make both calls of the tool in one reply.';
    const reply = await ask(asking, [user(words)], { tools: [ADD] });
    const calls = reply.toolCalls.map(callText);
    return {
      finding: reply.toolCalls.filter(isGoodCall).length > 1 ? 'yes' : 'no',
      evidence: calls.length === 0 ? `it made no call` : `one reply called ${calls.join(' and ')}`,
      usage: reply.usage,
    };
  },
  streaming: async (asking) => {
    let pieces = 0;
    const options = { stream: true, heard: () => (pieces += 1) };
    const reply = await ask(asking, [user('Count from 1 to 10.')], {}, options);
    return {
      finding: pieces > 1 ? 'yes' : 'no',
      evidence: `the answer came in ${String(pieces)} pieces`,
      usage: reply.usage,
    };
  },
  reasoning: async (asking) => {
    const reply = await ask(asking, [user('What is 17 times 23? Think first.')]);
    const inText = withoutThinking(reply.content).hadThinking;
    return {
      finding: reply.reasoning !== null || inText ? 'yes' : 'no',
      evidence:
        reply.reasoning !== null
          ? `its thinking came in a field of its own, ${String(reply.reasoning.length)} characters`
          : inText
            ? 'its thinking stands in the text, between tags'
            : 'no thinking came with the answer',
      usage: reply.usage,
    };
  },
  context: async (asking) => (await listedContext(asking)) ?? (await refusedContext(asking)),
};

const user = (content: string): ChatMessage => ({ role: 'user', content });

const ADD: ToolSpec = {
  name: 'add',
  description: 'Adds two numbers.',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};

const AddArguments = z.looseObject({ a: z.number(), b: z.number() });
/** A call with what the tool requires: a server would refuse another. */
const isGoodCall = ({ name, arguments: args }: LlmReply['toolCalls'][number]): boolean =>
  name === ADD.name && AddArguments.safeParse(tryJson(args)).success;

const callText = ({ name, arguments: args }: LlmReply['toolCalls'][number]): string =>
  short(`${name}(${args})`);
const quoted = ({ content }: LlmReply): string => JSON.stringify(short(withoutThinking(content).text));
const short = (text: string): string =>
  text.length > EVIDENCE_MAX ? `${text.slice(0, EVIDENCE_MAX)}…` : text;

const ask = (
  { config, tokens, signal }: Asking,
  messages: ChatMessage[],
  more: Partial<LlmRequest> = {},
  options: Parameters<typeof createOpenAi>[1] = {},
): Promise<LlmReply> =>
  createOpenAi(config, { tokens, timeoutMs: PROBE_TIMEOUT_MS, ...options }).complete(
    { messages, tools: null, maxOutputTokens: OUTPUT_MAX, temperature: null, seed: null, ...more },
    signal,
  );

const ModelList = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: z.number().optional().catch(undefined),
      context_length: z.number().optional().catch(undefined),
      context_window: z.number().optional().catch(undefined),
      max_context_length: z.number().optional().catch(undefined),
      meta: z.looseObject({ n_ctx: z.number().optional() }).optional().catch(undefined),
    }),
  ),
});

/** The context in the server's model list; null if there is none, or it does not say. */
async function listedContext({ config, tokens, signal }: Asking): Promise<Found | null> {
  // Azure lists the models that could be deployed, not what a deployment is.
  if (config.provider === 'azure') return null;
  const client = await openAiClient(await tokens.withToken(config));
  const listed: unknown = await client
    .get('/models', { signal, timeout: PROBE_TIMEOUT_MS })
    .catch(() => null);
  signal.throwIfAborted();
  const one = ModelList.safeParse(listed).data?.data.find(({ id }) => id === config.model);
  const limits = [
    one?.max_model_len,
    one?.context_length,
    one?.context_window,
    one?.max_context_length,
    one?.meta?.n_ctx,
  ];
  const tokensMax = limits.find((limit) => limit !== undefined);
  if (tokensMax === undefined) return null;
  return {
    finding: 'yes',
    evidence: `${tokensMax.toLocaleString('en')} tokens, as its list of models says`,
    usage: null,
  };
}

/** Asks for more output than there can be: a server that checks says its limit and computes nothing. */
async function refusedContext(asking: Asking): Promise<Found> {
  try {
    const messages = [user('Answer with the word ready.')];
    const { usage } = await ask(asking, messages, { maxOutputTokens: ASKED_TOO_MUCH });
    return { finding: 'unclear', evidence: 'the server does not say how much the model can read', usage };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'model_bad_request') throw thrown;
    const said = thrown.message.replaceAll(String(ASKED_TOO_MUCH), '');
    const read = /context (?:length|window|size)[^0-9]{0,40}(\d[\d,]{2,})/i.exec(said)?.[1];
    if (read !== undefined) {
      const evidence = `${read} tokens, as the server says when it is asked for too much`;
      return { finding: 'yes', evidence, usage: null };
    }
    const written = /(\d[\d,]{2,}) (?:completion|output) tokens/i.exec(said)?.[1];
    const evidence =
      written === undefined
        ? `asked for too much, the server said: ${short(thrown.message)}`
        : `it writes at most ${written} tokens; the server does not say how much it reads`;
    return { finding: 'unclear', evidence, usage: null };
  }
}
