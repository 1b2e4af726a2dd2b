// The leak meter against cases labelled by hand, and against a brute-force reference that walks the values of plans
// instead of reading text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leakOf, secretTexts } from '../../src/shared/leak.ts';
import type { PlannedCall } from '../../src/shared/plan.ts';
import { PACK, type Served, serveWorlds } from '../support/worlds.ts';

const CODE = `
def verify(initial, final):
    """Checks that the order 4711 is shipped."""
    row = final.execute("SELECT status, carrier FROM orders WHERE id = 8812").fetchone()
    # see ticket 999
    if row["status"] == 'shipped' and row.get("carrier") == "Nordic Freight":
        return {"result": "complete"}
    return {"result": "others"}
`;

const CASES: [
  name: string,
  secret: string,
  known: string[],
  draft: string,
  leaked: string[],
  repeated: number,
][] = [
  ['an id of the criteria', 'Workflow 103 is paused.', ['Pause it.'], 'Pause workflow 103.', ['103'], 1],
  ['an id that the task tells', 'Workflow 103 is paused.', ['Pause 103.'], 'Pause workflow 103.', [], 1],
  ['an id that a tool has answered', 'Row 9041 is gone.', ['{"id": 9041}'], 'Delete 9041.', [], 1],
  ['a number with commas', 'The total is 12500.', ['a total of 12,500'], 'Say 12500', [], 1],
  ['a number told in words', 'Keep {"limit": 3}', ['the top three'], '{"limit": 3}', [], 1],
  ['a literal the draft does not repeat', 'Row 9041 is gone.', [], 'Look first, then delete it.', [], 0],
  ['the marks of a list', 'Move to {"position": 3}', [], '1. Look\n2. Move it\n3. Check', [], 0],
  ['a small number in prose', 'Move to {"position": 3}', [], 'There are 3 rows.', [], 0],
  ['a small number as a value', 'Move to {"position": 3}', [], '{"position": 3}', ['3'], 1],
  ['0 and 1, which stand anywhere', '{"page": 0, "user_id": 1}', [], '{"page": 0, "user_id": 1}', [], 0],
  ['a name in other case', 'Name is "Jonas Berg"', [], 'it is JONAS BERG', ['Jonas Berg'], 1],
  [
    'a name that holds a shorter one',
    'Not "Jonas Berg", "Jonas Bergh"',
    ['Jonas Berg'],
    'Jonas Bergh',
    ['Jonas Bergh'],
    1,
  ],
  ['a code between signs', 'The code is CK-409.', [], 'Answer (CK-409).', ['CK-409'], 1],
  ['an address', 'Sent to ops@acme.test', [], 'mail ops@acme.test', ['ops@acme.test'], 1],
  [
    'a cron line, not its digits',
    'cron "30 6 * * 1-5"',
    ['at 06:30'],
    '"cron": "30 6 * * 1-5"',
    ['30 6 * * 1-5'],
    1,
  ],
  [
    'what code compares',
    CODE,
    ['Ship the order.'],
    'Ship 8812 by Nordic Freight: status shipped',
    ['8812', 'Nordic Freight', 'shipped'],
    3,
  ],
  [
    'comments, docstrings, keys and verdicts of code',
    CODE,
    [],
    'Status complete, carrier of 4711 and 999',
    [],
    0,
  ],
  ['an escape of JSON', 'Name is "Zoë"', [], String.raw`{"name": "Zo\u00eb"}`, ['Zoë'], 1],
  ['a value of a schema', '{"status": "archived"}', ['{"enum":["active","archived"]}'], 'archived', [], 1],
];

describe('values the agent could not know', () => {
  it.each(CASES)('are told apart: %s', (_name, secret, known, draft, values, repeated) => {
    expect(leakOf(draft, [secret], known)).toEqual({
      count: values.length,
      repeated,
      values: values.toSorted(),
    });
  });

  it('may be of any length', () => {
    const name = 'Nordic Freight '.repeat(4_000).trim();
    const secret = `"${name.replaceAll(' ', '_')}"`;
    expect(leakOf(`Say ${secret}.`, [secret], []).count).toBe(1);
  });
});

let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

type Leaf = string | number;
const leaves = (value: unknown): Leaf[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(leaves)
      : [];

/** Words of a text, each run of letters and digits for itself. */
const runs = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const WORDS = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const holds = (text: string, leaf: Leaf): boolean => {
  const [all, wanted] = [runs(text), runs(String(leaf))];
  if (typeof leaf === 'number' && all.includes(WORDS[leaf] ?? '-')) return true;
  return all.some((_run, at) => wanted.every((run, i) => all[at + i] === run));
};

/** The values of a plan that the verifier's side holds and nothing the agent saw does, one comparison at a time. */
const bruteForce = (
  calls: readonly PlannedCall[],
  secrets: readonly string[],
  known: readonly string[],
): string[] => {
  const values = calls
    .flatMap(({ args }) => leaves(args))
    .filter((one) => typeof one === 'string' || one > 1);
  const leaked = values.filter(
    (one) => secrets.some((text) => holds(text, one)) && !known.some((text) => holds(text, one)),
  );
  return [...new Set(leaked.map(String))].toSorted();
};

describe('plans of the built-in world', () => {
  const TASKS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

  it.each(TASKS)('leak what comparing every single value says: task %i', async (task_idx) => {
    const client = await served.talk();
    const { data } = await client.reset({ scenario: PACK, task_idx });
    const listed = await client.say({ type: 'step', data: { type: 'list_tools' } });
    const found = served.worlds.briefing(PACK, task_idx);
    if (found === null) throw new Error('no briefing');
    const known = [String(data.observation['task']), JSON.stringify(listed.data.observation['tools'])];
    const secrets = secretTexts(found);
    for (const calls of [found.reference, found.draft]) {
      const text = JSON.stringify(calls.map(({ tool, args }) => ({ tool, args })));
      expect(leakOf(text, secrets, known).values).toEqual(bruteForce(calls, secrets, known));
      // Once the environment has shown everything, nothing of it leaks.
      expect(leakOf(text, secrets, [...known, ...secrets]).count).toBe(0);
    }
  });
});

it('knows what the environment has shown anywhere in a long text', () => {
  const shown = `${'row '.repeat(300_000)}"order": 4711, "carrier": "Nordic Freight"${' row'.repeat(100)}`;

  expect(
    leakOf('Ship 4711 with “Nordic Freight”.', ['Order 4711 goes by "Nordic Freight".'], [shown]),
  ).toEqual({
    count: 0,
    repeated: 2,
    values: [],
  });
});

it.each([String.raw`\\u005c`, String.raw`\\u005c\\u005c`, String.raw`\n\t`])(
  'ends where the secrets hold nothing but an escape in quotes: %s',
  (escape) => {
    expect(leakOf('Ship 4711, now.', [`Replace "${escape}" in order 4711.`], []).values).toEqual(['4711']);
  },
);
