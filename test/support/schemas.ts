/** Generated schemas with generated values, the same ones every time. */
export type SchemaCase = { schema: Record<string, unknown>; values: unknown[] };

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const NAMES = ['id', 'name', 'lines', 'note', 'a.b'];
const TEXTS = ['', 'a', 'open', '7', '2026-01-31', 'żółw 🐢', 'x'.repeat(40)];
const PATTERNS = ['^[a-z]+$', String.raw`^\d{4}-\d{2}-\d{2}$`, 'o', '^.{2,}$'];

export function generatedSchemas(count: number, seed: number): SchemaCase[] {
  // Mulberry32: a generator of one line whose numbers anyone can have again.
  const random = (): number => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number): number => Math.floor(random() * max);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const some = <T>(from: readonly T[]): T[] => from.filter(() => random() < 0.5);

  const valueOf = (depth: number): unknown => {
    const kind = below(depth > 2 ? 5 : 8);
    if (kind < 2) return pick(TEXTS);
    if (kind === 2) return pick([0, 1, -3, 2.5, 10, 100, 7]);
    if (kind === 3) return random() < 0.5;
    if (kind === 4) return null;
    if (kind === 5) return Array.from({ length: below(4) }, () => valueOf(depth + 1));
    return Object.fromEntries(some(NAMES).map((name) => [name, valueOf(depth + 1)]));
  };
  const schemaOf = (depth: number): Record<string, unknown> => {
    const inner = (): unknown => (random() < 0.1 ? random() < 0.5 : schemaOf(depth + 1));
    const keywords: [string, () => unknown][] = [
      ['type', () => (random() < 0.7 ? pick(TYPES) : ['null', pick(TYPES.slice(0, 4))])],
      ['enum', () => [valueOf(2), valueOf(2), 'open', 7]],
      ['const', () => valueOf(2)],
      ['minimum', () => below(8)],
      ['maximum', () => below(20)],
      ['exclusiveMinimum', () => below(3)],
      ['multipleOf', () => pick([2, 0.5])],
      ['minLength', () => below(4)],
      ['maxLength', () => below(8)],
      ['pattern', () => pick(PATTERNS)],
      ['minItems', () => below(3)],
      ['maxItems', () => below(3)],
      ['uniqueItems', () => random() < 0.5],
      ['required', () => some(NAMES)],
      ['additionalProperties', () => random() < 0.6 && inner()],
      ['nullable', () => random() < 0.5],
    ];
    const nested: [string, () => unknown][] = [
      ['properties', () => Object.fromEntries(some(NAMES).map((name) => [name, inner()]))],
      ['patternProperties', () => ({ '^n': inner() })],
      ['items', inner],
      ['prefixItems', () => [inner(), inner()]],
      ['anyOf', () => [inner(), inner()]],
      ['oneOf', () => [inner(), inner()]],
      ['allOf', () => [inner(), inner()]],
      ['not', inner],
      ['contains', inner],
      ['$ref', () => pick(['#/$defs/Step', '#/$defs/Kind'])],
    ];
    const chosen = [...some(keywords).slice(0, 2), ...(depth > 1 ? [] : some(nested).slice(0, 2))];
    const made = Object.fromEntries(chosen.map(([keyword, make]) => [keyword, make()]));
    if (!('type' in made)) delete made['nullable'];
    return made;
  };
  const $defs = {
    Step: { type: 'object', properties: { at: { type: 'integer', minimum: 1 } }, required: ['at'] },
    Kind: { enum: ['open', 'closed', null] },
  };
  return Array.from({ length: count }, () => ({
    schema: { $defs, ...schemaOf(0) },
    values: Array.from({ length: 12 }, () => valueOf(0)),
  }));
}
