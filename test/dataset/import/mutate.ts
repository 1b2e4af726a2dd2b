// Changes records the way other programs' versions differ: names, places, types, additions. Seeded.
export type Random = (below: number) => number;

/** Mulberry32: the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects in it, itself too. */
function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isFields(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const NEW_NAMES = 'label rating value parts body payload meta verdict aside utility x'.split(' ');

/** Texts and numbers that stand nowhere else. */
export function createUnique(random: Random) {
  let made = 0;
  const text = (): string => `marked words ${String((made += 1))} of their own ${String(random(1_000_000))}`;
  const number = (): number => 7_000_000 + (made += 1) * 13 + 0.25;
  return { text, number };
}
export type Unique = ReturnType<typeof createUnique>;

/** Changes one thing of the record in place. */
export function mutate(record: unknown, random: Random, unique: Unique): void {
  const objects = objectsIn(record);
  const target = objects[random(objects.length)] ?? {};
  const keys = Object.keys(target);
  const key = keys[random(Math.max(1, keys.length))];
  const fresh = NEW_NAMES[random(NEW_NAMES.length)] ?? 'x';
  const kinds = [
    () => (target[fresh] = unique.text()),
    () => (target[fresh] = unique.number()),
    () => (target[fresh] = { inner: [unique.text(), { deeper: unique.number() }] }),
    () => (target[fresh] = nested(unique.text(), 12)),
    () => (target[fresh] = HUGE),
    () => (target[fresh] = null),
    () => key !== undefined && rename(target, key, fresh),
    () => key !== undefined && (target[key] = { [fresh]: target[key] }),
    () => key !== undefined && (target[key] = [target[key]]),
    () => key !== undefined && typeof target[key] === 'number' && (target[key] = String(target[key])),
    () => key !== undefined && isFields(target[key]) && (target[key] = JSON.stringify(target[key])),
    () => key !== undefined && typeof target[key] === 'string' && (target[key] = partsOf(target[key], fresh)),
  ];
  kinds[random(kinds.length)]?.();
}

export const HUGE = '@9007199254740993@';
/** The record as text, with huge integers as numbers. */
export const written = (record: unknown): string =>
  JSON.stringify(record).replaceAll(`"${HUGE}"`, '9007199254740993');

const nested = (value: unknown, depth: number): unknown =>
  depth === 0 ? value : { down: nested(value, depth - 1) };

const partsOf = (text: string, name: string): unknown => [
  { type: 'text', [name]: text },
  { type: name, text: 'and a second part of the same words' },
];

function rename(target: Fields, from: string, to: string): void {
  const value = target[from];
  Reflect.deleteProperty(target, from);
  target[to] = value;
}

export type Leaf = { path: string; name: string; value: string | number };

/** The leaves of a record that are told from all others: long texts, numbers of their own. */
export function leavesOf(value: unknown, path: string[] = [], name = ''): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path: path.join('.'), name, value }];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, [...path, '*'], name));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key], key));
}
