// Resolves a role's model from flags, a chosen profile, its own variables, those other tools share, or the settings
// file. A key goes only to the address it belongs to: shared variables are one endpoint and are taken together.
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { shownAddress } from '../../shared/redact/address.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** A value, and what it was read from as it is shown: a flag, a variable, `settings`, a profile. */
type Said = { value: string; from: string };
/**
 * `tokenCommand` prints an access token; `tokenFrom` is the name under which a command beside hands access tokens over.
 */
const FIELDS = ['provider', 'baseUrl', 'apiKey', 'model', 'apiVersion', 'tokenCommand', 'tokenFrom'] as const;
export type ModelField = (typeof FIELDS)[number];
/** Values from one source. */
export type ModelSource = { readonly [F in ModelField]?: Said | undefined };

/** The model in force for a role; null where nobody says it. */
export type ResolvedModel = Record<Exclude<ModelField, 'provider'>, string | null> & {
  provider: ModelConfig['provider'];
  key: 'none' | 'environment' | 'stored';
  from: { readonly [F in ModelField]?: string | undefined };
  reasoning: 'auto' | 'off';
};

/** A source whose every value comes from the same place, or from a place named after the field. */
export const sourceOf = (
  values: { readonly [F in ModelField]?: string | null | undefined },
  nameOf: (field: ModelField) => string,
): ModelSource =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = values[field] ?? null;
      return value === null ? [] : [[field, { value, from: nameOf(field) }]];
    }),
  );

/** The first of these variables that is set. */
function firstSet(variables: Variables, ...names: readonly string[]): Said | undefined {
  for (const from of names) {
    const value = variables[from]?.trim() ?? '';
    if (value !== '') return { value, from };
  }
  return undefined;
}

/**
 * The role's own variables: `INTERJECT_AGENT_…` or `INTERJECT_EXPERT_…`, and for the model's name what the
 * expert-in-the-loop recipe calls it, `AWM_AGENT_MODEL` or `AWM_EXPERT_MODEL`.
 */
export function ownSource(variables: Variables, role: ModelRole): ModelSource {
  const prefix = `INTERJECT_${role.toUpperCase()}`;
  const read = (name: string): Said | undefined => firstSet(variables, `${prefix}_${name}`);
  const provider = read('PROVIDER')?.value.toLowerCase();
  return {
    ...(provider === 'azure' || provider === 'openai'
      ? { provider: { value: provider, from: `${prefix}_PROVIDER` } }
      : {}),
    baseUrl: read('BASE_URL'),
    apiKey: read('API_KEY'),
    model: firstSet(variables, `${prefix}_MODEL`, `AWM_${role.toUpperCase()}_MODEL`),
    apiVersion: read('API_VERSION'),
    tokenCommand: read('TOKEN_COMMAND'),
  };
}

/** Recipes' names of an Azure deployment that is not a role's own, most specific first. */
const DEPLOYMENT_NAMES = ['AZURE_OPENAI_REASONING_NAME', 'AZURE_OPENAI_MODEL'];

/**
 * The first shared endpoint that is set: for the expert `AZURE_OPENAI_EXPERT_…`, else as for the agent
 * `AZURE_OPENAI_…`, then `OPENAI_…`. The order is that of the expert-in-the-loop recipe.
 */
export function sharedSource(variables: Variables, role: ModelRole): ModelSource | null {
  const azure = (prefix: string): ModelSource | null => {
    const baseUrl = firstSet(variables, `${prefix}_ENDPOINT`);
    if (baseUrl === undefined) return null;
    const versions = [`${prefix}_API_VERSION`, 'AZURE_OPENAI_API_VERSION', 'OPENAI_API_VERSION'];
    return {
      provider: { value: 'azure', from: baseUrl.from },
      baseUrl,
      apiKey: firstSet(variables, `${prefix}_API_KEY`),
      model: firstSet(variables, `${prefix}_DEPLOYMENT`, ...DEPLOYMENT_NAMES),
      apiVersion: firstSet(variables, ...versions),
      tokenCommand: firstSet(variables, `${prefix}_TOKEN_COMMAND`),
    };
  };
  const baseUrl = firstSet(variables, 'OPENAI_BASE_URL');
  const apiKey = firstSet(variables, 'OPENAI_API_KEY');
  const from = variables['OPENAI_BASE_URL'] === undefined ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL';
  const model = firstSet(variables, 'OPENAI_MODEL', ...DEPLOYMENT_NAMES);
  const openAi =
    (baseUrl ?? apiKey) === undefined
      ? null
      : { provider: { value: 'openai', from }, baseUrl, apiKey, model };
  return role === 'agent'
    ? (azure('AZURE_OPENAI') ?? openAi)
    : (azure('AZURE_OPENAI_EXPERT') ?? openAi ?? azure('AZURE_OPENAI'));
}

type Sources = {
  /** What the command line says. */
  flags: ModelSource;
  own: ModelSource;
  shared?: ModelSource | null;
  file?: ModelSource;
  /** The key kept for this role. */
  stored?: () => string | null;
  reasoning?: ResolvedModel['reasoning'] | null | undefined;
};

/** Resolves a role's model, field by field where fields may be mixed. */
export function resolve({ flags, reasoning, ...sources }: Sources): ResolvedModel {
  // A key of another address never goes to one that was typed on the command line.
  const {
    own: role,
    shared = null,
    file = {},
    stored = () => null,
  } = flags.baseUrl === undefined
    ? sources
    : { own: { model: sources.own.model }, file: { model: sources.file?.model } };
  const own = over(flags, role);
  const usesShared = own.baseUrl === undefined && shared !== null && isInForce(shared, own, file);
  const base = usesShared ? shared : file;
  const baseUrl = own.baseUrl ?? base.baseUrl;
  // What comes without an address goes with the base's; a provider or a command of another address does not.
  const [provider, tokenCommand] = (['provider', 'tokenCommand'] as const).map(
    (field) => own[field] ?? (own.baseUrl === undefined ? base[field] : undefined),
  );
  // Whoever hands tokens over found no key.
  const given =
    flags.tokenFrom === undefined ? (own.apiKey ?? (usesShared ? shared.apiKey : undefined)) : undefined;
  const token = given === undefined ? (flags.tokenFrom ?? tokenCommand) : undefined;
  const kept = given === undefined && !usesShared && token === undefined ? stored() : null;
  const said: ModelSource = {
    provider,
    baseUrl,
    model: own.model ?? base.model ?? file.model,
    apiVersion: own.apiVersion ?? base.apiVersion ?? file.apiVersion,
    apiKey: given ?? (kept === null ? undefined : { value: kept, from: 'settings' }),
    tokenCommand: token === tokenCommand ? token : undefined,
  };
  const value = (field: ModelField): string | null => said[field]?.value ?? null;
  return {
    provider:
      (value('provider') ?? (isAzure(value('baseUrl')) ? 'azure' : 'openai')) === 'azure'
        ? 'azure'
        : 'openai',
    baseUrl: value('baseUrl'),
    model: value('model'),
    apiVersion: value('apiVersion'),
    apiKey: value('apiKey'),
    tokenCommand: value('tokenCommand'),
    tokenFrom: flags.tokenFrom?.value ?? null,
    reasoning: reasoning ?? 'auto',
    key: given !== undefined ? 'environment' : kept !== null ? 'stored' : 'none',
    from: Object.fromEntries(FIELDS.map((field) => [field, said[field]?.from])),
  };
}

const over = (upper: ModelSource, lower: ModelSource): ModelSource =>
  Object.fromEntries(FIELDS.map((field) => [field, upper[field] ?? lower[field]]));

const isAzure = (address: string | null): boolean =>
  address !== null && /^https?:\/\/[^/]*\.azure\.(com|us|cn)(?:[:/]|$)/i.test(address);

/**
 * A shared key without an address means the provider's own address. It does not displace an address that somebody
 * entered for this role, and it is never sent there.
 */
const isInForce = (shared: ModelSource, own: ModelSource, file: ModelSource): boolean =>
  shared.baseUrl !== undefined ||
  (file.baseUrl === undefined && own.provider?.value !== 'azure' && file.provider?.value !== 'azure');

/** A configuration that can be called, or null while the model's name or a way to reach it is missing. */
export function modelConfig(resolved: ResolvedModel): ModelConfig | null {
  const { provider, baseUrl, apiKey, model, apiVersion, tokenCommand, tokenFrom, reasoning } = resolved;
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
    ...(reasoning === 'off' ? { reasoning } : {}),
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
