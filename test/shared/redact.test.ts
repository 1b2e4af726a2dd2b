// The one redaction: by name, by shape, in addresses. Outside truth: the shapes as their issuers publish them, and the
// published rules of gitleaks and detect-secrets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { credentialsOf, shownAddress } from '../../src/shared/redact/address.ts';
import { createCover } from '../../src/shared/redact/cover.ts';
import { isSecretName } from '../../src/shared/redact/names.ts';
import {
  echoesOf,
  redactJson,
  redactMessage,
  redactText,
  secretsOf,
  withoutMarks,
} from '../../src/shared/redact/redact.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';

const product = fileURLToPath(new URL('../..', import.meta.url));

describe('names of secrets', () => {
  it.each(
    (
      'password passwd pwd pass db_password dbPassword secret client_secret secretKey token access_token accessToken ' +
      'HF_TOKEN api_key apikey apiKey x-api-key OPENAI_API_KEY llm_api_key authorization Authorization ' +
      'Proxy-Authorization cookie Set-Cookie creds credentials private_key access_key aws_secret_access_key ' +
      'connection_string connectionString password_hash api_key_2 auth jwt'
    ).split(' '),
  )('takes %s for one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(
    (
      'max_tokens tokens token_count tokenizer next_page_token page_token eos_token pad_token_id key primary_key ' +
      'public_key sort_key keyboard monkey password_policy secretary author authority passenger compass bypass ' +
      'session_id task_idx scenario seed episode_id cookies_enabled token_type'
    ).split(' '),
  )('takes %s for none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

const NESTED = {
  servers: [
    { headers: { Authorization: 'Bearer zq-1' } },
    ['--api-key', 'zq-2'],
    ['X-Api-Key', 'zq-3', 'X-Run', 'seven'],
  ],
  env: [{ name: 'DB_PASSWORD', value: 'zq-4' }, 'OPENAI_API_KEY=zq-5', 'HOME=/srv'],
  creds: { user: 'zq-6', deep: [{ pin: 44_127 }] },
  pwd: 'zq',
  nested: '{"password": "zq-7", "n": 3}',
  url: 'postgres://ada:zq-8@db.test/x?sslpassword=zq-9&mode=1',
  plain: 'hf_abcdefghijklmnopqrstuv12',
  dsn: 'Server=db;Database=x;Password=zq-10;Encrypt=true',
  auth: { type: 'basic', password: 'zq-11' },
  max_tokens: 2048,
  next_page_token: 'page-2',
  note: 'the password: ask at the desk',
  token: null,
  is_secret: true,
};

describe('a value with secrets anywhere in it', () => {
  it('is covered by name and by shape, with a note of each length, and nothing else is touched', () => {
    expect(redactJson(NESTED)).toEqual({
      servers: [
        { headers: { Authorization: '[redacted:11]' } },
        ['--api-key', '[redacted:4]'],
        ['X-Api-Key', '[redacted:4]', 'X-Run', 'seven'],
      ],
      env: [{ name: 'DB_PASSWORD', value: '[redacted:4]' }, 'OPENAI_API_KEY=[redacted:4]', 'HOME=/srv'],
      creds: { user: '[redacted:4]', deep: [{ pin: '[redacted:5]' }] },
      pwd: '[redacted:2]',
      nested: '{"password":"[redacted:4]","n":3}',
      url: 'postgres://[redacted:8]@db.test/x?sslpassword=[redacted:4]&mode=1',
      plain: '[redacted:27]',
      dsn: '[redacted:48]',
      auth: { type: 'basic', password: '[redacted:5]' },
      max_tokens: 2048,
      next_page_token: 'page-2',
      note: 'the password: ask at the desk',
      token: null,
      is_secret: true,
    });
  });

  it('keeps the integers beyond 2^53 beside a secret in JSON inside a text', () => {
    const config = '{"api_key":"zq7-in-text-96","id":9007199254740993,"pin":9007199254740995}';

    expect(redactJson({ config })).toEqual({
      config: '{"api_key":"[redacted:14]","id":9007199254740993,"pin":9007199254740995}',
    });
    expect(redactJson({ config: '{"password":9007199254740993}' })).toEqual({
      config: '{"password":"[redacted:16]"}',
    });
  });

  it('does not change a second time', () => {
    const once = redactJson(NESTED);

    expect(redactJson(once)).toBe(once);
    expect(secretsOf(once)).toEqual([]);
  });

  it('is the very value where nothing is found', () => {
    const value = { scenario: 'a', list: [1, { x: 'y' }], text: '{"a": 1.0}' };

    expect(redactJson(value)).toBe(value);
  });

  it('gives up what it no longer holds, at any depth, when it is used again', () => {
    expect(withoutMarks(redactJson({ a: 1, deep: [{ password: 'zq-1' }], old: '[redacted]' }))).toEqual({
      a: 1,
    });
  });

  it('never holds a planted secret afterwards, whatever stands around it', () => {
    const random = seededRandom(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const around = (depth: number): unknown =>
      depth === 0
        ? pick([1, null, true, 'words', '', '{"a": 1}', '[redacted:3]', '{broken', 'a=b', 'x: y'])
        : pick([
            [around(depth - 1), around(depth - 1)],
            { [pick(['a', 'name', 'value', 'token', 'headers'])]: around(depth - 1), b: around(depth - 1) },
          ]);
    for (let run = 0; run < 2_000; run += 1) {
      const planted = `zq${String(Math.floor(random() * 1e9))}Zq`;
      const name = pick(['password', 'apiKey', 'creds', 'pwd', 'X-Auth-Token']);
      const value = {
        before: around(3),
        list: [[around(2), { [name]: planted, c: around(2) }], { [name]: [planted, { x: planted }] }],
        inside: JSON.stringify([{ [name]: planted }, around(2)]),
      };
      const covered = redactJson(value);
      expect(JSON.stringify(covered)).not.toContain(planted);
      expect(redactJson(covered)).toBe(covered);
    }
  });
});

describe('a secret that comes up again', () => {
  it('is covered as it is, escaped by JSON, in ASCII, percent-encoded, and its password alone', () => {
    const { cover } = createCover(
      secretsOf({ url: 'http://ada:p%40ss-wörd/9@h/', key: 1, password: 'quo"te\\9' }),
    );
    const text = [
      JSON.stringify({ again: 'quo"te\\9' }),
      JSON.stringify(JSON.stringify({ again: 'quo"te\\9' })),
      'login as quo"te\\9',
    ].join('\n');

    expect(cover(text)).not.toMatch(/quo/);
    expect(createCover(['ada:p%40ss-9']).cover('wrong password p@ss-9 for ada')).toBe(
      'wrong password [redacted:6] for ada',
    );
  });

  it('is put back where the record is read to act on it', () => {
    const { cover, reveal } = createCover(['hunter22', 'second99', 'a-longer-one-0']);
    const value = {
      tool: 'login',
      arguments: { password: 'hunter22', other: 'second99', n: [1, 'a-longer-one-0'] },
    };

    expect(JSON.stringify(cover(value))).not.toMatch(/hunter22|second99|longer/);
    expect(reveal(cover(value))).toEqual(value);
  });

  it('leaves short and plain words alone, which would blank out half of a record', () => {
    expect(echoesOf(['admin', 'password', 'Basic', 'true', '1234'])).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ['http://user:pass@host/?api_key=k1', 'http://[redacted]@host/?api_key=[redacted]'],
    ['https://token1@host:8/a/ws?world=x', 'https://[redacted]@host:8/a/ws?world=x'],
    ['user:pass@host:8899', '[redacted]@host:8899'],
    ['http://host/?code=abc&x=4f9a8c1e7b2d6035', 'http://host/?code=[redacted]&x=[redacted]'],
    ['http://127.0.0.1:8899', 'http://127.0.0.1:8899'],
    ['http://host/path@2/x?page=2', 'http://host/path@2/x?page=2'],
  ])('%s is shown as %s, also when it is shown again', (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
    expect(shownAddress(shown)).toBe(shown);
  });

  it('sends its user as a header, decoded, and keeps its query', () => {
    const { basic, search } = credentialsOf(new URL('http://ada:p%40ss@host/?api_key=k1'));

    expect(basic).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
    expect(search).toBe('?api_key=k1');
  });
});

describe('a text', () => {
  it.each([
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'github_pat_11ABCDEFG0abcdefghijklmnopqrstuvwxyz',
    'hf_abcdefghijklmnopqrstuvwxyz12',
    'sk-proj-abcdef0123456789abcdef',
    'sk-ant-api03-abcdef0123456789',
    'xoxb-123456789012-abcdefghij',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'glpat-abcdefghij0123456789',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
    'abc8Q~abcdefghijklmnopqrstuvwxyz01234.',
    '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
    'ij-0123456789ab-abcdefghijklmnopqrstuv',
  ])('loses %j, alone and in JSON', (secret) => {
    expect(redactText(`a ${secret} b`)).toBe('a [redacted] b');
    expect(JSON.parse(redactText(JSON.stringify({ text: `a ${secret} b` })))).toEqual({
      text: 'a [redacted] b',
    });
  });

  it('loses what a server repeats in a message', () => {
    const said = redactMessage(
      '401: key sk-proj-****abcd at http://u:pw-1@h/?key=abc, {"password": "zq-12"}',
      ['zq-own-1'],
    );

    expect(said).not.toMatch(/abcd|pw-1|abc,|zq-12/);
    expect(redactMessage(said)).toBe(said);
  });
});

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && /\.(?:ts|tsx|md|json|jsonl|txt|py|sql)$/.test(entry.name))
      yield join(entry.parentPath, entry.name);
  }
}

it('ordinary text is left as it is: nothing is found in the worlds, prompts, documentation and sources of this product', () => {
  const found: string[] = [];
  let characters = 0;
  for (const folder of [
    'resources',
    'docs',
    'src/renderer',
    'src/main',
    'src/shared/episode',
    'src/shared/contract',
  ]) {
    for (const file of sources(join(product, folder))) {
      const text = readFileSync(file, 'utf8');
      characters += text.length;
      redactText(text, (secret) => {
        found.push(`${file}: ${secret}`);
        return secret;
      });
    }
  }

  expect(characters).toBeGreaterThan(2_000_000);
  expect(found).toEqual([]);
});
