// Where a role's model comes from: flags, its own variables, the variables other tools share, the settings file. A
// key goes only to the address it belongs to: shared variables are one endpoint and are taken together.
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { shownAddress } from '../../shared/redact/address.ts';

export type Variables = Readonly<Record<string, string | undefined>>;
/** What one source says; null where it says nothing. */
export type ModelSource = {
  provider: ModelConfig['provider'] | null;
  baseUrl: string | null;
  apiKey: string | null;
  model: string | null;
  apiVersion: string | null;
};
export const NO_MODEL_SOURCE: ModelSource = {
  provider: null,
  baseUrl: null,
  apiKey: null,
  model: null,
  apiVersion: null,
};

export type ResolvedModel = ModelSource & {
  provider: ModelConfig['provider'];
  key: 'none' | 'environment' | 'stored';
};

const value = (variables: Variables, name: string): string | null => {
  const text = variables[name]?.trim() ?? '';
  return text === '' ? null : text;
};

const providerOf = (text: string | null): ModelConfig['provider'] | null =>
  text === 'azure' || text === 'openai' ? text : null;

/** The role's own variables, `INTERJECT_AGENT_…` or `INTERJECT_EXPERT_…`. */
export function ownSource(variables: Variables, role: ModelRole): ModelSource {
  const read = (name: string): string | null => value(variables, `INTERJECT_${role.toUpperCase()}_${name}`);
  return {
    provider: providerOf(read('PROVIDER')?.toLowerCase() ?? null),
    baseUrl: read('BASE_URL'),
    apiKey: read('API_KEY'),
    model: read('MODEL'),
    apiVersion: read('API_VERSION'),
  };
}

/**
 * The first shared endpoint that is set: for the expert `AZURE_OPENAI_EXPERT_…`, else as for the agent
 * `AZURE_OPENAI_…`, then `OPENAI_…`. The order is that of the expert-in-the-loop recipe.
 */
export function sharedSource(variables: Variables, role: ModelRole): ModelSource | null {
  const azure = (prefix: string): ModelSource | null => {
    const endpoint = value(variables, `${prefix}_ENDPOINT`);
    if (endpoint === null) return null;
    return {
      provider: 'azure',
      baseUrl: endpoint,
      apiKey: value(variables, `${prefix}_API_KEY`),
      model: value(variables, `${prefix}_DEPLOYMENT`),
      apiVersion:
        value(variables, `${prefix}_API_VERSION`) ??
        value(variables, 'AZURE_OPENAI_API_VERSION') ??
        value(variables, 'OPENAI_API_VERSION'),
    };
  };
  const open: ModelSource = {
    provider: 'openai',
    baseUrl: value(variables, 'OPENAI_BASE_URL'),
    apiKey: value(variables, 'OPENAI_API_KEY'),
    model: value(variables, 'OPENAI_MODEL'),
    apiVersion: null,
  };
  const openAi = open.apiKey === null && open.baseUrl === null ? null : open;
  return role === 'agent'
    ? (azure('AZURE_OPENAI') ?? openAi)
    : (azure('AZURE_OPENAI_EXPERT') ?? openAi ?? azure('AZURE_OPENAI'));
}

type Sources = {
  /** Flags over the role's own variables. */
  own: ModelSource;
  shared: ModelSource | null;
  file: ModelSource;
  /** The key kept for this role. */
  stored: () => string | null;
};

/** What is in force for a role, field by field where fields may be mixed. */
export function resolve({ own, shared, file, stored }: Sources): ResolvedModel {
  const usesShared = own.baseUrl === null && shared !== null && isInForce(shared, own, file);
  const base = usesShared ? shared : file;
  const baseUrl = own.baseUrl ?? base.baseUrl;
  // An address that comes without a provider speaks for itself; a provider of another address does not.
  const named = own.provider ?? (own.baseUrl === null ? base.provider : null);
  const provider = named ?? (isAzure(baseUrl) ? 'azure' : 'openai');
  const fromVariables = own.apiKey ?? (usesShared ? shared.apiKey : null);
  const kept = fromVariables === null && !usesShared ? stored() : null;
  return {
    provider,
    baseUrl,
    model: own.model ?? (usesShared ? shared.model : null) ?? file.model,
    apiVersion: own.apiVersion ?? base.apiVersion ?? (usesShared ? file.apiVersion : null),
    apiKey: fromVariables ?? kept,
    key: fromVariables !== null ? 'environment' : kept !== null ? 'stored' : 'none',
  };
}

const isAzure = (address: string | null): boolean =>
  address !== null && /^https?:\/\/[^/]*\.azure\.(com|us|cn)(?:[:/]|$)/i.test(address);

/**
 * A shared key without an address means the provider's own address. It does not displace an address that somebody
 * entered for this role, and it is never sent there.
 */
const isInForce = (shared: ModelSource, own: ModelSource, file: ModelSource): boolean =>
  shared.baseUrl !== null || (file.baseUrl === null && own.provider !== 'azure' && file.provider !== 'azure');

/** A configuration that can be called, or null while the model's name or a way to reach it is missing. */
export function modelConfig({
  provider,
  baseUrl,
  apiKey,
  model,
  apiVersion,
}: ResolvedModel): ModelConfig | null {
  if (model === null) return null;
  const isReachable =
    provider === 'azure' ? baseUrl !== null && apiKey !== null : baseUrl !== null || apiKey !== null;
  return isReachable ? { provider, baseUrl, apiKey, model, apiVersion } : null;
}

/** Half a configuration is the usual mistake: it says what is missing. */
export function incomplete(role: ModelRole, resolved: ResolvedModel): string[] {
  if (modelConfig(resolved) !== null) return [];
  const { provider, baseUrl, model, apiKey } = resolved;
  if (model !== null && provider === 'azure' && (baseUrl === null || apiKey === null)) {
    return [`The ${role} model ${model} is not used: Azure needs an endpoint and a key.`];
  }
  if (model !== null)
    return [`The ${role} model ${model} is not used: it has neither an API key nor a base URL.`];
  if (baseUrl !== null)
    return [`The ${role} model at ${shownAddress(baseUrl)} is not used: no model name is set.`];
  return [];
}
