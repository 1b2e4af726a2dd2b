// JSON whose numbers JavaScript would write otherwise, and a reader of its own that keeps every number as its text.

const SPECIAL = [
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
  '1e400',
  '-1E+400',
  '1e-400',
  '-0.0',
  '-0',
  '1.10',
  '1.0',
  '0.123456789012345678901234567890',
  '1E5',
  '100000000000000000000000',
  '0.30000000000000004',
  '5e-324',
  '12.50e2',
  '0.0000001',
  '-0.00000025',
  '0.000001',
];

/** A number in [0, 1) that is the same each time for one seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
}

const digits = (random: () => number, most: number): string =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => String(Math.floor(random() * 10))).join('');

export function randomNumber(random: () => number): string {
  if (random() < 0.3) return SPECIAL[Math.floor(random() * SPECIAL.length)] ?? '0';
  const whole = digits(random, 24).replace(/^0+(?=\d)/, '');
  const part = random() < 0.5 ? `.${digits(random, 30)}` : '';
  const power = random() < 0.2 ? `e${random() < 0.5 ? '-' : ''}${digits(random, 3)}` : '';
  return `${random() < 0.3 ? '-' : ''}${whole}${part}${power}`;
}

const TEXTS = ['""', '"9007199254740993"', '"é\\u00e9\\n\\/"', '" 1.0 "', '"{\\"a\\": 1.10}"', '"⟦x⟧"'];

/** A JSON value with about so many leaves. Keys are no whole numbers: JavaScript would put these first. */
export function randomJson(random: () => number, leaves: number, depth = 0): string {
  const space = random() < 0.5 ? ' ' : '';
  if (leaves <= 1 || depth > 6) {
    const kind = random();
    if (kind < 0.75) return randomNumber(random);
    return kind < 0.9 ? (TEXTS[Math.floor(random() * TEXTS.length)] ?? '""') : kind < 0.95 ? 'null' : 'true';
  }
  const count = 1 + Math.floor(random() * 8);
  const inner = Array.from({ length: count }, () => randomJson(random, leaves / count, depth + 1));
  return random() < 0.5
    ? `[${inner.join(`,${space}`)}]`
    : randomObject(inner.map((value, at) => [`k${String(at)}`, value]));
}

export const randomObject = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(', ')}}`;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^\s]/g;

/** What a JSON text says: its tokens, texts without their escapes and numbers with every character, one a line. */
export const tokensOf = (text: string): string =>
  (text.match(TOKEN) ?? [])
    .map((token) => (token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token))
    .join('\n');

export const numbersIn = (text: string): number => tokensOf(text).match(/^-?\d/gm)?.length ?? 0;
