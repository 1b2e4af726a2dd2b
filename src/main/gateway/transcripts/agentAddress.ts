// Owns: where a request for the agent's model goes. Pure.
import type { ModelConfig } from '../../../shared/modelConfig.ts';

const OPENAI = 'https://api.openai.com/v1';
const AZURE_API_VERSION = '2024-10-21';

/** The address of a path below `/v1`, in the words of its provider. */
export function agentAddress(
  { provider, baseUrl, model, apiVersion }: ModelConfig,
  path: string,
  search: string,
): string {
  const base = (baseUrl ?? OPENAI).replace(/\/+$/, '');
  if (provider === 'openai' || base.endsWith('/openai/v1')) return `${base}${path}${search}`;
  const root = base.endsWith('/openai') ? base : `${base}/openai`;
  const version = `api-version=${encodeURIComponent(apiVersion ?? AZURE_API_VERSION)}`;
  return `${root}/deployments/${encodeURIComponent(model)}${path}?${version}`;
}
