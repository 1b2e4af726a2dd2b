// The settings and the order they come in: flag, environment variable, file, default. Must not know: who reads them.
// Keys are in the secrets, never in the file.
import { join } from 'node:path';
import { z } from 'zod';
import { ReasoningBack } from '../../shared/contract/models.ts';
import type { ModelsInForce, SettingsPatch } from '../../shared/contract/settings.ts';
import type { AgentSpec } from '../../shared/events/lifecycle.ts';
import type { RoleModel } from '../../shared/contract/commandLine.ts';
import { isRecord } from '../../shared/json.ts';
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { hasCredentials, isShownOnly, shownAddress } from '../../shared/redact/address.ts';
import { budgetSettings, budgetsIn, type Budgets } from './budgets.ts';
import { awmSection, type AwmFlags, type AwmSettingsStore } from './awmSettings.ts';
import { addressSecrets, type AddressSecrets } from './addressSecrets.ts';
import { environmentList, type EnvironmentList, environmentsIn, moveCredentials } from './environments.ts';
import { gatewaySection, type GatewayPatch, type GatewaySettingsStore } from './gatewaySettings.ts';
import { inviteList, type InviteList } from './invites.ts';
import { createJsonFile, type JsonFile } from './jsonFile.ts';
import { ownerToken, type OwnerToken } from './ownerToken.ts';
import { keepingUsed, rosterIn, rosterSection, type RosterStore } from './roster.ts';
import { modelProfiles, type ModelProfiles, profilesIn, resolveProfile } from './modelProfiles.ts';
import {
  modelConfig,
  incomplete,
  ownSource,
  resolve,
  sharedSource,
  sourceOf,
  type ResolvedModel,
  type ModelSource,
  type Variables,
} from './modelSources.ts';
import type { Secrets } from './fileSecrets.ts';
import { createSettingsOfCommands, type SettingsOfCommands } from './commandSettings.ts';
import { priceList, pricesFor, type EpisodePrices, type Prices } from './prices.ts';

/** A change of the models; what is left out stays. */
type ModelsPatch = Pick<SettingsPatch, 'agent' | 'expert'>;

export type SettingsStore = EnvironmentList &
  AddressSecrets &
  InviteList &
  OwnerToken &
  ModelProfiles &
  Prices &
  Budgets &
  RosterStore &
  GatewaySettingsStore &
  AwmSettingsStore & {
    /**
     * null until a model name and a way to reach it are known. A profile is taken instead of what the role has; throws
     * `not_found` where there is none of the name.
     */
    model(role: ModelRole, profile?: string): ModelConfig | null;
    /** What the models of an episode cost now, as far as it is known; a profile's price goes before its model's. */
    pricesFor: (agent: AgentSpec) => EpisodePrices;
    describe(): ModelsInForce;
    write(patch: ModelsPatch): void;
    /** What commands that come through the door say for their own episodes: it goes before everything else. */
    ofCommands: SettingsOfCommands;
    /** What a person should know about the settings as they were found. */
    notices(): string[];
  };

const FileModel = z.looseObject({
  provider: z.enum(['openai', 'azure']).nullish(),
  base_url: z.string().nullish(),
  model: z.string().nullish(),
  api_version: z.string().nullish(),
  reasoning: ReasoningBack.nullish(),
});
/** The command line's flags on a role's model: values, or a profile that they go over. */
export type ModelFlags = RoleModel & { tokenCommand?: string };
export type ModelFlagsByRole = { [R in ModelRole]?: ModelFlags | undefined };
const MODEL_ROLES: readonly ModelRole[] = ['agent', 'expert'];
type RawSettings = Record<string, unknown>;

type SettingsEdges = {
  folder: string;
  environment: Variables;
  secrets: Secrets;
  flags?: ModelFlagsByRole;
  gateway?: GatewayPatch;
  awm?: AwmFlags;
};

/** `flags` are what the command line said about a role's model; `gateway` and `awm` what it said about these. */
export function createSettings({
  folder,
  environment,
  secrets,
  flags: begunWith = {},
  gateway = {},
  awm = {},
}: SettingsEdges): SettingsStore {
  const moved: string[] = [];
  const ofCommands = createSettingsOfCommands();
  const flags = (): ModelFlagsByRole => ({ ...begunWith, ...ofCommands.current().models });
  const file = createJsonFile(join(folder, 'settings.json'), {
    isSecret: false,
    whenBroken: 'move_aside',
    tell: (notice) => moved.push(notice),
  });
  const { resolved, modelOf } = modelResolver({ file, secrets, environment, flags });
  const addresses = addressSecrets(secrets);
  const prices = priceList(file);
  // A broken file is noticed at the start, not at the first look.
  moveCredentials(file, addresses);
  moveModelCredentials(file, secrets);
  const profiles = modelProfiles({ file, secrets });
  const invites = inviteList(file);
  const people = rosterSection(file, { ...profiles, ...invites });

  return {
    model: (role, profile) => modelConfig(modelOf(role, profile)),
    pricesFor: (agent) => pricesFor(prices, { agent, profiles: flags(), expert: resolved('expert').model }),
    describe: () => ({
      agent: describeModel(resolved('agent'), flags().agent?.profile),
      expert: describeModel(resolved('expert'), flags().expert?.profile),
      key_store: secrets.kind,
    }),
    write: (patch) => file.write(patched(file.read(), patch, secrets)),
    ofCommands,
    ...addresses,
    ...environmentList(file, addresses, secrets),
    ...people,
    ...prices,
    ...budgetSettings(file),
    ...keepingUsed(people, profiles, invites),
    ...gatewaySection(file, gateway),
    ...awmSection(file, secrets, environment, awm),
    ...ownerToken(secrets),
    notices: () => [...moved, ...problemsIn(file.read(), resolved)],
  };
}

type ResolverEdges = {
  file: JsonFile;
  secrets: Secrets;
  environment: Variables;
  flags: () => ModelFlagsByRole;
};

/** A role's model now: from flags, variables, the file, or a profile in its place. */
function modelResolver({ flags, ...edges }: ResolverEdges) {
  const { file, secrets, environment } = edges;
  const resolved = (role: ModelRole, profile = flags()[role]?.profile): ResolvedModel => {
    const said = flagSource(role, flags()[role] ?? {});
    if (profile !== undefined) return resolveProfile(edges, profile, said);
    return resolve({
      flags: said,
      own: ownSource(environment, role),
      shared: sharedSource(environment, role),
      file: workingSource(fileSource(file.read(), role), role, secrets),
      stored: () => secrets.read(`${role}.api_key`),
      reasoning: FileModel.safeParse(file.read()[role]).data?.reasoning,
    });
  };
  return {
    resolved,
    /** A model expert is its profile: what the command line says of the advisor's model is not for it. */
    modelOf: (role: ModelRole, profile?: string): ResolvedModel =>
      role === 'expert' && profile !== undefined
        ? resolveProfile(edges, profile, {})
        : resolved(role, profile),
  };
}

const problemsIn = (raw: RawSettings, resolved: (role: ModelRole) => ResolvedModel): string[] => [
  ...MODEL_ROLES.flatMap((role) => [...sectionProblem(raw, role), ...incomplete(role, resolved(role))]),
  ...environmentsIn(raw).problems,
  ...profilesIn(raw).problems,
  ...budgetsIn(raw).problems,
  ...rosterIn(raw).problems,
];

const FLAG_WORDS = {
  provider: 'provider',
  baseUrl: 'base-url',
  apiKey: 'key',
  model: 'model',
  apiVersion: 'api-version',
  tokenCommand: 'token-command',
  tokenFrom: 'token-command',
} as const;

const flagSource = (role: ModelRole, { profile: _profile, keyFrom, ...values }: ModelFlags): ModelSource =>
  sourceOf(values, (field) =>
    field === 'apiKey' && keyFrom !== undefined ? keyFrom : `--${role}-${FLAG_WORDS[field]}`,
  );

const trimmedOrNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** A section with one wrong value is not used at all: half an endpoint could be the wrong one. */
function sectionProblem(raw: RawSettings, role: ModelRole): string[] {
  const issue = raw[role] === undefined ? undefined : FileModel.safeParse(raw[role]).error?.issues[0];
  if (issue === undefined) return [];
  const where = [role, ...issue.path].join('.');
  return [`settings.json: "${where}" is not a value it can have; the ${role} model in the file is not used.`];
}

function fileSource(raw: RawSettings, role: ModelRole): ModelSource {
  const read = FileModel.safeParse(raw[role]);
  if (!read.success) return {};
  const { provider, base_url, model, api_version } = read.data;
  const values = {
    provider: provider ?? null,
    baseUrl: trimmedOrNull(base_url),
    model: trimmedOrNull(model),
    apiVersion: trimmedOrNull(api_version),
  };
  return sourceOf(values, () => 'settings');
}

const describeModel = (
  { provider, baseUrl, model, apiVersion, reasoning, key, tokenCommand, tokenFrom, from }: ResolvedModel,
  profile: string | undefined,
): ModelsInForce['agent'] => ({
  provider,
  base_url: baseUrl === null ? null : shownAddress(baseUrl),
  model,
  api_version: apiVersion,
  reasoning,
  key,
  from: {
    provider: from.provider ?? null,
    base_url: from.baseUrl ?? null,
    model: from.model ?? null,
    api_version: from.apiVersion ?? null,
    key: from.apiKey ?? from.tokenCommand ?? null,
  },
  ...((tokenCommand ?? tokenFrom) === null ? {} : { has_token_command: true }),
  ...(profile === undefined ? {} : { profile }),
});

/** The file with the patch in it: unknown keys stay, and keys go to the secrets first. */
function patched(raw: RawSettings, patch: ModelsPatch, secrets: Secrets): RawSettings {
  const changed: RawSettings = { ...raw };
  for (const role of MODEL_ROLES) {
    const { api_key, ...fields } = patch[role] ?? {};
    if (api_key !== undefined) secrets.write(`${role}.api_key`, trimmedOrNull(api_key));
    if (Object.keys(fields).length === 0) continue;
    const section = changed[role];
    const before = isRecord(section) ? section : {};
    changed[role] = { ...before, ...withBaseUrlKept(fields, role, secrets) };
  }
  return changed;
}

const baseUrlName = (role: ModelRole): string => `${role}.base_url`;

/** The file holds a base URL as it may be shown; the secrets hold the one with its credentials. */
const workingSource = (source: ModelSource, role: ModelRole, secrets: Secrets): ModelSource =>
  source.baseUrl !== undefined && isShownOnly(source.baseUrl.value)
    ? {
        ...source,
        baseUrl: { ...source.baseUrl, value: secrets.read(baseUrlName(role)) ?? source.baseUrl.value },
      }
    : source;

/** A base URL that comes back as it was shown keeps its credentials. */
function withBaseUrlKept<F extends { base_url?: string | null | undefined }>(
  fields: F,
  role: ModelRole,
  secrets: Secrets,
): F {
  const { base_url: given } = fields;
  if (given === undefined) return fields;
  if (given === null || !isShownOnly(given)) {
    secrets.write(baseUrlName(role), given !== null && hasCredentials(given) ? given.trim() : null);
  }
  return given === null ? fields : { ...fields, base_url: shownAddress(given) };
}

/** Before credentials were kept apart they stood in the file. */
function moveModelCredentials(file: JsonFile, secrets: Secrets): void {
  for (const role of MODEL_ROLES) {
    const raw = file.read();
    const section = FileModel.safeParse(raw[role]).data;
    const given = section?.base_url ?? '';
    if (section === undefined || !hasCredentials(given)) continue;
    file.write({ ...raw, [role]: { ...section, ...withBaseUrlKept({ base_url: given }, role, secrets) } });
  }
}
