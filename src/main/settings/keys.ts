// Named keys to the gateway and to the console. A key is told once and kept as its digest; the few that exist by
// default are kept in the secrets too, because they are printed again at every start.
import type { KeyNote, KeyRow } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { createDefaultKeys, keySecretName } from './defaultKeys.ts';
import type { JsonFile } from './jsonFile.ts';
import { createKeyLimits, type AdmissionResult } from './keyLimits.ts';
import {
  checkedKey,
  idIn,
  isSecretOf,
  keyFromStored,
  newOf,
  newSecret,
  readKeys,
  storedKey,
  tapKeyOf,
  type Key,
  type NewKey,
  type StoredKey,
  type GatewayTapKey,
} from './keyShapes.ts';
import type { KeyUse } from './keyUse.ts';
import type { Secrets } from './fileSecrets.ts';

export type GatewayKeys = {
  list(): KeyRow[];
  create(key: NewKey): { key: KeyRow; secret: string };
  /** A default key is replaced by a fresh one. Throws `not_found`. */
  revoke(id: string): void;
  /** The key that a secret opens; null when there is none, or when it was revoked. */
  find(secret: string): Key | null;
  /** Sees to it that every environment has a tap key, and that there is one expert key. */
  ensureDefaults(environments: readonly EnvironmentSpec[]): void;
  defaults(): { expert: string; taps: { environment: string; token: string }[] };
  tapKeys(): GatewayTapKey[];
  /** Keys that open other doors than a tap, as it may recognise them. */
  strangers(): { sha256: string; name: string }[];
  /** Counts the use of a key at a door, or says why it has to wait. */
  admit(key: Key, door: NonNullable<KeyNote['door']>): AdmissionResult;
  /** A client of the tap's own process came in with the key of this name, or was refused for its limits. */
  noteTap(name: string, what: 'used' | 'limited'): void;
  note(what: 'wrong_key' | 'wrong_scope', door: NonNullable<KeyNote['door']>, key: Key | null): void;
  audit(): KeyNote[];
  /** Hears of every change, and the id of a key that was revoked; returns its undo. */
  onChanged(listener: (revoked: string | null) => void): () => void;
  close(): void;
};

type KeysEdges = {
  file: JsonFile;
  secrets: Secrets;
  use: KeyUse;
  clock: () => number;
  monotonic: () => number;
};

/** Revoked keys are shown for a while, so that the list says what became of them. */
const REVOKED_KEPT = 50;

export function createKeys({ file, secrets, use, clock, monotonic }: KeysEdges): GatewayKeys {
  const limits = createKeyLimits(monotonic);
  const limited = new Map<string, number>();
  const store = createStore(file);
  const make = (key: NewKey, isDefault: boolean): { stored: StoredKey; secret: string } => {
    const { id, secret, sha256 } = newSecret();
    if (isDefault) secrets.write(keySecretName(id), secret);
    use.note({ key: id, name: key.name, door: null, what: 'created' });
    const own = { id, sha256, created_at: clock(), is_default: isDefault };
    return { stored: storedKey(key, own), secret };
  };
  const row = (stored: StoredKey): KeyRow => {
    const { sha256: _digest, ...shown } = stored;
    const { uses, lastUsedAt } = use.of(stored.id);
    return { ...shown, last_used_at: lastUsedAt, uses, limited: limited.get(stored.id) ?? 0 };
  };
  return {
    list: () => store.all().map(row),
    create: (key) => {
      const { stored, secret } = make(checkedKey(key), false);
      store.save([...store.all(), stored], null);
      return { key: row(stored), secret };
    },
    revoke: (id) => {
      const found = store.live().find((one) => one.id === id);
      if (found === undefined) {
        throw new Failure('not_found', `there is no key ${id}`, { next: 'It may be revoked already.' });
      }
      secrets.write(keySecretName(id), null);
      use.note({ key: id, name: found.name, door: null, what: 'revoked' });
      const others = store.all().filter((one) => one.id !== id);
      const fresh = found.is_default ? [make(newOf(found), true).stored] : [];
      store.save([...others, { ...found, revoked_at: clock() }, ...fresh], id);
    },
    find: (secret) => {
      const id = idIn(secret);
      const found = store.live().find((one) => one.id === id);
      return found !== undefined && isSecretOf(secret, found) ? keyFromStored(found) : null;
    },
    ...createDefaultKeys({
      secrets,
      live: store.live,
      add: (keys) => store.save([...store.all(), ...keys.map((key) => make(key, true).stored)], null),
    }),
    tapKeys: () => store.live().flatMap((one) => tapKeyOf(one) ?? []),
    strangers: () =>
      store.live().flatMap((one) => (tapKeyOf(one) === null ? [{ sha256: one.sha256, name: one.name }] : [])),
    admit: (key, door) => {
      const admitted = limits.admit(key.id, key);
      if (!admitted.isAdmitted) limited.set(key.id, (limited.get(key.id) ?? 0) + 1);
      use.note({ key: key.id, name: key.name, door, what: admitted.isAdmitted ? 'used' : 'limited' });
      return admitted;
    },
    noteTap: (name, what) => use.note({ key: store.tapNamed(name)?.id ?? null, name, door: 'tap', what }),
    note: (what, door, key) => use.note({ key: key?.id ?? null, name: key?.name ?? null, door, what }),
    audit: () => use.notes(),
    onChanged: store.onChanged,
    close: () => use.close(),
  };
}

/** The keys in memory and in their file, changed together. One process owns a data folder, so nobody else writes it. */
function createStore(file: JsonFile) {
  const found = readKeys(file);
  let { keys } = found;
  const listeners = new Set<(revoked: string | null) => void>();
  return {
    all: (): StoredKey[] => keys,
    live: (): StoredKey[] => keys.filter(({ revoked_at }) => revoked_at === null),
    tapNamed: (name: string): StoredKey | undefined =>
      keys.find((one) => one.revoked_at === null && one.name === name && one.scopes.includes('tap')),
    save: (next: StoredKey[], revoked: string | null): void => {
      const gone = next.filter(({ revoked_at }) => revoked_at !== null).slice(0, -REVOKED_KEPT);
      keys = next.filter((one) => !gone.includes(one));
      file.write({ ...file.read(), keys: [...found.others, ...keys] });
      for (const tell of listeners) tell(revoked);
    },
    onChanged: (listener: (revoked: string | null) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
