// Random numbers that depend on a seed alone: the same seed gives the same numbers on every machine.
// Generator: xoshiro128** of Blackman and Vigna (2018), its state filled by splitmix32.

export type Random = () => number;

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** Whole numbers in [0, 2^32). The state may not be all zeros. */
export function xoshiro128(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state;
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
}

/** Spreads a seed over 32 bits (splitmix32, the finaliser of MurmurHash3). */
function splitmix(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x85ebca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}

/** FNV-1a over UTF-16 code units: a seed out of words. */
const seedOf = (words: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193);
  return hash;
};

/** Numbers in [0, 1). */
export function seededRandom(seed: number | string): Random {
  const mix = splitmix(typeof seed === 'string' ? seedOf(seed) : seed);
  const next = xoshiro128([mix(), mix(), mix(), mix() | 1]);
  return () => next() / 2 ** 32;
}

/** The values in an order that depends on the random numbers alone (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const order = [...values];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
