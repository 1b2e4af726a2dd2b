// Chat over any OpenAI-compatible endpoint and Azure: one request, one reply or one failure. Must not know: when a
// request is tried again; retrying is recorded and belongs to the caller.
import type OpenAI from 'openai';
import { APIError } from 'openai/error';
import { Failure } from '../../shared/failure.ts';
import { Completion, createCollector } from './completion.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import {
  modelAddress,
  llmFailure,
  modelFailure,
  apiProblem,
  statusFailure,
  timeoutFailure,
} from './failures.ts';
import { openAiClient } from './openAiClient.ts';
import type { Llm, LlmReply, LlmRequest } from './port.ts';
import type { Tokens } from './tokenCommand.ts';
import { type CompletionRequest, learn, NO_QUIRKS, requestBody } from './requestBody.ts';

const DEFAULT_TIMEOUT_MS = 300_000;
/** As many as there are things to learn about one server. */
const MOST_LESSONS = 6;

type OpenAiOptions = {
  timeoutMs?: number;
  stream?: boolean;
  tokens?: Tokens;
  /** Told of each piece of a stream. */
  heard?: () => void;
};

/**
 * A client of one endpoint. `timeoutMs` is how long the server may stay silent: until the whole answer, or between two
 * chunks of a stream. What a server turns out not to accept is left out from then on.
 */
export function createOpenAi(given: ModelConfig, options: OpenAiOptions = {}): Llm {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { tokens } = options;
  let made: { client: OpenAI; apiKey: string | null } | null = null;
  let quirks = NO_QUIRKS;
  /** With a token in place of a key, where one was fetched: no message may hold it. */
  let config = given;
  const clientNow = async (): Promise<OpenAI> => {
    if (tokens !== undefined) config = await tokens.withToken(given);
    if (made === null || made.apiKey !== config.apiKey) {
      made = { client: await openAiClient(config), apiKey: config.apiKey };
    }
    return made.client;
  };

  const once = async (request: LlmRequest, signal: AbortSignal): Promise<LlmReply> => {
    let isTokenRefused = false;
    for (let lessons = 0; ; lessons += 1) {
      const isStream = quirks.mustStream || (options.stream ?? false);
      const body = requestBody(config, request, quirks, isStream);
      try {
        const client = await clientNow();
        return await requestCompletion(client, config, body, { ...options, timeoutMs, signal });
      } catch (thrown) {
        if (!(thrown instanceof APIError) || lessons >= MOST_LESSONS) throw thrown;
        if (thrown.status === 401 && config.isToken === true && !isTokenRefused) {
          isTokenRefused = true;
          tokens?.forget(given);
          continue;
        }
        const lesson = learn(quirks, body, apiProblem(thrown));
        if (lesson === null) throw thrown;
        quirks = lesson;
      }
    }
  };

  return {
    model: given.model,
    complete: async (request, signal) => {
      try {
        signal.throwIfAborted();
        return await once(request, signal);
      } catch (thrown) {
        if (signal.aborted) throw new Failure('cancelled', 'the request to the model was cancelled');
        throw llmFailure(config, thrown);
      }
    },
  };
}

async function requestCompletion(
  client: OpenAI,
  config: ModelConfig,
  body: CompletionRequest,
  { timeoutMs, signal, heard }: { timeoutMs: number; signal: AbortSignal; heard?: () => void },
): Promise<LlmReply> {
  const silence = createSilence(timeoutMs);
  try {
    const any = AbortSignal.any([signal, silence.signal]);
    const sent: unknown = await client.post('/chat/completions', {
      body,
      signal: any,
      timeout: timeoutMs + 60_000,
      stream: body['stream'] === true,
    });
    const collector = createCollector(config);
    if (body['stream'] === true) {
      for await (const chunk of sent as AsyncIterable<unknown>) {
        silence.heard();
        heard?.();
        collector.add(parseCompletion(config, chunk));
      }
      // The client ends an aborted stream quietly; what came so far is not a reply.
      any.throwIfAborted();
    } else collector.add(parseCompletion(config, sent));
    return collector.reply();
  } catch (thrown) {
    if (silence.signal.aborted && !signal.aborted) throw timeoutFailure(config, timeoutMs);
    throw thrown;
  } finally {
    silence.end();
  }
}

/** Aborts when nothing was heard for too long. */
function createSilence(timeoutMs: number): { signal: AbortSignal; heard(): void; end(): void } {
  const controller = new AbortController();
  const start = (): NodeJS.Timeout => setTimeout(() => controller.abort(), timeoutMs);
  let timer = start();
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

function parseCompletion(config: ModelConfig, value: unknown): Completion {
  const answer = Completion.safeParse(value);
  if (answer.success) return answer.data;
  // Some gateways answer 200 and put the error inside.
  if (typeof value === 'object' && value !== null && 'error' in value) {
    const inside = APIError.generate(500, value, undefined, new Headers());
    throw statusFailure(config, { ...apiProblem(inside), status: statusInside(value.error) });
  }
  throw modelFailure(
    config,
    'model_bad_request',
    `${modelAddress(config)} did not answer with a chat completion`,
    {
      detail: typeof value === 'string' ? value.slice(0, 200) : null,
      next: 'Check the base URL: it usually ends in /v1.',
    },
  );
}

const statusInside = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : null;
