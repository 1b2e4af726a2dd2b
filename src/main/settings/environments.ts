// The environments a person added, as they stand in the settings file.
import { z } from 'zod';
import { serverSpec } from '../../shared/environmentKinds.ts';
import { EnvironmentSpec, VerifierMode } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { hasCredentials } from '../../shared/redact/address.ts';
import { addressDigest, type AddressSecrets } from './addressSecrets.ts';
import { ConnectionSettings } from '../../shared/serverConnection.ts';
import {
  environmentConnections,
  forgetHeaders,
  type EnvironmentConnections,
} from './environmentConnections.ts';
import type { Secrets } from './fileSecrets.ts';
import { rawList, type JsonFile } from './jsonFile.ts';

export type EnvironmentList = EnvironmentConnections & {
  /** The environments a person added; built-in worlds are not among them. */
  environments(): EnvironmentSpec[];
  /** An address that is there already keeps its id and takes the new name. */
  addEnvironment(name: string, url: string): EnvironmentSpec;
  removeEnvironment(id: string): void;
  /** What agents are told of it; null where nobody said anything. */
  environmentText(id: string): string | null;
  /** Null takes away what was said. Throws `not_found`. */
  setEnvironmentText(id: string, text: string | null): void;
  /** How its tasks are verified unless a run says otherwise; null as the Agent World Model's settings say. */
  environmentVerifierMode(id: string): VerifierMode | null;
  setEnvironmentVerifierMode(id: string, mode: VerifierMode | null): void;
  /** Whether drafts are tried there without a person asking, and what the last audit proved of its sessions. */
  environmentTries(id: string): EnvironmentTries;
  setEnvironmentTries(id: string, isAllowed: boolean): void;
  /** Keeps that an audit saw two sessions kept apart; null where the last one did not. Ids that are not listed are left out. */
  noteIsolation(id: string, isolated: Isolation | null): void;
};

const Isolation = z.strictObject({ at: z.number(), proof: z.string() });
type Isolation = z.infer<typeof Isolation>;
type EnvironmentTries = { isAllowed: boolean; isolated: Isolation | null };

/** An environment as the file holds it. */
const StoredEnvironment = EnvironmentSpec.extend({
  agent_text: z.string().optional(),
  verifier_mode: VerifierMode.optional(),
  connection: ConnectionSettings.optional(),
  tries_drafts: z.literal(true).optional(),
  isolated: Isolation.optional(),
});
type StoredEnvironment = z.infer<typeof StoredEnvironment>;

type RawEnvironment = Readonly<Record<string, unknown>>;

/** What the file holds, and what a person should know about the rest of it. */
export function environmentsIn(raw: RawEnvironment): { good: EnvironmentSpec[]; problems: string[] } {
  const all = rawList(raw, 'environments');
  const good = all.flatMap((one) => StoredEnvironment.safeParse(one).data ?? []);
  const isWhole = Array.isArray(raw['environments'] ?? []) && good.length === all.length;
  return {
    good: good.map(({ id, name, url }) => serverSpec(id, name, url)),
    problems: isWhole ? [] : ['settings.json: an environment in the file cannot be read and is left out.'],
  };
}

/** An address has one id, however often it is added and with whatever credentials. */
const environmentOf = (name: string, shown: string): EnvironmentSpec =>
  serverSpec(`env-${addressDigest(shown)}`, name.trim(), shown);

/** An address as a person typed it, in one spelling. */
export const typedAddress = (url: string): string => url.trim().replace(/(?<!\/)\/+$/, '');

/** The list without one address, everything else in it as it was, readable or not. */
const withoutEnvironment = (raw: RawEnvironment, id: string): unknown[] =>
  rawList(raw, 'environments').filter((one) => StoredEnvironment.safeParse(one).data?.id !== id);

export function environmentList(
  file: JsonFile,
  addresses: AddressSecrets,
  secrets: Secrets,
): EnvironmentList {
  const storedList = (): StoredEnvironment[] =>
    rawList(file.read(), 'environments').flatMap((one) => StoredEnvironment.safeParse(one).data ?? []);
  const stored = (id: string): StoredEnvironment | undefined => storedList().find((one) => one.id === id);
  const save = (without: string, added: readonly StoredEnvironment[]): void => {
    const raw = file.read();
    file.write({ ...raw, environments: [...withoutEnvironment(raw, without), ...added] });
  };
  /** In its place: the list is in the order in which environments were added. */
  const change = (id: string, by: (known: StoredEnvironment) => StoredEnvironment): void => {
    const known = stored(id);
    if (known === undefined) throw notAdded(id);
    const raw = file.read();
    const list = rawList(raw, 'environments');
    const changed = list.map((one) => (StoredEnvironment.safeParse(one).data?.id === id ? by(known) : one));
    file.write({ ...raw, environments: changed });
  };
  const environments = (): EnvironmentSpec[] => environmentsIn(file.read()).good;
  return {
    ...environmentConnections(connectionStore(storedList, change), secrets),
    environments,
    addEnvironment: (name, url) => {
      const shown = addresses.keepAddress(typedAddress(url));
      const known = environments().find((one) => one.url === shown);
      const added = { ...environmentOf(name, shown), ...(known === undefined ? {} : { id: known.id }) };
      save(added.id, [{ ...stored(added.id), ...added }]);
      return added;
    },
    environmentText: (id) => stored(id)?.agent_text ?? null,
    setEnvironmentText: (id, text) =>
      change(id, ({ agent_text: _before, ...rest }) =>
        text === null ? rest : { ...rest, agent_text: text },
      ),
    environmentVerifierMode: (id) => stored(id)?.verifier_mode ?? null,
    setEnvironmentVerifierMode: (id, mode) =>
      change(id, ({ verifier_mode: _before, ...rest }) =>
        mode === null ? rest : { ...rest, verifier_mode: mode },
      ),
    ...environmentTries(stored, change),
    removeEnvironment: (id) => {
      const known = environments().find((one) => one.id === id);
      if (known === undefined) throw notAdded(id);
      save(id, []);
      addresses.forgetAddress(known.url);
      forgetHeaders(secrets, known.url);
    },
  };
}

/** Whether drafts are tried there without a person asking, and what the last audit proved. */
const environmentTries = (
  stored: (id: string) => StoredEnvironment | undefined,
  change: (id: string, by: (known: StoredEnvironment) => StoredEnvironment) => void,
): Pick<EnvironmentList, 'environmentTries' | 'setEnvironmentTries' | 'noteIsolation'> => ({
  environmentTries: (id) => {
    const { tries_drafts: isAllowed = false, isolated = null } = stored(id) ?? {};
    return { isAllowed, isolated };
  },
  setEnvironmentTries: (id, isAllowed) =>
    change(id, ({ tries_drafts: _before, ...rest }) => (isAllowed ? { ...rest, tries_drafts: true } : rest)),
  noteIsolation: (id, isolated) => {
    if (stored(id) === undefined) return;
    change(id, ({ isolated: _before, ...rest }) => (isolated === null ? rest : { ...rest, isolated }));
  },
});

const notAdded = (id: string): Failure =>
  new Failure('not_found', `there is no added environment ${id}`, { next: 'It may be removed already.' });

/** Where the list keeps how its environments are reached. */
const connectionStore = (
  storedList: () => readonly StoredEnvironment[],
  change: (id: string, by: (known: StoredEnvironment) => StoredEnvironment) => void,
): Parameters<typeof environmentConnections>[0] => ({
  stored: (shown) => storedList().find(({ url }) => url === shown)?.connection ?? null,
  addressOf: (id) => {
    const known = storedList().find((one) => one.id === id);
    if (known === undefined) throw notAdded(id);
    return known.url;
  },
  save: (id, connection) =>
    change(id, ({ connection: _before, ...rest }) => (connection === null ? rest : { ...rest, connection })),
});

/** Before credentials were kept apart they stood in the file: they move to the secrets, and ids stay. */
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
