// Owns: the settings and the order they come in: flag, environment variable, file, default.
// Must not know: who reads them. Keys are in the secrets, never in the file.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { settings as contract } from '../../shared/contract/areas.ts';
import { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { createJsonFile } from './jsonFile.ts';
import {
  configOf,
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

export type Settings = {
  /** null until a model name and a way to reach it are known. */
  model(role: ModelRole): ModelConfig | null;
  describe(): Described;
  write(patch: Patch): void;
  /** The environments a person added; built-in worlds are not among them. */
  environments(): EnvironmentSpec[];
  /** An address that is there already keeps its id and takes the new name. */
  addEnvironment(name: string, url: string): EnvironmentSpec;
  removeEnvironment(id: string): void;
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
}: {
  folder: string;
  environment: Variables;
  secrets: Secrets;
  flags?: Partial<Record<ModelRole, Partial<Source>>>;
}): Settings {
  const found: string[] = [];
  const tell = (notice: string): void => {
    if (!found.includes(notice)) found.push(notice);
  };
  const file = createJsonFile(join(folder, 'settings.json'), tell);
  const resolved = (role: ModelRole): Resolved =>
    resolve({
      own: over(flags[role] ?? {}, ownSource(environment, role)),
      shared: sharedSource(environment, role),
      file: fileSource(file.read(), role, tell),
      stored: () => secrets.read(`${role}.api_key`),
    });
  const environments = (): EnvironmentSpec[] => environmentsIn(file.read(), tell);
  const saveEnvironments = (list: readonly EnvironmentSpec[]): void =>
    file.write({ ...file.read(), environments: list });
  // A broken file is noticed at the start, not at the first look.
  file.read();

  return {
    model: (role) => configOf(resolved(role)),
    describe: () => ({
      agent: describeModel(resolved('agent')),
      expert: describeModel(resolved('expert')),
      key_store: secrets.kind,
    }),
    write: (patch) => writePatch(file.read(), patch, file.write, secrets),
    environments,
    addEnvironment: (name, url) => {
      const added = environmentOf(name, url);
      saveEnvironments([...environments().filter(({ id }) => id !== added.id), added]);
      return added;
    },
    removeEnvironment: (id) => {
      const all = environments();
      if (!all.some((one) => one.id === id)) {
        throw new Failure('not_found', `there is no added environment ${id}`, {
          next: 'It may be removed already.',
        });
      }
      saveEnvironments(all.filter((one) => one.id !== id));
    },
    token: (name) => keptToken(secrets, `token.${name}`),
    notices: () => [...found, ...ROLES.flatMap((role) => incomplete(role, resolved(role)))],
  };
}

const over = (flags: Partial<Source>, source: Source): Source => ({
  provider: flags.provider ?? source.provider,
  baseUrl: flags.baseUrl ?? source.baseUrl,
  apiKey: flags.apiKey ?? source.apiKey,
  model: flags.model ?? source.model,
  apiVersion: flags.apiVersion ?? source.apiVersion,
});

function fileSource(raw: Raw, role: ModelRole, tell: (notice: string) => void): Source {
  const section = raw[role];
  if (section === undefined) return NOTHING;
  const read = FileModel.safeParse(section);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join('.') ?? '';
    tell(
      `settings.json: "${[role, where].filter((part) => part !== '').join('.')}" is not a value it can have; the ${role} model in the file is not used.`,
    );
    return NOTHING;
  }
  const { provider, base_url, model, api_version } = read.data;
  const words = (text: string | null | undefined): string | null =>
    (text ?? '').trim() === '' ? null : (text ?? '').trim();
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

/** Unknown keys of the file stay; a key is stored before the file says anything else. */
function writePatch(raw: Raw, patch: Patch, write: (value: Raw) => void, secrets: Secrets): void {
  const changed: Raw = { ...raw };
  for (const role of ROLES) {
    const { api_key, ...fields } = patch[role] ?? {};
    if (api_key !== undefined)
      secrets.write(`${role}.api_key`, api_key === null || api_key.trim() === '' ? null : api_key.trim());
    if (Object.keys(fields).length === 0) continue;
    const section = changed[role];
    const before = typeof section === 'object' && section !== null && !Array.isArray(section) ? section : {};
    changed[role] = { ...before, ...fields };
  }
  write(changed);
}

function environmentsIn(raw: Raw, tell: (notice: string) => void): EnvironmentSpec[] {
  const list = raw['environments'];
  if (list === undefined) return [];
  const read = z.array(z.unknown()).safeParse(list).data ?? [];
  const good = read.flatMap((one) => EnvironmentSpec.safeParse(one).data ?? []);
  if (good.length < read.length || !Array.isArray(list))
    tell('settings.json: an environment in the file cannot be read and is left out.');
  return good.map((one) => ({ ...one, builtin: false }));
}

function environmentOf(name: string, url: string): EnvironmentSpec {
  const address = url.trim().replace(/\/+$/, '');
  const id = `env-${createHash('sha256').update(address).digest('hex').slice(0, 10)}`;
  return { id, name: name.trim(), url: address, builtin: false };
}

function keptToken(secrets: Secrets, name: string): string {
  const kept = secrets.read(name);
  if (kept !== null) return kept;
  const token = randomBytes(24).toString('base64url');
  secrets.write(name, token);
  return token;
}

/** Half a configuration is the usual mistake: it says what is missing. */
function incomplete(role: ModelRole, resolved: Resolved): string[] {
  if (configOf(resolved) !== null) return [];
  const { provider, baseUrl, model, apiKey } = resolved;
  if (model !== null && provider === 'azure' && (baseUrl === null || apiKey === null)) {
    return [`The ${role} model ${model} is not used: Azure needs an endpoint and a key.`];
  }
  if (model !== null)
    return [`The ${role} model ${model} is not used: it has neither an API key nor a base URL.`];
  if (baseUrl !== null) return [`The ${role} model at ${baseUrl} is not used: no model name is set.`];
  return [];
}
