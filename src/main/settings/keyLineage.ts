// Which key made which: a key to the console bounds what it makes, and takes it along when it ends.
import { Failure } from '../../shared/failure.ts';
import type { KeyBound, NewKey, StoredKey } from './keyShapes.ts';

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
