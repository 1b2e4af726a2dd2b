// Named keys to the gateway and to the console. A key is told once and kept as its digest in one file, how it was used in
// another; the few that exist by default are kept in the secrets too, because they are printed again at every start.
import type { KeyNote, KeyRow } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { createJsonFile, type JsonFile } from './jsonFile.ts';
import { createKeyLimits, type AdmissionResult } from './keyLimits.ts';
import {
  boundedBy,
  boundOf,
  checkedKey,
  defaultKey,
  idIn,
  isSecretOf,
  keyFromStored,
  makerIn,
  makersOf,
  newOf,
  newSecret,
  readKeys,
  storedKey,
  tapKeyOf,
  withMade,
  type Key,
  type NewKey,
  type StoredKey,
  type GatewayTapKey,
} from './keyShapes.ts';
import { createKeyUse, type KeyUse } from './keyUse.ts';
import type { Secrets } from './fileSecrets.ts';

export type GatewayKeys = {
  list(): KeyRow[];
  /**
   * `madeBy` is the key to the console that makes it: what it asks for stays within that one's limits. Throws `bad_input`, and
   * `unauthorized` where that one is gone.
   */
  create(key: NewKey, madeBy?: string | null): { key: KeyRow; secret: string };
  /** With all that was made with it. A default key is replaced by a fresh one. Throws `not_found`. */
  revoke(id: string): void;
  /** Whether what `maker` made was made with the key `key`, or with one that it made. */
  isMadeBy(maker: string | null, key: string): boolean;
  /** The key that a secret opens; null when there is none, or when it was revoked. */
  find(secret: string): Key | null;
  /** Keys that came with a data folder open what they were made for again, with how they were used. */
  takeOver(came: readonly StoredKey[], used: JsonFile): void;
  /** Sees to it that every environment has its default key. */
  ensureDefaults(environments: readonly EnvironmentSpec[]): void;
  /** Each opens its environment's tap, the expert, MCP and the agent's model. */
  defaults(): { environment: string; secret: string }[];
  tapKeys(): GatewayTapKey[];
  /** Keys that open other doors than a tap, as it may recognise them. */
  strangers(): { sha256: string; name: string }[];
  /** Counts the use of a key at a door, or says why it has to wait. */
  admit(key: Key, door: NonNullable<KeyNote['door']>): AdmissionResult;
  /** A client of the tap's own process came in with the key of this name, or was refused for its limits. */
  noteTap(name: string, what: 'used' | 'limited'): void;
  /** A seat's console was opened with an invite, or refused for the seat's limits. */
  noteInvite(invite: { id: string; label: string }, what: 'used' | 'limited'): void;
  /** An invite is in use still. */
  touchInvite(id: string): void;
  /** When a key or an invite was last used; null for never. */
  lastUsedAt(id: string): number | null;
  isLive(id: string): boolean;
  note(what: 'wrong_key' | 'wrong_scope', door: NonNullable<KeyNote['door']>, key: Key | null): void;
  audit(): KeyNote[];
  /** Hears of every change, and the ids of the keys that were revoked; returns its undo. */
  onChanged(listener: (revoked: readonly string[]) => void): () => void;
  close(): void;
};

type OpenKeysDependencies = {
  /** The path of a file in the data folder. */
  file: (name: string) => string;
  secrets: Secrets;
  clock: () => number;
  monotonic: () => number;
  schedule: (delayMs: number, run: () => void) => () => void;
  tell?: (notice: string) => void;
};

/** The keys of a data folder. Throws `data_corrupt` for a `keys.json` that cannot be read, and leaves it as it is. */
export function openKeys({
  file,
  secrets,
  clock,
  monotonic,
  schedule,
  tell = () => undefined,
}: OpenKeysDependencies): GatewayKeys {
  const open = (name: string, whenBroken: 'move_aside' | 'refuse') =>
    createJsonFile(file(name), { isSecret: true, whenBroken, tell });
  const use = createKeyUse({ file: open('key-use.json', 'move_aside'), clock, schedule });
  return createKeys({ file: open('keys.json', 'refuse'), secrets, use, clock, monotonic });
}

type KeysEdges = Pick<OpenKeysDependencies, 'secrets' | 'clock' | 'monotonic'> & {
  file: JsonFile;
  use: KeyUse;
};
type NewlyMade = { stored: StoredKey; secret: string };

/** Revoked keys are shown for a while, so that the list says what became of them. */
const REVOKED_KEPT = 50;

function createKeys({ file, secrets, use, clock, monotonic }: KeysEdges): GatewayKeys {
  const limits = createKeyLimits(monotonic);
  const limited = new Map<string, number>();
  const store = createStore(file);
  const make = (key: NewKey, isDefault: boolean, madeBy: string | null): NewlyMade => {
    const { id, secret, sha256 } = newSecret();
    if (isDefault) secrets.write(keySecretName(id), secret);
    use.note({ key: id, name: key.name, door: null, what: 'created' });
    const own = { id, sha256, created_at: clock(), is_default: isDefault, made_by: madeBy };
    return { stored: storedKey(key, own), secret };
  };
  const row = (stored: StoredKey): KeyRow => {
    const { sha256: _digest, ...shown } = stored;
    const { uses, lastUsedAt } = use.of(stored.id);
    return { ...shown, last_used_at: lastUsedAt, uses, limited: limited.get(stored.id) ?? 0 };
  };
  return {
    list: () => store.all().map(row),
    create: (key, madeBy = null) => {
      const bounded = madeBy === null ? key : boundedBy(makerIn(store.live(), madeBy), key);
      const { stored, secret } = make(checkedKey(bounded), false, madeBy);
      store.save([...store.all(), stored], []);
      return { key: row(stored), secret };
    },
    revoke: (id) => {
      const ended = store.ending(id);
      secrets.write(keySecretName(id), null);
      for (const { id: key, name } of ended) use.note({ key, name, door: null, what: 'revoked' });
      const [found] = ended;
      store.revoke(ended, clock(), found?.is_default === true ? [make(newOf(found), true, null).stored] : []);
    },
    find: (secret) => {
      const id = idIn(secret);
      const found = store.live().find((one) => one.id === id);
      return found !== undefined && isSecretOf(secret, found) ? keyFromStored(found) : null;
    },
    ...createDefaultKeys(secrets, store.live, (keys) =>
      store.save([...store.all(), ...keys.map((key) => make(key, true, null).stored)], []),
    ),
    tapKeys: () => store.live().flatMap((one) => tapKeyOf(one, store.boundsOf(one)) ?? []),
    strangers: () =>
      store
        .live()
        .flatMap((one) => (tapKeyOf(one, []) === null ? [{ sha256: one.sha256, name: one.name }] : [])),
    admit: (key, door) => {
      const stored = store.live().find(({ id }) => id === key.id);
      const admitted = limits.admit([key, ...(stored === undefined ? [] : store.boundsOf(stored))]);
      if (!admitted.isAdmitted) limited.set(key.id, (limited.get(key.id) ?? 0) + 1);
      use.note({ key: key.id, name: key.name, door, what: admitted.isAdmitted ? 'used' : 'limited' });
      return admitted;
    },
    ...createKeyNotes(use, store),
    isLive: (id) => store.live().some((one) => one.id === id),
    isMadeBy: store.isMadeBy,
    onChanged: store.onChanged,
    close: () => use.close(),
  };
}

/** The name of a default key's words among the secrets. */
const keySecretName = (id: string): string => `key.${id}`;

/** The keys that are there without anybody making them: one for each environment, which opens every door. */
function createDefaultKeys(secrets: Secrets, live: () => StoredKey[], add: (keys: NewKey[]) => void) {
  const known = () =>
    live().flatMap((one) => {
      const secret = one.is_default ? secrets.read(keySecretName(one.id)) : null;
      return secret === null || one.environment === null
        ? []
        : [{ ...one, environment: one.environment, secret }];
    });
  return {
    ensureDefaults: (environments: readonly EnvironmentSpec[]): void => {
      // A secret that a keychain has lost cannot be printed any more: such a key gets a companion that can.
      const there = known();
      const isThere = ({ environment, scopes }: NewKey): boolean =>
        there.some((one) => one.environment === environment && scopes.every((s) => one.scopes.includes(s)));
      const missing = environments.map(defaultKey).filter((key) => !isThere(key));
      if (missing.length > 0) add(missing);
    },
    defaults: () => known().map(({ environment, secret }) => ({ environment, secret })),
  };
}

type NoteKeys = Pick<
  GatewayKeys,
  'takeOver' | 'noteTap' | 'noteInvite' | 'touchInvite' | 'lastUsedAt' | 'note' | 'audit'
>;

/** Keeps notes of the use of keys and invites. */
const createKeyNotes = (
  use: KeyUse,
  store: Pick<ReturnType<typeof createStore>, 'tapNamed' | 'all' | 'save'>,
): NoteKeys => ({
  takeOver: (came, used) => {
    use.takeOver(used);
    const known = new Set(store.all().map(({ id }) => id));
    store.save([...store.all(), ...came.filter(({ id }) => !known.has(id))], []);
  },
  noteTap: (name, what) => use.note({ key: store.tapNamed(name)?.id ?? null, name, door: 'tap', what }),
  noteInvite: ({ id, label }, what) => use.note({ key: id, name: label, door: 'console', what }),
  touchInvite: (id) => use.touch(id),
  lastUsedAt: (id) => use.of(id).lastUsedAt,
  note: (what, door, key) => use.note({ key: key?.id ?? null, name: key?.name ?? null, door, what }),
  audit: () => use.notes(),
});

/** The keys in memory and in their file, changed together. One process owns a data folder, so nobody else writes it. */
function createStore(file: JsonFile) {
  const found = readKeys(file);
  let { keys } = found;
  const listeners = new Set<(revoked: readonly string[]) => void>();
  const save = (next: StoredKey[], revoked: readonly string[]): void => {
    const gone = next.filter(({ revoked_at }) => revoked_at !== null).slice(0, -REVOKED_KEPT);
    keys = next.filter((one) => !gone.includes(one));
    file.write({ ...file.read(), keys: [...found.others, ...keys] });
    for (const tell of listeners) tell(revoked);
  };
  return {
    all: (): StoredKey[] => keys,
    live: (): StoredKey[] => keys.filter(({ revoked_at }) => revoked_at === null),
    isMadeBy: (maker: string | null, key: string): boolean =>
      makersOf({ made_by: maker }, keys).some(({ id }) => id === key),
    boundsOf: (key: StoredKey) => makersOf(key, keys).map(boundOf),
    tapNamed: (name: string): StoredKey | undefined =>
      keys.find((one) => one.revoked_at === null && one.name === name && one.scopes.includes('tap')),
    save,
    /** The key and all that was made with it. Throws `not_found`. */
    ending: (id: string): StoredKey[] => {
      const live = keys.filter(({ revoked_at }) => revoked_at === null);
      const found = live.find((one) => one.id === id);
      if (found !== undefined) return withMade(found, live);
      throw new Failure('not_found', `there is no key ${id}`, { next: 'It may be revoked already.' });
    },
    revoke: (ended: readonly StoredKey[], at: number, fresh: readonly StoredKey[]): void => {
      const revoked = ended.map((one) => ({ ...one, revoked_at: at }));
      save(
        [...keys.filter((one) => !ended.includes(one)), ...revoked, ...fresh],
        ended.map(({ id }) => id),
      );
    },
    onChanged: (listener: (revoked: readonly string[]) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
