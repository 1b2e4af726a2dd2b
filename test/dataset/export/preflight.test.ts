import { describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../src/shared/contract/export.ts';
import type { Format } from '../../../src/main/dataset/export/format.ts';
import { createRowChecks, ROW_CHECKS } from '../../../src/main/dataset/export/preflight/checks.ts';
import {
  likeness,
  NEAR,
  nearTasks,
  signatureOf,
} from '../../../src/main/dataset/export/preflight/nearTasks.ts';
import { READ_MAX } from '../../../src/shared/truncate.ts';
import {
  holdsEmail,
  holdsIban,
  kindOfNumber,
  holdsKey,
} from '../../../src/main/dataset/export/preflight/privacy.ts';
import { seenRow } from '../../../src/main/dataset/export/preflight/seenRow.ts';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import { ExactNumber } from '../../../src/shared/json.ts';
import { rulesOf } from '../../support/exporting.ts';

const exact = (digits: string): ExactNumber => new ExactNumber(digits);

type Row = Record<string, unknown>;
const formatNamed = (id: ExportFormat, columns: Format['columns'] = null): Format => ({
  id,
  verdict: 'any',
  columns,
  says: '',
  rows: () => ({ rows: [], dropped: {} }),
});
const noPause = (): Promise<void> => Promise.resolve();
/** Names of what is found in a row. */
const found = async (
  row: Row,
  id: ExportFormat = 'sft',
  rules = {},
  columns: Format['columns'] = null,
): Promise<string[]> => {
  const bits = await createRowChecks(
    formatNamed(id, columns),
    rulesOf(rules),
    noPause,
  )(seenRow(row, jsonLine(row)));
  return ROW_CHECKS.flatMap(({ check }, bit) => ((bits & (1 << bit)) === 0 ? [] : [check]));
};
const user = { role: 'user', content: 'Do it.' };
const call = (args: unknown = { id: 1 }, name = 'find_order') => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }],
});
const good: Row = { prompt: [user], completion: [call()], tools: [] };

describe('shapes of rows', () => {
  it('finds nothing wrong with a row as TRL wants it', async () => {
    expect(await found(good)).toEqual([]);
  });

  it.each<[string, Row, ExportFormat, object]>([
    ['null_content', { prompt: [user], completion: [{ ...call(), content: null }] }, 'sft', {}],
    ['arguments_type', { prompt: [user], completion: [call('{}')] }, 'sft', {}],
    ['arguments_type', { prompt: [user], completion: [call()] }, 'sft', { arguments: 'string' }],
    ['prompt_end', { prompt: [{ role: 'system', content: 'x' }], completion: [call()] }, 'sft', {}],
    ['equal_pair', { prompt: [user], chosen: [call()], rejected: [{ ...call() }] }, 'preference', {}],
    [
      'other_words',
      { prompt: [user], chosen: [{ ...call({ id: 1 }), content: 'Sure.' }], rejected: [call({ id: 2 })] },
      'preference',
      {},
    ],
    [
      'words_with_thoughts',
      { prompt: [user], completion: [{ ...call(), content: 'I look.', reasoning_content: 'Which?' }] },
      'sft',
      {},
    ],
    [
      'several_calls',
      {
        prompt: [user],
        completion: [{ ...call(), tool_calls: [...call().tool_calls, ...call().tool_calls] }],
      },
      'sft',
      {},
    ],
    ['large_integers', { ...good, completion: [call({ id: 2 ** 60 })] }, 'sft', {}],
    [
      'exact_integers',
      { ...good, completion: [call({ id: new ExactNumber('9007199254740993') })] },
      'sft',
      {},
    ],
    ['mended_text', { ...good, prompt: [{ role: 'user', content: 'half \ud83d' }] }, 'sft', {}],
  ])('finds %s', async (name, row, format, rules) => {
    expect(await found(row, format, rules)).toEqual([name]);
  });

  it('tells equal sides of a pair from sides that only share an id', async () => {
    const other = [call({ id: 2 })];

    expect(await found({ prompt: [user], chosen: [call()], rejected: other }, 'preference')).toEqual([]);
  });

  it('wants just the columns of the format, in their order, each of its type', async () => {
    const columns = [
      { name: 'prompt', type: 'json', isList: true },
      { name: 'turn', type: 'int64' },
    ] as const;

    expect(await found({ prompt: [user], turn: 1 }, 'sft', {}, columns)).toEqual([]);
    expect(await found({ prompt: [user], turn: 1.5 }, 'sft', {}, columns)).toEqual(['schema']);
    expect(await found({ prompt: [user], turn: null }, 'sft', {}, columns)).toEqual(['schema']);
    expect(await found({ turn: 1, prompt: [user] }, 'sft', {}, columns)).toEqual(['schema']);
    expect(await found({ prompt: [user], turn: 1, more: 1 }, 'sft', {}, columns)).toEqual(['schema']);
  });
});

describe('a whole number of a column of 64 bits', () => {
  const columns = [{ name: 'turn', type: 'int64' }] as const;

  it.each([
    0,
    -1,
    2 ** 53 - 1,
    ...['9007199254740993', '9223372036854775807', '-9223372036854775808'].map(exact),
  ])('may be %s', async (turn) => {
    expect(await found({ turn }, 'sft', {}, columns)).not.toContain('schema');
  });

  it.each([2 ** 53, ...['9223372036854775808', '-9223372036854775809'].map(exact)])(
    'is not %s, which may be another or does not fit',
    async (turn) => {
      expect(await found({ turn }, 'sft', {}, columns)).toContain('schema');
    },
  );
});

describe('keys and places', () => {
  it.each([
    'the key\nsk-proj-abcdefghijklmnopqrstuvwx is mine',
    'api key ij-0123456789ab-abcdefghijklmnopqrstuv of the gateway',
    'open http://127.0.0.1:4747/#token=abcdefghijklmnop1234',
    'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab',
    'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
    'AKIAIOSFODNN7EXAMPLE',
    '-----BEGIN RSA PRIVATE KEY-----',
    'postgres://admin:hunter22@db.internal:5432/x',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  ])('finds the key in %j, wherever the line breaks', async (text) => {
    expect(await found({ ...good, prompt: [{ role: 'user', content: `x\n${text}` }] })).toContain('secrets');
  });

  it.each([
    'task-oriented work',
    'ask-expert-about-the-order-first',
    'https://example.com/a:b',
    'bearer of news',
  ])('takes no key from %j', (text) => {
    expect(holdsKey(text)).toBe(false);
  });

  it('finds fields of the host and folders of a machine, in frames inside of texts too', async () => {
    const frame = JSON.stringify({ session_dir: '/home/ada/awm/s1', trajectory_path: null });

    expect(await found({ ...good, frame })).toEqual(['forbidden_fields', 'local_paths']);
    expect(await found({ ...good, frame: JSON.stringify({ session_dir: null }) })).toEqual([]);
  });

  it('warns of folders of the host in a lossless bundle, which holds every frame, and refuses a key there too', async () => {
    const levels = async (frame: Row): Promise<string[]> => {
      const row = { frame: JSON.stringify(frame) };
      const bits = await createRowChecks(
        formatNamed('events'),
        rulesOf(),
        noPause,
      )(seenRow(row, jsonLine(row)));
      return ROW_CHECKS.flatMap(({ check, level }, bit) =>
        (bits & (1 << bit)) === 0 ? [] : [`${level} ${check}`],
      );
    };

    expect(await levels({ session_dir: '/srv/s1' })).toEqual(['warning forbidden_fields']);
    expect(await levels({ llm_api_key: 'hunter22' })).toEqual(['error forbidden_fields']);
    expect(await levels({ llm_api_key: '[redacted]', session_dir: '[left out]' })).toEqual([]);
    expect(await levels({ note: 'sk-abcdefghijklmnopqrstuvwx' })).toEqual(['error secrets']);
  });
});

describe('what may be about a person', () => {
  it('finds addresses, but not those of example domains', () => {
    expect(holdsEmail('write to ada@lovelace.org now')).toBe(true);
    expect(holdsEmail('write to ada@example.com or bob@shop.test')).toBe(false);
  });

  it.each([
    ['+44 20 7946 0958', 'phone'],
    ['(212) 555-0123', 'phone'],
    ['212-555-0123', 'phone'],
    ['4111 1111 1111 1111', 'card'],
    ['4111111111111112', null],
    ['63.14580399999977', null],
    ['078-05-1120', 'id'],
    ['000-05-1120', null],
    ['1700000000000', null],
  ])('takes %s for %s', (text, kind) => {
    expect(kindOfNumber(text)).toBe(kind);
  });

  it('finds an account number by its check digits', () => {
    expect(holdsIban('pay to GB82 WEST 1234 5698 7654 32 today')).toBe(true);
    expect(holdsIban('pay to GB83 WEST 1234 5698 7654 32 today')).toBe(false);
  });

  it('takes dates, ids and amounts for nobody’s', async () => {
    const text = 'Order 10293847 of 2026-01-31 10:00:00, total 1299.00, version 1.2.3, e0000123-4567';

    expect(await found({ ...good, prompt: [{ role: 'user', content: text }] })).toEqual([]);
  });
});

describe('tasks that are nearly the same', () => {
  const task =
    'Rename the workflow called "Weekly report" to "Monthly report" and tell the owner that it was done.';
  const near =
    'Rename the workflow called "Night backup" to "Day backup" and tell the owner that it was done.';
  const other =
    'Refund the last order that Ada placed in the shop, then close her ticket with a short apology.';

  it('are found by their words, names in quotes aside', () => {
    expect(likeness(signatureOf(task), signatureOf(near))).toBeGreaterThanOrEqual(NEAR);
    expect(likeness(signatureOf(task), signatureOf(other))).toBeLessThan(0.3);
    expect(
      nearTasks(
        [
          ['a', signatureOf(task)],
          ['b', signatureOf(other)],
        ],
        [['held', signatureOf(near)]],
      ),
    ).toEqual([{ task: 'a', other: 'held' }]);
  });
});

it.each([
  ['secrets', 'sk-abcdefghijklmnopqrstuvwx'],
  ['card_numbers', '4111 1111 1111 1111'],
  ['email_addresses', 'ada@lovelace.io'],
  ['local_paths', '/home/ada/file'],
])('finds %s at any place of a long row, and lets others have their turn', async (check, value) => {
  let turns = 0;
  const pace = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  const find = createRowChecks(formatNamed('sft'), rulesOf(), pace);

  for (const place of [0, 1, 2, 3].map((nth) => READ_MAX * nth - 30)) {
    const content = `${'word '.repeat(Math.max(0, Math.floor(place / 5)))} ${value} ${'word '.repeat(READ_MAX / 2)}`;
    const row = { messages: [{ role: 'user', content }] };
    const bits = await find(seenRow(row, jsonLine(row)));

    expect(ROW_CHECKS.some((one, bit) => one.check === check && (bits & (1 << bit)) !== 0)).toBe(true);
  }

  expect(turns).toBeGreaterThan(12);
});
