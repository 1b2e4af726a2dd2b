// The shapes a key has: as it is kept, as a door knows it, as the tap knows it, as its owner sees it. And which key made
// which: a key to the console bounds what it makes, and takes it along when it ends.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HOLD_DEFAULTS, KeyRow, type Scope } from '../../shared/contract/gateway.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { JsonFile } from './jsonFile.ts';

/** A key as a door knows it: never its secret. */
export type Key = {
  id: string;
  name: string;
  scopes: readonly Scope[];
  environment: string | null;
  perMinute: number | null;
  atOnce: number | null;
};

/** A key that made others, and its bounds: theirs count against it. */
export type KeyBound = { id: string; sha256: string; perMinute: number | null; atOnce: number | null };

export type NewKey = {
  name: string;
  scopes: Scope[];
  environment: string | null;
  per_minute: number | null;
  at_once: number | null;
  /** As `HOLD_DEFAULTS` where it is not said. */
  hold_limit_ms?: Hold['hold_limit_ms'] | undefined;
  hold_fallback?: Hold['hold_fallback'] | undefined;
};

/** The limit of a call's wait for a person, by its key, and the fallback when nobody decides. */
type Hold = Pick<KeyRow, 'hold_limit_ms' | 'hold_fallback'>;

/** A tap key as the tap knows it: enough to recognise it, not enough to be it. */
export type GatewayTapKey = {
  id: string;
  name: string;
  sha256: string;
  environment: string;
  atOnce: number | null;
  perMinute: number | null;
  bounds: KeyBound[];
  hold: Hold;
};

export const StoredKey = KeyRow.pick({
  id: true,
  name: true,
  scopes: true,
  environment: true,
  created_at: true,
  revoked_at: true,
  per_minute: true,
  at_once: true,
  hold_limit_ms: true,
  hold_fallback: true,
  is_default: true,
  made_by: true,
}).extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export type StoredKey = z.infer<typeof StoredKey>;

const keyDigest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A new id, a new secret that names it, and the digest to keep. */
export function newSecret(): { id: string; secret: string; sha256: string } {
  const id = randomBytes(6).toString('hex');
  const secret = `ij-${id}-${randomBytes(24).toString('base64url')}`;
  return { id, secret, sha256: keyDigest(secret).toString('hex') };
}

/** The id that a secret names; undefined for what is no key. */
export const idIn = (secret: string): string | undefined => /^ij-([0-9a-f]{12})-[\w-]+$/.exec(secret)?.[1];

/** In constant time, so that an answer's speed says nothing. */
export function isSecretOf(secret: string, { sha256 }: StoredKey): boolean {
  const given = keyDigest(secret);
  const known = Buffer.from(sha256, 'hex');
  return known.length === given.length && timingSafeEqual(known, given);
}

/** The keys in the file; `others` are entries of another version, which are kept as they are. */
export function readKeys(file: JsonFile): { keys: StoredKey[]; others: unknown[] } {
  const stored = file.read()['keys'] ?? [];
  if (!Array.isArray(stored)) {
    throw new Failure(
      'data_corrupt',
      'keys.json holds something else than a list of keys; it was not changed',
      {
        next: 'Restore it from a backup, or move it away: the keys in it then have to be made again.',
      },
    );
  }
  const keys: StoredKey[] = [];
  const others: unknown[] = [];
  for (const one of stored as unknown[]) {
    const key = StoredKey.safeParse(one).data;
    if (key === undefined) others.push(one);
    else keys.push(key);
  }
  return { keys, others };
}

/** Throws `bad_input` for a key that leads nowhere. */
export function checkedKey(key: NewKey): NewKey {
  if (key.scopes.includes('tap') && key.environment === null) {
    throw new Failure('bad_input', 'a key to a tap leads to one environment', {
      next: 'Choose the environment it leads to.',
    });
  }
  return key.scopes.includes('tap') ? key : { ...key, environment: null };
}

/** A new key as it is kept, with what was not said of it. */
export const storedKey = (
  { hold_limit_ms, hold_fallback, ...key }: NewKey,
  own: Pick<StoredKey, 'id' | 'sha256' | 'created_at' | 'is_default' | 'made_by'>,
): StoredKey => ({
  ...key,
  hold_limit_ms: hold_limit_ms ?? HOLD_DEFAULTS.hold_limit_ms,
  hold_fallback: hold_fallback ?? HOLD_DEFAULTS.hold_fallback,
  revoked_at: null,
  ...own,
});

export const newOf = ({
  id: _id,
  sha256: _digest,
  created_at: _made,
  revoked_at: _revoked,
  is_default: _isDefault,
  made_by: _maker,
  ...key
}: StoredKey): NewKey => key;

/** One key to an environment's tap, the expert, MCP and the agent's model: a rollout's name holds within one key. */
export const defaultKey = ({ id, name }: EnvironmentSpec): NewKey => ({
  name: `${name}, by default`.slice(0, 80),
  scopes: ['tap', 'expert', 'mcp'],
  environment: id,
  per_minute: null,
  at_once: null,
});

export const keyFromStored = ({ id, name, scopes, environment, per_minute, at_once }: StoredKey): Key => ({
  id,
  name,
  scopes,
  environment,
  perMinute: per_minute,
  atOnce: at_once,
});

/** The data by which the tap recognises a key; null for a key that opens no tap. */
export const tapKeyOf = (
  { id, name, sha256, scopes, environment, ...key }: StoredKey,
  bounds: KeyBound[],
): GatewayTapKey | null =>
  scopes.includes('tap') && environment !== null
    ? {
        id,
        name,
        sha256,
        environment,
        atOnce: key.at_once,
        perMinute: key.per_minute,
        bounds,
        hold: { hold_limit_ms: key.hold_limit_ms, hold_fallback: key.hold_fallback },
      }
    : null;

/** The keys that made this one, the nearest first. */
export function makersOf({ made_by }: Pick<StoredKey, 'made_by'>, keys: readonly StoredKey[]): StoredKey[] {
  const maker = keys.find(({ id }) => id === made_by);
  return maker === undefined
    ? []
    : [
        maker,
        ...makersOf(
          maker,
          // No file that was changed by hand leads round in circles.
          keys.filter((one) => one !== maker),
        ),
      ];
}

/** The key to the console that makes another. Throws `unauthorized` where it was revoked meanwhile. */
export function makerIn(live: readonly StoredKey[], id: string): StoredKey {
  const maker = live.find((one) => one.id === id);
  if (maker !== undefined) return maker;
  throw new Failure('unauthorized', 'the key of this console was revoked', {
    next: 'Open the console with the owner’s own token.',
  });
}

/** A key with all that was made with it, and with that in turn. */
export const withMade = (key: StoredKey, keys: readonly StoredKey[]): StoredKey[] => [
  key,
  ...keys.filter((one) => makersOf(one, keys).includes(key)),
];

export const boundOf = ({ id, sha256, per_minute, at_once }: StoredKey): KeyBound => ({
  id,
  sha256,
  perMinute: per_minute,
  atOnce: at_once,
});

/** The key with no more than its maker may. Throws `bad_input` for one that asks for more. */
export const boundedBy = (maker: StoredKey, key: NewKey): NewKey => ({
  ...key,
  per_minute: withinLimit(key.per_minute, maker.per_minute, 'requests a minute'),
  at_once: withinLimit(key.at_once, maker.at_once, 'at once'),
});

function withinLimit(asked: number | null, most: number | null, what: string): number | null {
  if (most === null || asked === null) return asked ?? most;
  if (asked <= most) return asked;
  throw new Failure('bad_input', `this console’s own key may ${String(most)} ${what}, and gives no more on`, {
    next: 'Ask for less, or make the key with the owner’s own token.',
  });
}
