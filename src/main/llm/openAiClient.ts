// The npm client for one endpoint: OpenAI's, a compatible one's, or Azure's, with a key or an access token.
import type { OpenAI, AzureOpenAI } from 'openai';
import { Failure } from '../../shared/failure.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { endpointOf } from './endpoint.ts';
import { modelAddress, modelFailure } from './failures.ts';
import { boundedFetch } from './boundedFetch.ts';

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
