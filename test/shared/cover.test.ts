// What is covered before it is recorded, and what is left alone: the planted list, and data as worlds hold it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../support/freezing.ts';
import { answerCover, createCover } from '../../src/shared/redact/cover.ts';
import { PLANTED_SHAPES, PLANTED_TEXT, plantedShapesIn } from '../support/plantedShapes.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';

const FORMS: [string, (text: string) => string][] = [
  ['a text', (text) => text],
  ['JSON', (text) => JSON.stringify({ note: text })],
  ['JSON in JSON', (text) => JSON.stringify({ body: JSON.stringify({ note: text }) })],
];

describe.each(PLANTED_SHAPES)('$name', ({ text, secret }) => {
  it.each(FORMS)('is covered in %s, comes back as it was, and is not covered twice', (_form, formed) => {
    const { cover, reveal } = createCover([]);
    const given = formed(text);

    const covered = cover(given);

    expect(covered).not.toContain(secret);
    expect(reveal(covered)).toBe(given);
    expect(cover(covered)).toBe(covered);
  });
});

describe('a call’s arguments', () => {
  const ARGS = { user: 'ada', password: 'tulip', deep: [{ api_key: 9_007_199 }], note: PLANTED_TEXT, at: 9 };

  it('are covered by name, however plain the value is, and come back with their types', () => {
    const { cover, reveal } = createCover([]);
    const calls = [
      { arguments: ARGS },
      { arguments: JSON.stringify(ARGS) },
      { arguments: JSON.stringify({ tool_name: 'x', arguments: JSON.stringify(ARGS) }) },
    ];

    const covered = cover(calls);

    expect(JSON.stringify(covered)).not.toMatch(/tulip|9007199/);
    expect(plantedShapesIn(JSON.stringify(covered))).toEqual([]);
    expect(covered[0]).toMatchObject({ arguments: { user: 'ada', password: '[redacted:5]', at: 9 } });
    expect(reveal(covered)).toEqual(calls);
  });

  it('leave a word alone elsewhere that only a name made a secret', () => {
    const { cover } = createCover([]);

    expect(cover([{ arguments: { password: 'tulip' } }, 'a tulip'])).toEqual([
      { arguments: { password: '[redacted:5]' } },
      'a tulip',
    ]);
  });
});

it('a secret that was named once is covered wherever it comes up again, with the same mark', () => {
  const { cover } = createCover([]);

  expect(cover('{"password":"hunter2"}')).toBe('{"password":"[redacted:7]"}');
  expect(cover('signed in as ada with hunter2')).toBe('signed in as ada with [redacted:7]');
});

it('a mark that stands in the record already is never given to another secret', () => {
  const foreign = { taken: new Set(['[redacted:7]']), isShared: false };
  const { cover, reveal } = createCover([], () => foreign);

  expect(cover('password=hunter2')).toBe('password=[redacted:7:2]');
  expect(reveal('[redacted:7] and [redacted:7:2]')).toBe('[redacted:7] and hunter2');
});

describe('what is no secret', () => {
  it('is not covered in anything that the built-in worlds hold', () => {
    const worlds = join(import.meta.dirname, '../../resources/worlds');
    for (const file of readdirSync(worlds, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      const value = file.name.endsWith('.json') ? (JSON.parse(text) as unknown) : text;
      const { cover } = createCover([]);
      expect([file.name, cover(value) === value, cover(text) === text]).toEqual([file.name, true, true]);
    }
  });

  it('is not covered in 20,000 records as the worlds of others hold them', () => {
    const random = seededRandom(11);
    const pick = (list: string): string => {
      const words = list.split(' ');
      return words[Math.floor(random() * words.length)] ?? '';
    };
    const digits = (from: string, length: number): string =>
      Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
    const HEX = '0123456789abcdef';
    const values = [
      () => Math.floor(random() * 1e12),
      () => random() < 0.5,
      () => digits('0123456789', 16),
      () => [8, 4, 4, 4, 12].map((length) => digits(HEX, length)).join('-'),
      () => digits(HEX, 40),
      () => digits(HEX, 64),
      () => new Date(Math.floor(random() * 2e12)).toISOString(),
      () => `${pick('ada ben cleo')}@${pick('mail.test corp.test')}`,
      () =>
        `https://${pick('shop.test cdn.test')}/${digits(HEX, 12)}?page=${digits('123456789', 2)}&sort=key`,
      () => `${pick('ORD INV SKU TRK')}-${digits('0123456789ABCDEF', 10)}`,
      () =>
        `${pick('Reset Change Update')} your ${pick('password token key')}: ${pick('see ask read')} the ${pick('desk mail page')}`,
      () => pick('pending active true none pk_sort sk-learn'),
    ];
    const names =
      'id order_id token_count password_reset_sent password_policy next_page_token max_tokens primary_key sort_key ' +
      'public_key session_id user_id author authority secretary tracking_number checksum etag created_at email url ' +
      'has_password token_type cookies_enabled is_secret keyboard status name note quantity price_cents card_last4';
    const covered: unknown[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      const record = Object.fromEntries(
        Array.from({ length: 6 }, () => [pick(names), values[Math.floor(random() * values.length)]?.()]),
      );
      const { cover } = createCover([]);
      const call = { arguments: record, text: JSON.stringify(record), yaml: JSON.stringify(record, null, 1) };
      if (cover(call) !== call) covered.push(cover(call));
    }
    expect(covered).toEqual([]);
  });
});

describe('a text of thousands of secrets', () => {
  const many = (one: (n: number) => string): string =>
    Array.from({ length: 5_000 }, (_, n) => one(n)).join('');
  const LISTS: [string, string, RegExp][] = [
    ['keys', many((n) => `sk-${String(n).padStart(24, 'a')} "\n`), /sk-a/],
    ['passwords', many((n) => `password=x${String(n)}abc `), /x\d+abc/],
    ['addresses', many((n) => `https://ada:p${String(n)}abc@db.test `), /p\d+abc/],
    ['connection strings', many((n) => `Server=a;User Id=b;Password=p${String(n)}abc;\n`), /p\d+abc/],
  ];

  it.each(LISTS)('has none of its %s left, and comes back as it was', (_name, text, secret) => {
    for (const given of [text, JSON.stringify({ type: 'said', list: [text, { password: 'Zq7abc' }] })]) {
      const { cover, reveal } = createCover([]);
      const covered = cover({ given });

      expect(secret.exec(covered.given)?.[0]).toBeUndefined();
      expect(covered.given.includes('Zq7abc')).toBe(false);
      expect(reveal(covered).given === given).toBe(true);
      if (given !== text) expect(JSON.parse(covered.given)).toMatchObject({ type: 'said' });
    }
  });
});

it.each([' ', '\\', '"', '{', '=', 'a', '9', 'a=', 'key="', "pwd='", 'sk-', 'eyJ', '://a:', 'token:'])(
  'a text of 1 MiB of %j is looked through in a moment',
  (unit) => {
    const text = unit.repeat(Math.ceil((1024 * 1024) / unit.length));
    const startedAt = processorTime();
    createCover([]).cover({ text });

    expect(processorTime() - startedAt).toBeLessThan(1_000);
  },
);

it('a large value is covered on another thread as it is here, and what it taught is known afterwards', async () => {
  const given = ['Zz9-longer-secret'];
  const value = (n: number) => ({
    arguments: { password: `tulip${String(n)}`, pin_token: 12_345_678 },
    text: `${'a '.repeat(600_000)}${PLANTED_TEXT} and Zz9-longer-secret`,
  });
  const later = { text: `again ${PLANTED_TEXT}`, arguments: { api_key: 'a-new-one-7' } };
  const [here, elsewhere] = [
    createCover(given),
    createCover(given, undefined, (asked) =>
      Promise.resolve(structuredClone(answerCover(structuredClone(asked)))),
    ),
  ];
  const values = [value(1), value(2)];
  await elsewhere.ahead(values);
  const covered = [...values, later].map((one) => elsewhere.cover(one));

  expect(covered).toEqual([...values, later].map((one) => here.cover(one)));
  expect(covered.map((one) => elsewhere.reveal(one))).toEqual([...values, later]);
  expect(elsewhere.ahead([later])).toBeNull();
});

describe('what stands beside secrets', () => {
  const WORDS = 'Which of the two orders is meant, the paid one or the open one? '.repeat(500);

  it.each([
    ['addresses with a password', 'a://a:b@'.repeat(20_000)],
    ['a key that does not end', '-----BEGIN PRIVATE KEY-----\nMIIEvQ'],
    ['web tokens', 'eyJhbGciOiJI.'.repeat(20_000)],
    ['connection strings', 'host=a password='.repeat(20_000)],
  ])('stays readable, however often there are %s', (_what, secrets) => {
    const { cover, reveal } = createCover([]);
    const text = `${WORDS}${secrets} ${WORDS}`;

    const covered = cover(text);

    expect(covered).toContain(WORDS);
    // What no longer is the key stays; of the key itself nothing does.
    expect(covered.length).toBeGreaterThan(2 * WORDS.length - 16_384);
    expect(covered).not.toContain('MIIEvQ');
    expect(reveal(covered)).toBe(text);
  });

  it.each([
    ['a text', (text: string) => text],
    ['JSON', (text: string) => JSON.stringify({ note: text })],
  ])(
    'stays readable where there are thousands of different ones in %s, and none of these does',
    (_, formed) => {
      const secrets = Array.from({ length: 3_000 }, (_one, n) => `hunter${String(n * 7_919 + 100_000)}`);
      const text = formed(
        secrets.map((one) => `see https://ada:${one}@db.example/orders for order `).join(''),
      );
      const { cover, reveal } = createCover([]);

      const covered = cover(text);

      expect(secrets.filter((one) => covered.includes(one))).toEqual([]);
      expect(covered.split('for order ')).toHaveLength(secrets.length + 1);
      expect(reveal(covered)).toBe(text);
    },
  );
});
