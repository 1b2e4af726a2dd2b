// One client per endpoint, so that what was learned about a server is kept from one request to the next.
import type { ModelRole } from '../../shared/modelConfig.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import type { Llm } from './port.ts';

/** The client of a role, or of a named profile in its place; null while none is configured. */
export type ModelOf = (role: ModelRole, profile?: string) => Llm | null;

/** The role's client as it is configured now, or null. Roles that share an endpoint share what was learned. */
export function createModels(
  config: (role: ModelRole, profile?: string) => ModelConfig | null,
  create: (config: ModelConfig) => Llm,
): ModelOf {
  const clients = new Map<string, Llm>();
  return (role, profile) => {
    const wanted = config(role, profile);
    if (wanted === null) return null;
    const key = JSON.stringify([
      wanted.provider,
      wanted.baseUrl,
      wanted.apiKey,
      wanted.model,
      wanted.apiVersion,
      wanted.tokenCommand,
      wanted.tokenFrom,
    ]);
    const client = clients.get(key) ?? create(wanted);
    clients.set(key, client);
    return client;
  };
}
