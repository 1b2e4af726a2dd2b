// Chat over any OpenAI-compatible endpoint and Azure: one request, one reply or one failure. Must not know: when a
// request is tried again; retrying is recorded and belongs to the caller.
import type { AzureOpenAI, OpenAI } from 'openai';
import { APIError } from 'openai/error';
import { Failure } from '../../shared/failure.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { Completion, createCollector } from './completion.ts';
import { endpointOf } from './endpoint.ts';
import {
  apiProblem,
  llmFailure,
  modelAddress,
  modelFailure,
  statusFailure,
  timeoutFailure,
} from './failures.ts';
import type { Llm, LlmReply, LlmRequest } from './port.ts';
import { type CompletionRequest, learn, NO_QUIRKS, requestBody, thoughtsSent } from './requestBody.ts';
import type { Tokens } from './tokenCommand.ts';

const DEFAULT_TIMEOUT_MS = 300_000;
/** As many as there are things to learn about one server. */
const MOST_LESSONS = 7;

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
      const [first] = thoughtsSent(config, request, quirks);
      try {
        const client = await clientNow();
        const reply = await requestCompletion(client, config, body, { ...options, timeoutMs, signal });
        return first === undefined ? reply : { ...reply, recalled: first.turn };
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

// The npm client for one endpoint: OpenAI's, a compatible one's, or Azure's, with a key or an access token.
const DEFAULT_AZURE_API_VERSION = '2024-10-21';

/** Nothing is read from the environment: two roles must not share a key, an account or an address. */
const plainClient = (config: ModelConfig) => ({
  maxRetries: 0,
  organization: null,
  project: null,
  adminAPIKey: null,
  webhookSecret: null,
  logLevel: 'off' as const,
  fetch: boundedFetch((limit) => tooLong(config, limit)),
});

const tooLong = (config: ModelConfig, limit: string): Failure =>
  modelFailure(
    config,
    'model_bad_request',
    `the model at ${modelAddress(config)} answered with over ${limit}`,
    {
      next: 'Nothing of the answer was read. Limit the output tokens in the settings, or choose another model.',
    },
  );

type Package = { OpenAI: typeof OpenAI; AzureOpenAI: typeof AzureOpenAI };

/**
 * A client of the endpoint, which sends what the configuration holds and nothing else. The package is large: it is loaded
 * for the first model that is asked.
 */
export async function openAiClient(config: ModelConfig): Promise<OpenAI> {
  const { OpenAI: Client, AzureOpenAI: AzureClient } = await import('openai');
  if (config.provider === 'openai') {
    const { base, search, basic } = endpointOf(config.baseUrl ?? 'https://api.openai.com/v1');
    if (basic !== null && config.apiKey !== null) throw twoCredentials(config);
    return new Client({
      ...plainClient(config),
      baseURL: base,
      apiKey: config.apiKey ?? 'none',
      defaultQuery: Object.fromEntries(new URLSearchParams(search)),
      // A server without a key gets no header at all.
      ...(config.apiKey === null ? { defaultHeaders: { Authorization: basic } } : {}),
    });
  }
  return azureClient(config, { OpenAI: Client, AzureOpenAI: AzureClient });
}

function azureClient(config: ModelConfig, { OpenAI: Client, AzureOpenAI: AzureClient }: Package): OpenAI {
  const { baseUrl, apiKey } = config;
  if (baseUrl === null || apiKey === null) {
    throw new Failure('model_not_configured', 'Azure OpenAI needs an endpoint and a key', {
      next: 'Set both in the settings.',
    });
  }
  const { base: address, search, basic } = endpointOf(baseUrl);
  const sent = {
    ...plainClient(config),
    defaultQuery: Object.fromEntries(new URLSearchParams(search)),
  };
  if (address.endsWith('/openai/v1')) {
    if (basic !== null) throw twoCredentials(config);
    return new Client({ ...sent, apiKey, baseURL: address });
  }
  if (config.isToken === true && basic !== null) throw twoCredentials(config);
  return new AzureClient({
    ...sent,
    ...(config.isToken === true ? { azureADTokenProvider: () => Promise.resolve(apiKey) } : { apiKey }),
    ...(basic === null ? {} : { defaultHeaders: { Authorization: basic } }),
    baseURL: address.endsWith('/openai') ? address : `${address}/openai`,
    apiVersion: config.apiVersion ?? DEFAULT_AZURE_API_VERSION,
  });
}

const twoCredentials = (config: ModelConfig): Failure =>
  new Failure(
    'model_bad_request',
    `the address of the model at ${modelAddress(config)} holds a user or password, and an API key is set: only one of them can be sent`,
    { next: 'Take the user and password out of the base URL, or remove the API key.' },
  );

/** A whole answer is parsed at once. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;
/** A stream is parsed line by line: one that names each token takes some 300 bytes a token. */
const STREAM_BYTES_MAX = 64 * 1024 * 1024;

/** `fetch`, but an answer over its limit fails with what `tooLong` says of the limit in words. */
const boundedFetch =
  (tooLong: (limit: string) => Failure) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const isStream = (answer.headers.get('content-type') ?? '').includes('event-stream');
    const body = answer.body.pipeThrough(bounded(isStream, tooLong));
    return new Response(body, answer);
  };

function bounded(
  isStream: boolean,
  tooLong: (limit: string) => Failure,
): TransformStream<Uint8Array, Uint8Array> {
  const most = isStream ? STREAM_BYTES_MAX : REPLY_BYTES_MAX;
  const mib = (bytes: number): string => `${String(bytes / 1024 / 1024)} MiB`;
  let size = 0;
  let lineSize = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      const lineEnd = isStream ? chunk.lastIndexOf(0x0a) : -1;
      lineSize = lineEnd === -1 ? lineSize + chunk.byteLength : chunk.byteLength - lineEnd - 1;
      if (size > most) throw tooLong(mib(most));
      if (lineSize > REPLY_BYTES_MAX) throw tooLong(`${mib(REPLY_BYTES_MAX)} in one line`);
      controller.enqueue(chunk);
    },
  });
}
