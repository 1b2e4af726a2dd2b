// Where a request for the agent's model goes. Pure.
import type { ModelConfig } from '../../../shared/modelConfig.ts';
import { endpointOf } from '../../llm/endpoint.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
const AZURE_AGENT_API_VERSION = '2024-10-21';

/** The address of a path below `/v1`, in the words of its provider. */
export function agentAddress(
  { provider, baseUrl, model, apiVersion }: ModelConfig,
  path: string,
  search: string,
): string {
  const { base, search: own } = endpointOf(baseUrl ?? OPENAI_URL);
  const query = (...parts: string[]): string => {
    const given = parts.map((part) => part.replace(/^\?/, '')).filter((part) => part !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  };
  if (provider === 'openai' || base.endsWith('/openai/v1')) return `${base}${path}${query(search, own)}`;
  const root = base.endsWith('/openai') ? base : `${base}/openai`;
  const version = `api-version=${encodeURIComponent(apiVersion ?? AZURE_AGENT_API_VERSION)}`;
  return `${root}/deployments/${encodeURIComponent(model)}${path}${query(version, own)}`;
}
