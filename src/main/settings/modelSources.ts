// Where a role's model comes from: flags, a chosen profile, its own variables, the variables other tools share, the
// settings file. A key goes only to the address it belongs to: shared variables are one endpoint and are taken together.
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
  /** A command that prints an access token. */
  tokenCommand: string | null;
  /** The name under which a command beside hands access tokens over. */
  tokenFrom: string | null;
  /** What each field was read from, as it is shown: a flag, a variable, `settings`, a profile. */
  from: Partial<Record<ModelField, string>>;
};
const FIELDS = ['provider', 'baseUrl', 'apiKey', 'model', 'apiVersion', 'tokenCommand', 'tokenFrom'] as const;
export type ModelField = (typeof FIELDS)[number];
export const NO_MODEL_SOURCE: ModelSource = {
  provider: null,
  baseUrl: null,
  apiKey: null,
  model: null,
  apiVersion: null,
  tokenCommand: null,
  tokenFrom: null,
  from: {},
};

export type ResolvedModel = ModelSource & {
  provider: ModelConfig['provider'];
  key: 'none' | 'environment' | 'stored';
};

/** A source whose every value comes from the same place, or from a place named after the field. */
export const sourceOf = (
  values: { [F in ModelField]?: ModelSource[F] | undefined },
  nameOf: (field: ModelField) => string,
): ModelSource => ({
  provider: values.provider ?? null,
  baseUrl: values.baseUrl ?? null,
  apiKey: values.apiKey ?? null,
  model: values.model ?? null,
  apiVersion: values.apiVersion ?? null,
  tokenCommand: values.tokenCommand ?? null,
  tokenFrom: values.tokenFrom ?? null,
  from: Object.fromEntries(
    FIELDS.flatMap((field) => ((values[field] ?? null) === null ? [] : [[field, nameOf(field)]])),
  ),
});

type Found = { value: string; from: string } | null;

/** The first of these variables that is set. */
function firstSet(variables: Variables, ...names: readonly string[]): Found {
  for (const from of names) {
    const value = variables[from]?.trim() ?? '';
    if (value !== '') return { value, from };
  }
  return null;
}

/** A source of variables, each with the name it was found under. */
function foundSource(
  found: Record<Exclude<ModelField, 'provider' | 'tokenFrom'>, Found>,
  provider: ModelConfig['provider'] | null,
  providerFrom: string,
): ModelSource {
  const { baseUrl, apiKey, model, apiVersion, tokenCommand } = found;
  const values = {
    provider,
    baseUrl: baseUrl?.value ?? null,
    apiKey: apiKey?.value ?? null,
    model: model?.value ?? null,
    apiVersion: apiVersion?.value ?? null,
    tokenCommand: tokenCommand?.value ?? null,
  };
  return sourceOf(values, (field) =>
    field === 'provider' || field === 'tokenFrom' ? providerFrom : (found[field]?.from ?? ''),
  );
}

const providerOf = (text: string | null): ModelConfig['provider'] | null =>
  text === 'azure' || text === 'openai' ? text : null;

/**
 * The role's own variables: `INTERJECT_AGENT_…` or `INTERJECT_EXPERT_…`, and for the model's name what the
 * expert-in-the-loop recipe calls it, `AWM_AGENT_MODEL` or `AWM_EXPERT_MODEL`.
 */
export function ownSource(variables: Variables, role: ModelRole): ModelSource {
  const prefix = `INTERJECT_${role.toUpperCase()}`;
  const read = (name: string): Found => firstSet(variables, `${prefix}_${name}`);
  return foundSource(
    {
      baseUrl: read('BASE_URL'),
      apiKey: read('API_KEY'),
      model: firstSet(variables, `${prefix}_MODEL`, `AWM_${role.toUpperCase()}_MODEL`),
      apiVersion: read('API_VERSION'),
      tokenCommand: read('TOKEN_COMMAND'),
    },
    providerOf(read('PROVIDER')?.value.toLowerCase() ?? null),
    `${prefix}_PROVIDER`,
  );
}

/** What recipes call an Azure deployment that is not a role's own, most specific first. */
const DEPLOYMENT_NAMES = ['AZURE_OPENAI_REASONING_NAME', 'AZURE_OPENAI_MODEL'];

/**
 * The first shared endpoint that is set: for the expert `AZURE_OPENAI_EXPERT_…`, else as for the agent
 * `AZURE_OPENAI_…`, then `OPENAI_…`. The order is that of the expert-in-the-loop recipe.
 */
export function sharedSource(variables: Variables, role: ModelRole): ModelSource | null {
  const azure = (prefix: string): ModelSource | null => {
    const baseUrl = firstSet(variables, `${prefix}_ENDPOINT`);
    if (baseUrl === null) return null;
    return foundSource(
      {
        baseUrl,
        apiKey: firstSet(variables, `${prefix}_API_KEY`),
        model: firstSet(variables, `${prefix}_DEPLOYMENT`, ...DEPLOYMENT_NAMES),
        apiVersion: firstSet(
          variables,
          `${prefix}_API_VERSION`,
          'AZURE_OPENAI_API_VERSION',
          'OPENAI_API_VERSION',
        ),
        tokenCommand: firstSet(variables, `${prefix}_TOKEN_COMMAND`),
      },
      'azure',
      baseUrl.from,
    );
  };
  const open = foundSource(
    {
      baseUrl: firstSet(variables, 'OPENAI_BASE_URL'),
      apiKey: firstSet(variables, 'OPENAI_API_KEY'),
      model: firstSet(variables, 'OPENAI_MODEL', ...DEPLOYMENT_NAMES),
      apiVersion: null,
      tokenCommand: null,
    },
    'openai',
    variables['OPENAI_BASE_URL'] === undefined ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL',
  );
  const openAi = open.apiKey === null && open.baseUrl === null ? null : open;
  return role === 'agent'
    ? (azure('AZURE_OPENAI') ?? openAi)
    : (azure('AZURE_OPENAI_EXPERT') ?? openAi ?? azure('AZURE_OPENAI'));
}

type Sources = {
  /** What the command line says. */
  flags?: ModelSource;
  own: ModelSource;
  shared: ModelSource | null;
  file: ModelSource;
  /** The key kept for this role. */
  stored: () => string | null;
};

/** What is in force for a role, field by field where fields may be mixed. */
export function resolve({ flags = NO_MODEL_SOURCE, own, shared, file, stored }: Sources): ResolvedModel {
  // A key of another address never goes to one that was typed on the command line.
  if (flags.baseUrl !== null) {
    return resolveOver(flags, {
      own: { ...NO_MODEL_SOURCE, model: own.model, from: own.from },
      shared: null,
      file: { ...NO_MODEL_SOURCE, model: file.model, from: file.from },
      stored: () => null,
    });
  }
  return resolveOver(flags, { own, shared, file, stored });
}

function resolveOver(flags: ModelSource, { own: role, shared, file, stored }: Omit<Sources, 'flags'>) {
  const own = over(flags, role);
  const usesShared = own.baseUrl === null && shared !== null && isInForce(shared, own, file);
  const base = usesShared ? shared : file;
  const baseUrl = own.baseUrl ?? base.baseUrl;
  // An address that comes without a provider speaks for itself; a provider of another address does not.
  const named = own.provider ?? (own.baseUrl === null ? base.provider : null);
  const provider = named ?? (isAzure(baseUrl) ? ('azure' as const) : ('openai' as const));
  const { tokenFrom } = flags;
  // Whoever hands tokens over found no key.
  const fromVariables = tokenFrom === null ? (own.apiKey ?? (usesShared ? shared.apiKey : null)) : null;
  // A command of another address is not run for this one.
  const tokenCommand = own.tokenCommand ?? (own.baseUrl === null ? base.tokenCommand : null);
  const usesToken = fromVariables === null && (tokenFrom ?? tokenCommand) !== null;
  const kept = fromVariables === null && !usesShared && !usesToken ? stored() : null;
  const model = own.model ?? (usesShared ? shared.model : null) ?? file.model;
  const apiVersion = own.apiVersion ?? base.apiVersion ?? (usesShared ? file.apiVersion : null);
  const resolved = { provider, baseUrl, model, apiVersion, apiKey: fromVariables ?? kept };
  const from = whence({ ...resolved, provider: named }, [own, base, file]);
  return {
    ...resolved,
    tokenCommand: usesToken && tokenFrom === null ? tokenCommand : null,
    tokenFrom,
    key:
      fromVariables !== null
        ? ('environment' as const)
        : kept !== null
          ? ('stored' as const)
          : ('none' as const),
    from: {
      ...from,
      ...(kept === null ? {} : { apiKey: 'settings' }),
      ...(usesToken && tokenFrom === null
        ? { tokenCommand: own.from.tokenCommand ?? base.from.tokenCommand ?? '' }
        : {}),
    },
  };
}

/** The first source in order that says the value which is in force. */
function whence(
  values: Partial<Record<ModelField, string | null>>,
  sources: readonly ModelSource[],
): ModelSource['from'] {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = values[field] ?? null;
      const source = value === null ? undefined : sources.find((one) => one[field] === value);
      const name = source?.from[field];
      return name === undefined ? [] : [[field, name]];
    }),
  );
}

export const over = (upper: ModelSource, lower: ModelSource): ModelSource => ({
  provider: upper.provider ?? lower.provider,
  baseUrl: upper.baseUrl ?? lower.baseUrl,
  apiKey: upper.apiKey ?? lower.apiKey,
  model: upper.model ?? lower.model,
  apiVersion: upper.apiVersion ?? lower.apiVersion,
  tokenCommand: upper.tokenCommand ?? lower.tokenCommand,
  tokenFrom: upper.tokenFrom ?? lower.tokenFrom,
  from: { ...lower.from, ...upper.from },
});

const isAzure = (address: string | null): boolean =>
  address !== null && /^https?:\/\/[^/]*\.azure\.(com|us|cn)(?:[:/]|$)/i.test(address);

/**
 * A shared key without an address means the provider's own address. It does not displace an address that somebody
 * entered for this role, and it is never sent there.
 */
const isInForce = (shared: ModelSource, own: ModelSource, file: ModelSource): boolean =>
  shared.baseUrl !== null || (file.baseUrl === null && own.provider !== 'azure' && file.provider !== 'azure');

/** A configuration that can be called, or null while the model's name or a way to reach it is missing. */
export function modelConfig(resolved: ResolvedModel): ModelConfig | null {
  const { provider, baseUrl, apiKey, model, apiVersion, tokenCommand, tokenFrom } = resolved;
  if (model === null) return null;
  const hasCredentials = apiKey !== null || tokenCommand !== null || tokenFrom !== null;
  const isReachable =
    provider === 'azure' ? baseUrl !== null && hasCredentials : baseUrl !== null || hasCredentials;
  if (!isReachable) return null;
  return {
    provider,
    baseUrl,
    apiKey,
    model,
    apiVersion,
    ...(tokenCommand === null ? {} : { tokenCommand }),
    ...(tokenFrom === null ? {} : { tokenFrom }),
  };
}

/** Half a configuration is the usual mistake: it says what is missing. */
export function incomplete(role: ModelRole, resolved: ResolvedModel): string[] {
  if (modelConfig(resolved) !== null) return [];
  const { provider, baseUrl, model } = resolved;
  if (model !== null && provider === 'azure') {
    return [
      `The ${role} model ${model} is not used: Azure needs an endpoint and a key, or a command that prints a token.`,
    ];
  }
  if (model !== null)
    return [`The ${role} model ${model} is not used: it has neither an API key nor a base URL.`];
  if (baseUrl !== null)
    return [`The ${role} model at ${shownAddress(baseUrl)} is not used: no model name is set.`];
  return [];
}
