// How the environments a person added are reached: what may be shown stands with them in the settings file, the headers'
// values among the secrets. Flags go before both until this process ends.
import { z } from 'zod';
import { tryJson } from '../../shared/json.ts';
import {
  headersOf,
  USUAL_SETTINGS,
  type ConnectionSettings,
  type ServerConnection,
} from '../../shared/serverConnection.ts';
import { addressDigest } from './addressSecrets.ts';
import type { Secrets } from './fileSecrets.ts';

/** A header as a person changes it; null keeps the value that is stored. */
export type HeaderChange = { name: string; value: string | null };

export type EnvironmentConnections = {
  /** How the server at a shown address is reached. */
  connectionOf: (shown: string) => ServerConnection;
  /** Flags for an address, until this process ends. */
  useConnection: (shown: string, flags: Partial<ServerConnection>) => void;
  /** Throws `bad_input` for headers that cannot be sent, `not_found` for an environment that is not in the list. */
  setConnection: (id: string, settings: ConnectionSettings, headers: readonly HeaderChange[]) => void;
};

type ConnectionStore = {
  /** The settings of the environment at an address; null where nobody set any. */
  stored: (shown: string) => ConnectionSettings | null;
  /** Throws `not_found`. */
  addressOf: (id: string) => string;
  /** Null takes away what was set. */
  save: (id: string, settings: ConnectionSettings | null) => void;
};

const StoredHeaders = z.record(z.string(), z.string());
const secretName = (shown: string): string => `environment.${addressDigest(shown)}.headers`;
const isUsual = (settings: ConnectionSettings): boolean =>
  Object.entries(USUAL_SETTINGS).every(([key, usual]) => settings[key as keyof ConnectionSettings] === usual);

export function environmentConnections(
  { stored, addressOf, save }: ConnectionStore,
  secrets: Secrets,
): EnvironmentConnections {
  const used = new Map<string, Partial<ServerConnection>>();
  const keptHeaders = (shown: string): Record<string, string> =>
    StoredHeaders.safeParse(tryJson(secrets.read(secretName(shown)) ?? '')).data ?? {};
  return {
    connectionOf: (shown) => {
      const flags = used.get(shown) ?? {};
      const kept = keptHeaders(shown);
      return {
        ...(stored(shown) ?? USUAL_SETTINGS),
        ...flags,
        headers: flags.headers === undefined ? kept : withHeaders(kept, flags.headers),
      };
    },
    useConnection: (shown, flags) => void used.set(shown, flags),
    setConnection: (id, settings, changes) => {
      const shown = addressOf(id);
      const kept = keptHeaders(shown);
      // Nothing is changed where a header is refused.
      const headers = headersOf(
        changes.map(({ name, value }) => ({ name: name.trim(), value: value ?? kept[name.trim()] ?? '' })),
      );
      save(id, isUsual(settings) ? null : settings);
      secrets.write(secretName(shown), changes.length === 0 ? null : JSON.stringify(headers));
    },
  };
}

/** Forgets the headers of an environment that is removed. */
export function forgetHeaders(secrets: Secrets, shown: string): void {
  if (secrets.read(secretName(shown)) !== null) secrets.write(secretName(shown), null);
}

/** A name is the same in any case of its letters. */
function withHeaders(
  kept: Readonly<Record<string, string>>,
  said: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(said).map((name) => name.toLowerCase()));
  const others = Object.entries(kept).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...said };
}
