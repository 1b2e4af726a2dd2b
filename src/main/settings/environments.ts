// The environments a person added, as they stand in the settings file: what is set for each, and how it is reached. Values
// of headers are among the secrets. Flags go before both until this process ends.
import { z } from 'zod';
import { canonical } from '../../shared/canonical.ts';
import { serverSpec } from '../../shared/environmentKinds.ts';
import { EnvironmentSpec, VerifierMode } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import { hasCredentials } from '../../shared/redact/address.ts';
import {
  ConnectionSettings,
  headersOf,
  USUAL_SETTINGS,
  type ServerConnection,
} from '../../shared/serverConnection.ts';
import { addressDigest, type AddressSecrets } from './addressSecrets.ts';
import type { Secrets } from './fileSecrets.ts';
import { rawList, type JsonFile } from './jsonFile.ts';

const Isolation = z.strictObject({ at: z.number(), proof: z.string() });

/** An environment as the file holds it. */
const StoredEnvironment = EnvironmentSpec.extend({
  agent_text: z.string().optional(),
  verifier_mode: VerifierMode.optional(),
  connection: ConnectionSettings.optional(),
  tries_drafts: z.literal(true).optional(),
  isolated: Isolation.optional(),
});
type StoredEnvironment = z.infer<typeof StoredEnvironment>;

/** One environment's own settings; null if nobody set them. */
type OwnSettings = {
  /** What agents are told of it. */
  agent_text: string | null;
  /** How its tasks are verified unless a run says otherwise. */
  verifier_mode: VerifierMode | null;
  /** Whether drafts are tried there without a person asking. */
  tries_drafts: true | null;
  /** When an audit saw two sessions kept apart, and by what; null where the last one did not. */
  isolated: z.infer<typeof Isolation> | null;
};

export type EnvironmentList = {
  /** The environments a person added; built-in worlds are not among them. */
  environments(): EnvironmentSpec[];
  /** An address that is there already keeps its id and takes the new name. */
  addEnvironment(name: string, url: string): EnvironmentSpec;
  removeEnvironment(id: string): void;
  /** What is set for one of them; nothing for another. */
  environmentSettings(id: string): OwnSettings;
  /** Null takes away what was said; what is left out stays. Throws `not_found`. */
  changeEnvironment(id: string, patch: Partial<OwnSettings>): void;
  /** How the server at a shown address is reached. */
  connectionOf: (shown: string) => ServerConnection;
  /** Flags for an address, until this process ends. */
  useConnection: (shown: string, flags: Partial<ServerConnection>) => void;
  /**
   * A header whose value is null keeps the one that is stored. Throws `bad_input` for headers that cannot be sent,
   * `not_found` for an environment that is not in the list.
   */
  setConnection: (
    id: string,
    settings: ConnectionSettings,
    headers: readonly { name: string; value: string | null }[],
  ) => void;
};

type RawSettings = Readonly<Record<string, unknown>>;

const storedIn = (raw: RawSettings): StoredEnvironment[] =>
  rawList(raw, 'environments').flatMap((one) => StoredEnvironment.safeParse(one).data ?? []);

/** Environments in the file, and notes for a person on the rest of it. */
export function environmentsIn(raw: RawSettings): { good: EnvironmentSpec[]; problems: string[] } {
  const good = storedIn(raw);
  const isWhole =
    Array.isArray(raw['environments'] ?? []) && good.length === rawList(raw, 'environments').length;
  return {
    good: good.map(({ id, name, url }) => serverSpec(id, name, url)),
    problems: isWhole ? [] : ['settings.json: an environment in the file cannot be read and is left out.'],
  };
}

/** An address as a person typed it, in one spelling. */
export const typedAddress = (url: string): string => url.trim().replace(/(?<!\/)\/+$/, '');

export function environmentList(
  file: JsonFile,
  addresses: AddressSecrets,
  secrets: Secrets,
): EnvironmentList {
  const stored = (id: string): StoredEnvironment | undefined =>
    storedIn(file.read()).find((one) => one.id === id);
  /** In its place: the list is in the order in which environments were added. */
  const change = (
    id: string,
    patch: Partial<OwnSettings> & { connection?: ConnectionSettings | null },
  ): void => {
    if (stored(id) === undefined) throw notAdded(id);
    const raw = file.read();
    const environments = rawList(raw, 'environments').map((one) => {
      const known = StoredEnvironment.safeParse(one).data;
      if (known?.id !== id) return one;
      return Object.fromEntries(
        Object.entries({ ...known, ...patch }).filter(([, value]) => value !== null && value !== undefined),
      );
    });
    file.write({ ...raw, environments });
  };
  /** Everything else in the list stays as it was, readable or not. */
  const replace = (id: string, by: readonly StoredEnvironment[]): void => {
    const raw = file.read();
    const others = rawList(raw, 'environments').filter(
      (one) => StoredEnvironment.safeParse(one).data?.id !== id,
    );
    file.write({ ...raw, environments: [...others, ...by] });
  };
  const environments = (): EnvironmentSpec[] => environmentsIn(file.read()).good;
  return {
    environments,
    addEnvironment: (name, url) => {
      const shown = addresses.keepAddress(typedAddress(url));
      // An address has one id, however often it is added and with whatever credentials.
      const id = environments().find((one) => one.url === shown)?.id ?? `env-${addressDigest(shown)}`;
      const added = serverSpec(id, name.trim(), shown);
      replace(id, [{ ...stored(id), ...added }]);
      return added;
    },
    removeEnvironment: (id) => {
      const known = stored(id);
      if (known === undefined) throw notAdded(id);
      replace(id, []);
      addresses.forgetAddress(known.url);
      if (secrets.read(headersName(known.url)) !== null) secrets.write(headersName(known.url), null);
    },
    environmentSettings: (id) => {
      const {
        agent_text = null,
        verifier_mode = null,
        tries_drafts = null,
        isolated = null,
      } = stored(id) ?? {};
      return { agent_text, verifier_mode, tries_drafts, isolated };
    },
    changeEnvironment: change,
    ...environmentConnections(file, secrets, (id, connection) => change(id, { connection })),
  };
}

const notAdded = (id: string): Failure =>
  new Failure('not_found', `there is no added environment ${id}`, { next: 'It may be removed already.' });

const StoredHeaders = z.record(z.string(), z.string());
const headersName = (shown: string): string => `environment.${addressDigest(shown)}.headers`;

function environmentConnections(
  file: JsonFile,
  secrets: Secrets,
  save: (id: string, connection: ConnectionSettings | null) => void,
): Pick<EnvironmentList, 'connectionOf' | 'useConnection' | 'setConnection'> {
  const used = new Map<string, Partial<ServerConnection>>();
  const keptHeaders = (shown: string): Record<string, string> =>
    StoredHeaders.safeParse(tryJson(secrets.read(headersName(shown)) ?? '')).data ?? {};
  return {
    connectionOf: (shown) => {
      const flags = used.get(shown) ?? {};
      const kept = keptHeaders(shown);
      // A name is the same in any case of its letters.
      const said = new Set(Object.keys(flags.headers ?? {}).map((name) => name.toLowerCase()));
      const others = Object.entries(kept).filter(([name]) => !said.has(name.toLowerCase()));
      return {
        ...(storedIn(file.read()).find(({ url }) => url === shown)?.connection ?? USUAL_SETTINGS),
        ...flags,
        headers: { ...Object.fromEntries(others), ...flags.headers },
      };
    },
    useConnection: (shown, flags) => void used.set(shown, flags),
    setConnection: (id, settings, changes) => {
      const shown = storedIn(file.read()).find((one) => one.id === id)?.url;
      if (shown === undefined) throw notAdded(id);
      const kept = keptHeaders(shown);
      // Nothing is changed where a header is refused.
      const headers = headersOf(
        changes.map(({ name, value }) => ({ name: name.trim(), value: value ?? kept[name.trim()] ?? '' })),
      );
      save(id, canonical(settings) === canonical(USUAL_SETTINGS) ? null : settings);
      secrets.write(headersName(shown), changes.length === 0 ? null : JSON.stringify(headers));
    },
  };
}

/** Credentials that a person wrote into the file move to the secrets, and ids stay. */
export function moveCredentials(file: JsonFile, addresses: AddressSecrets): void {
  const raw = file.read();
  const list = rawList(raw, 'environments');
  const moved = list.map((one) => {
    const read = StoredEnvironment.safeParse(one).data;
    return read === undefined || !hasCredentials(read.url)
      ? one
      : { ...read, url: addresses.keepAddress(read.url) };
  });
  if (moved.some((one, at) => one !== list[at])) file.write({ ...raw, environments: moved });
}
