import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachAnswers } from '../../../src/main/desk/scriptedAnswers.ts';
import { unreadFacts } from '../../../src/main/dataset/export/rowFacts.ts';
import { BLANK, type TranscriptLine } from '../../../src/main/dataset/export/transcriptLine.ts';
import { createFlow, spec } from '../../support/flow.ts';
import { makeRows } from '../../support/exporting.ts';
import { native, replies, reply } from '../../support/stepIn.ts';
import { PACK, packsFolder, serveWorlds, type Served } from '../../support/worlds.ts';
import { rowsOf, type Made } from './episodes.ts';

type Called = { tool: string; args: Record<string, unknown>; purpose: string };
type Task = { reference: Called[]; rehearsal: { final: string } };
const tasks = JSON.parse(readFileSync(join(packsFolder, PACK, 'tasks.json'), 'utf8')) as Task[];

/** What the reference takes as known, an agent that works alone looks up. */
const LOOKUPS: Readonly<Record<number, [string, object]>> = {
  4: ['search_workflows', { query: 'New patient welcome', workspace_id: 2 }],
  6: ['search_users', { query: 'Marta Lindqvist', workspace_id: 3 }],
};
const isLookup = ({ tool }: Called): boolean => /^(?:list|search|get)_/.test(tool);
const made = ({ tool, args }: Called) => native(tool, args);

let worlds: Served;
beforeAll(async () => void (worlds = await serveWorlds()));
afterAll(() => worlds.close());

async function play(task: number, isAdvised: boolean): Promise<Made> {
  const { reference = [], rehearsal } = tasks[task] ?? { rehearsal: { final: '' } };
  const lookup = LOOKUPS[task];
  const calls = isAdvised
    ? [
        native('ask_expert', { task: 'Help', context: 'I am stuck' }),
        ...reference.filter((one) => !isLookup(one)).map(made),
      ]
    : [
        native('list_workspaces'),
        ...(lookup === undefined ? [] : [native(...lookup)]),
        ...reference.map(made),
      ];
  const policy = replies(...calls, reply({ content: rehearsal.final }));
  const { log, desk, supervisor } = createFlow({ policy, briefing: null });
  const text = JSON.stringify({ plan: reference });
  const undo = attachAnswers({ log, desk }, [{ ask: 1, do: 'send', text }]);
  const over = {
    scenario: PACK,
    task_idx: task,
    condition: isAdvised ? ('human' as const) : ('none' as const),
  };
  const { id, ended } = supervisor.start(spec(worlds.url, over));
  await ended;
  undo();
  return { log, id };
}

describe('facts nobody could know', () => {
  it.each(tasks.map((_, task) => task))(
    'are none in a correct unaided episode of the built-in world: task %i',
    async (task) => {
      const one = await play(task, false);

      const { facts } = rowsOf('sft_messages', one);

      expect(one.log.record(one.id).ended?.reward_type).toBe('complete');
      expect(facts.map(({ unknowable }) => unknowable)).toEqual([[]]);
    },
  );

  it.each(tasks.map((_, task) => task))(
    'leave out a row that follows advice which was taken out: task %i',
    async (task) => {
      const one = await play(task, true);

      const stripped = await makeRows(one.log, 'sft', { privilege: 'strip' });
      const flagged = rowsOf('sft', one);

      expect(one.log.record(one.id).ended?.reward_type).toBe('complete');
      expect(stripped).toMatchObject({ rows: [], dropped: { unknowable: 1 } });
      // With the advice in the prompt its ids are known; an error code that no advice named and no call read is not.
      expect(flagged.facts.map(({ unknowable }) => unknowable)).toEqual([task === 2 ? ['CK-409'] : []]);
    },
  );

  const at = { ...BLANK, turn: 1 };
  const tool = (content: string): TranscriptLine => ({ ...at, kind: 'environment', role: 'tool', content });
  const user = (content: string): TranscriptLine => ({ ...at, kind: 'prompt', role: 'user', content });
  const calling = (args: object, content = ''): TranscriptLine => ({
    ...at,
    kind: 'reply',
    role: 'assistant',
    content,
    calls: [{ id: 'c1', name: 'act', raw: JSON.stringify(args) }],
  });
  const saying = (content: string): TranscriptLine => ({ ...at, kind: 'reply', role: 'assistant', content });
  const schema = [
    {
      function: { name: 'act', parameters: { properties: { order_id: { default: 77, enum: ['on_hold'] } } } },
    },
  ];
  const unknown = (read: TranscriptLine[], reply: TranscriptLine) =>
    unreadFacts({ read, taught: [reply], tools: schema }, () => true);

  it.each<[string, TranscriptLine[], TranscriptLine]>([
    [
      'small numbers and switches',
      [user('List them.')],
      calling({ limit: 50, page: 2, is_open: true, quantity: 3 }),
    ],
    ['values that the schema names', [user('Hold it.')], calling({ status: 'on_hold' })],
    [
      'dates that follow from the task',
      [user('Move it to tomorrow.')],
      calling({ date: '2026-01-06T09:30:00Z' }),
    ],
    [
      'another case, spacing or writing',
      [user('Find  ADA\nLovelace (#A-17).')],
      calling({ customer: 'ada lovelace', slug: 'ada-lovelace' }),
    ],
    [
      'escapes of JSON in JSON',
      [tool('{"out":"{\\"mail\\":\\"j\\\\u00f6rg@mill.no\\"}"}')],
      calling({ email: 'jörg@mill.no' }),
    ],
    [
      'a sum of what was read',
      [tool('[{"net": 1250.5},{"net": 2303}]')],
      saying('Together they cost 3553.5, rounded 3554.'),
    ],
    [
      'a share of a number that was read',
      [user('Raise the price by 10 %.'), tool('{"price": 1230}')],
      calling({ price: 1353 }),
    ],
    ['an ordinal of the task', [user('Rename the second workflow.')], calling({ id: 2 })],
    ['a part of an id that was read', [tool('order ORD-2231/7')], calling({ order_id: 2231 })],
    [
      'words that the agent writes itself',
      [user('Tell her.')],
      calling({ body: 'Your parcel is on its way, dear customer.' }),
    ],
  ])('are not %s', (_name, read, reply) => {
    expect(unknown(read, reply)).toEqual([]);
  });

  it.each<[string, TranscriptLine[], TranscriptLine, string[]]>([
    ['an id', [user('Cancel the order of Ada.')], calling({ order_id: 8812 }), ['order_id: 8812']],
    [
      'an id that only a schema has as its default',
      [user('Cancel it.')],
      calling({ order_id: 77 }),
      ['order_id: 77'],
    ],
    [
      'an id deep in the arguments',
      [user('Do it.')],
      calling({ body: '{"lines":[{"sku":"KX-77120"}]}' }),
      ['sku: KX-77120', 'KX-77120'],
    ],
    ['an address', [user('Write to Ada.')], calling({ text: 'To ada@mill.no' }), ['ada@mill.no']],
    ['a code in the answer', [user('Which code?')], saying('It failed with CK-409.'), ['CK-409']],
    ['a person', [user('Who owns it?')], saying('It belongs to Marta Lindqvist.'), ['Marta Lindqvist']],
    [
      'what the agent had said without having read it',
      [saying('I take 8812.')],
      calling({ order_id: 8812 }),
      ['order_id: 8812'],
    ],
  ])('are %s', (_name, read, reply, facts) => {
    expect(unknown(read, reply)).toEqual(facts);
  });
});
