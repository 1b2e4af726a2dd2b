// A rollout's name behind the key, where every client can put it: `KEY~rollout-7`. Names are made up by the client and
// live inside one key.

/** What a client brings as its key: the key itself, and what it calls its rollout. */
export type GivenKey = { secret: string; rollout: string | null };

const ROLLOUT_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** What a name that is none is refused with. The key is no part of it. */
export const BAD_ROLLOUT =
  'a rollout’s name stands behind the key and a ~, and has 1 to 64 letters, digits, dots, hyphens and underscores';

/** Some clients write `~` as `%7E`. The name is not looked at: see `isRolloutName`. */
export function readGivenKey(given: string): GivenKey {
  const at = given.search(/~|%7e/i);
  if (at === -1) return { secret: given, rollout: null };
  return { secret: given.slice(0, at), rollout: given.slice(at + (given[at] === '~' ? 1 : 3)) };
}

export const isRolloutName = (name: string): boolean => ROLLOUT_NAME.test(name);
