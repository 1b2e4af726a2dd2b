// Owns: the settings and the order they come in: flag, environment variable, file, default.
// Must not know: who reads them. Keys are in the secrets, never in the file.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { settings as contract } from '../../shared/contract/areas.ts';
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { environmentList, type EnvironmentList, environmentsIn } from './environments.ts';
import { gatewaySection, type GatewayPatch, type GatewaySection } from './gatewaySettings.ts';
import { inviteList, type InviteList } from './invites.ts';
import { createJsonFile } from './jsonFile.ts';
import {
  configOf,
  incomplete,
  NOTHING,
  ownSource,
  resolve,
  sharedSource,
  type Resolved,
  type Source,
  type Variables,
} from './modelSources.ts';
import type { Secrets } from './secrets.ts';

type Described = z.infer<(typeof contract)['settings.read']['output']>;
type Patch = z.infer<(typeof contract)['settings.write']['input']>;

export type Settings = EnvironmentList &
  InviteList &
  GatewaySection & {
    /** null until a model name and a way to reach it are known. */
    model(role: ModelRole): ModelConfig | null;
    describe(): Described;
    write(patch: Patch): void;
    /** A random token under this name, made once and kept. */
    token(name: string): string;
    /** What a person should know about the settings as they were found. */
    notices(): string[];
  };

const FileModel = z.looseObject({
  provider: z.enum(['openai', 'azure']).nullish(),
  base_url: z.string().nullish(),
  model: z.string().nullish(),
  api_version: z.string().nullish(),
});
const ROLES: readonly ModelRole[] = ['agent', 'expert'];
type Raw = Record<string, unknown>;

/** `flags` are what the command line said about a role's model. */
export function createSettings({
  folder,
  environment,
  secrets,
  flags = {},
  gateway = {},
}: {
  folder: string;
  environment: Variables;
  secrets: Secrets;
  flags?: Partial<Record<ModelRole, Partial<Source>>>;
  /** What the command line said about the gateway. */
  gateway?: GatewayPatch;
}): Settings {
  const moved: string[] = [];
  const file = createJsonFile(join(folder, 'settings.json'), {
    isSecret: false,
    tell: (notice) => moved.push(notice),
  });
  const resolved = (role: ModelRole): Resolved =>
    resolve({
      own: over(flags[role] ?? {}, ownSource(environment, role)),
      shared: sharedSource(environment, role),
      file: fileSource(file.read(), role),
      stored: () => secrets.read(`${role}.api_key`),
    });
  // A broken file is noticed at the start, not at the first look.
  file.read();

  return {
    model: (role) => configOf(resolved(role)),
    describe: () => ({
      agent: describeModel(resolved('agent')),
      expert: describeModel(resolved('expert')),
      key_store: secrets.kind,
    }),
    write: (patch) => file.write(patched(file.read(), patch, secrets)),
    ...environmentList(file),
    ...inviteList(file),
    ...gatewaySection(file, gateway),
    token: (name) => keptToken(secrets, `token.${name}`),
    notices: () => {
      const raw = file.read();
      return [
        ...moved,
        ...ROLES.flatMap((role) => [...sectionProblem(raw, role), ...incomplete(role, resolved(role))]),
        ...environmentsIn(raw).problems,
      ];
    },
  };
}

const over = (flags: Partial<Source>, source: Source): Source => ({
  provider: flags.provider ?? source.provider,
  baseUrl: flags.baseUrl ?? source.baseUrl,
  apiKey: flags.apiKey ?? source.apiKey,
  model: flags.model ?? source.model,
  apiVersion: flags.apiVersion ?? source.apiVersion,
});

const words = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** A section with one wrong value is not used at all: half an endpoint could be the wrong one. */
function sectionProblem(raw: Raw, role: ModelRole): string[] {
  const issue = raw[role] === undefined ? undefined : FileModel.safeParse(raw[role]).error?.issues[0];
  if (issue === undefined) return [];
  const where = [role, ...issue.path].join('.');
  return [`settings.json: "${where}" is not a value it can have; the ${role} model in the file is not used.`];
}

function fileSource(raw: Raw, role: ModelRole): Source {
  const read = FileModel.safeParse(raw[role]);
  if (!read.success) return NOTHING;
  const { provider, base_url, model, api_version } = read.data;
  return {
    provider: provider ?? null,
    baseUrl: words(base_url),
    apiKey: null,
    model: words(model),
    apiVersion: words(api_version),
  };
}

const describeModel = ({ provider, baseUrl, model, apiVersion, key }: Resolved): Described['agent'] => ({
  provider,
  base_url: baseUrl,
  model,
  api_version: apiVersion,
  key,
});

/** The file with the patch in it: unknown keys stay, and keys go to the secrets first. */
function patched(raw: Raw, patch: Patch, secrets: Secrets): Raw {
  const changed: Raw = { ...raw };
  for (const role of ROLES) {
    const { api_key, ...fields } = patch[role] ?? {};
    if (api_key !== undefined) secrets.write(`${role}.api_key`, words(api_key));
    if (Object.keys(fields).length === 0) continue;
    const section = changed[role];
    const before = typeof section === 'object' && section !== null && !Array.isArray(section) ? section : {};
    changed[role] = { ...before, ...fields };
  }
  return changed;
}

function keptToken(secrets: Secrets, name: string): string {
  const kept = secrets.read(name);
  if (kept !== null) return kept;
  const token = randomBytes(24).toString('base64url');
  secrets.write(name, token);
  return token;
}
