// What a file says beyond its words: what must not train, which reply is better, which branch it is, and what was left.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../src/shared/contract/export.ts';
import { textHead } from '../../../src/shared/events/text.ts';
import { HOOKS, write } from '../../support/exported.ts';
import { checkExport } from '../../../src/main/dataset/export/runExport.ts';
import { rulesOf } from '../../support/exporting.ts';
import { call, codes, createBench, first, lines, story, type Bench } from './support.ts';

let bench: Bench;
let folder: string;
beforeEach(() => {
  bench = createBench();
  folder = mkdtempSync(join(tmpdir(), 'interject-meaning-'));
});
afterEach(() => {
  bench.close();
  rmSync(folder, { recursive: true, force: true });
});

const user = (content: unknown) => ({ role: 'user', content });
const reply = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });

/** The rows that a format writes of all that was imported. */
async function rows(format: ExportFormat): Promise<Record<string, unknown>[]> {
  const out = join(folder, format);
  await write(bench.log, out, {
    format,
    rules: rulesOf({ verdict: 'any' }),
    despite: ['no_rows', 'single_class'],
  }).catch(() => undefined);
  try {
    return readdirSync(join(out, 'data')).flatMap((name) =>
      readFileSync(join(out, 'data', name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
  } catch {
    return [];
  }
}
const check = (format: ExportFormat) =>
  checkExport(bench.log, { format, rules: rulesOf({ verdict: 'any' }) }, HOOKS);
const taught = (row: Record<string, unknown>): string => JSON.stringify(row['completion'] ?? row['messages']);

describe('a reply that its file says must not train', () => {
  /** Each on the reply itself, but where `of` says that it stands beside all of the conversation. */
  const MARKS: [spelled: string, mark: object, isNamed?: boolean][] = [
    ['a weight as a text', { weight: '0' }],
    ['a weight below 0', { weight: -1 }],
    ['train as a text', { train: 'False' }],
    ['Axolotl’s training', { training: false }],
    ['Axolotl’s train_detail', { train_detail: [{ begin_offset: 0, end_offset: 4, train: false }] }, true],
    ['a mask', { mask: 1 }],
    ['its metadata', { metadata: { train: false } }],
    ['a part of it', { content: [{ type: 'text', text: 'Boats are made of cheese.', weight: 0 }] }],
    ['a word nobody knows', { train: 'later' }, true],
  ];

  it.each(MARKS)('trains in no export, however that is spelled: %s', async (_, mark, isNamed = false) => {
    const wrong = reply('Boats are made of cheese.', mark);
    const messages = [user('Say it wrong.'), wrong, user('Now right.'), reply('Boats are made of steel.')];
    const { report } = await bench.one(lines({ messages }));

    const named = report.conservation?.not_read ?? [];
    expect(named.filter(({ is_label: isLabel }) => isLabel).length > 0).toBe(isNamed);
    expect((await rows('sft')).map((row) => taught(row).match(/cheese|steel/g))).toEqual([['steel']]);
    expect(await rows('sft_messages')).toEqual([]);
  });

  it.each([{ weight: 0 }, { train: false }, { train: 'no' }])(
    'stands in a record of which nothing must train: %o',
    async (mark) => {
      const { report } = await bench.one(
        lines({ messages: [user('Of what?'), reply('Of steel.', { train: true })], ...mark }),
      );

      expect(await rows('sft')).toEqual([]);
      expect(report.conservation?.not_read.map(({ path }) => path)).toEqual(['messages.*.train']);
    },
  );

  it('trains neither as true nor as the chosen side, whatever its label says', async () => {
    await bench.one(
      lines(
        { messages: [user('Of what?'), reply('Of cheese.', { weight: 0 })], label: true },
        { prompt: 'And?', chosen: [reply('Of wax.', { weight: 0 })], rejected: [reply('Of tea.')] },
        { prompt: 'Same?', chosen: 'Just so.', rejected: 'Just so.' },
      ),
    );

    expect(
      (await rows('kto')).map((row) => [taught(row).match(/cheese|wax|tea|so/)?.[0], row['label']]),
    ).toEqual([['tea', false]]);
    expect(await rows('preference')).toEqual([]);
    expect(await rows('sft')).toEqual([]);
    const { dropped } = await check('preference');
    expect(dropped).toMatchObject({ identical: 1, marked: 1 });
    expect((await check('kto')).dropped).toMatchObject({ marked: 4 });
  });

  it('has no verdict missing where its file has a label, and no conversation where it has no reply', async () => {
    await bench.one(
      lines(
        { messages: [user('Of what?'), reply('Of steel.')], label: true },
        { messages: [user('Of what?')] },
      ),
    );

    expect((await check('kto')).dropped).toEqual({ no_steps: 1 });
  });

  it('says before an export which rows name an argument twice, of which a reader holds the last', async () => {
    const tool_calls = [call('a', 'weigh', '{"x": 1, "x": 2}')];
    await bench.one(
      lines({ messages: [user('Weigh it.'), reply('', { tool_calls }), { role: 'tool', content: 'Nine.' }] }),
    );

    const said = (await check('sft')).findings.find(({ check: name }) => name === 'exact_integers');
    expect(said).toMatchObject({ count: 1, message: expect.stringContaining('name a key twice') as string });
  });

  const LABELS: [mark: object, label: boolean | null][] = [
    [{ label: 'false' }, false],
    [{ label: 'False' }, false],
    [{ label: 0 }, false],
    [{ label: 'bad' }, false],
    [{ kto_tag: false }, false],
    [{ label: 'Good' }, true],
    [{ kto_tag: 1 }, true],
    [{ label: 'sarcastic' }, null],
    [{ label: 7 }, null],
  ];

  it.each(LABELS)('has a label that is read, or named and trained nowhere: %o', async (mark, label) => {
    const { report } = await bench.one(lines({ messages: [user('Of what?'), reply('Of cheese.')], ...mark }));

    expect((await rows('kto')).map((row) => row['label'])).toEqual(label === null ? [] : [label]);
    expect(await rows('sft')).toHaveLength(label === true ? 1 : 0);
    const named = report.conservation?.not_read.map(({ path, is_label: isLabel }) => isLabel && path);
    expect(named).toEqual(label === null ? Object.keys(mark) : []);
  });

  const SKIPPED = { 'OpenAI’s weight': { weight: 0 }, 'LLaMA-Factory’s loss_weight': { loss_weight: 0 } };
  const FLAGS = { 'Axolotl’s train': { train: false }, 'ms-swift’s loss': { loss: false } };

  it.each(Object.entries({ ...SKIPPED, ...FLAGS }))('trains in no export: %s', async (_, mark) => {
    const wrong = reply('Boats are made of cheese.', mark);
    const { report } = await bench.one(
      lines({
        messages: [user('Say it wrong.'), wrong, user('Now right.'), reply('Boats are made of steel.')],
      }),
    );

    expect(report.conservation).toMatchObject({ not_read: [], further: 0 });
    const [row, ...more] = await rows('sft');
    expect(more).toEqual([]);
    expect(taught(row ?? {})).toContain('steel');
    expect(taught(row ?? {})).not.toContain('cheese');
    expect(JSON.stringify(row?.['prompt'])).toContain('cheese');
    expect(await rows('sft_messages')).toEqual([]);
  });

  it('is the rejected side of a pair, and a reply labelled false; what they are is a row of preference and kto', async () => {
    await bench.one(
      lines(
        { prompt: '2+2?', chosen: 'It is four.', rejected: 'It is five.' },
        { prompt: [user('3+3?')], completion: [reply('It is six.')], label: true },
        { prompt: [user('4+4?')], completion: [reply('It is nine.')], label: false },
      ),
    );

    // Another file of the same name has pairs of the same groups.
    await bench.one(lines({ prompt: '5+5?', chosen: 'It is ten.', rejected: 'It is one.' }));

    const trained = (await rows('sft_messages')).map(taught).join();
    expect(trained).toContain('four');
    expect(trained).toContain('six');
    expect(trained).not.toMatch(/five|nine/);
    const side = (row: Record<string, unknown>, name: string) => JSON.stringify(row[name]);
    const pairs = (await rows('preference')).map(
      (row) => `${side(row, 'prompt')} ${side(row, 'chosen')} ${side(row, 'rejected')}`,
    );
    expect(pairs).toEqual([
      expect.stringMatching(/2\+2\?.* four\..* five\./),
      expect.stringMatching(/5\+5\?.* ten\..* one\./),
    ]);
    const judged = (await rows('kto')).map((row) => [
      taught(row).match(/\b(?:four|five|six|nine|ten|one)\b/)?.[0],
      row['label'],
      row['source'],
    ]);
    expect(judged.map((one) => one.join()).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'five,false,file',
      'four,true,file',
      'nine,false,file',
      'one,false,file',
      'six,true,file',
      'ten,true,file',
    ]);
  });
});

describe('calls and results that stand among the parts of a message', () => {
  const args = { anchor: 'port' };
  const DIALECTS: Record<string, object[]> = {
    Bedrock: [
      user([{ text: 'Weigh it.' }]),
      reply([{ toolUse: { toolUseId: 'b', name: 'weigh', input: args } }]),
      user([{ toolResult: { toolUseId: 'b', content: [{ text: 'nine hundred' }] } }]),
      reply([{ text: 'Done.' }]),
    ],
    Vercel: [
      user([{ type: 'text', text: 'Weigh it.' }]),
      reply([{ type: 'tool-call', toolCallId: 'v', toolName: 'weigh', args }]),
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'v', toolName: 'weigh', result: 'nine hundred' }],
      },
      reply([{ type: 'text', text: 'Done.' }]),
    ],
    Gemini: [
      { role: 'user', parts: [{ text: 'Weigh it.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weigh', args } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weigh', response: 'nine hundred' } }] },
      { role: 'model', parts: [{ text: 'Done.' }] },
    ],
    LangChain: [
      { type: 'human', content: 'Weigh it.' },
      { type: 'ai', content: '', tool_calls: [{ id: 'l', name: 'weigh', args }] },
      { type: 'tool', tool_call_id: 'l', content: 'nine hundred' },
      { type: 'ai', content: 'Done.' },
    ],
    'LLaMA-Factory': [
      user([{ type: 'text', value: 'Weigh it.' }]),
      reply([{ type: 'tool_call', value: JSON.stringify({ name: 'weigh', arguments: args }) }]),
      { role: 'tool', content: [{ type: 'text', value: 'nine hundred' }] },
      reply([{ type: 'text', value: 'Done.' }]),
    ],
  };

  it.each(Object.entries(DIALECTS))('are a call and its result: %s', async (_, messages) => {
    const { records, report } = await bench.one(lines({ messages }));

    expect(story(first(records))).toEqual(['weigh({"anchor":"port"}) -> nine hundred', 'final Done.']);
    expect(codes(report)).toEqual([]);
    expect(report.conservation?.kept).toBe(report.conservation?.characters);
  });
});

describe('a session whose lines name the one they follow', () => {
  const line = (id: string, parentId: string | null, message: object, type = 'message') => ({
    type,
    id,
    parentId,
    message,
  });
  const said = (records: Awaited<ReturnType<Bench['one']>>['records']) =>
    records.map(({ messages }) =>
      messages.map(({ content }) => textHead(content)).filter((text) => text !== ''),
    );

  it('is an episode for each branch of it, with what was said twice once', async () => {
    const { records, report } = await bench.one(
      lines(
        { type: 'session', id: 's' },
        line('a', null, user('Which paint?')),
        line(
          'b',
          'a',
          reply([{ type: 'toolCall', id: 't', name: 'prices', arguments: { season: 'winter' } }]),
        ),
        line('c', 'b', {
          role: 'toolResult',
          toolCallId: 't',
          toolName: 'prices',
          content: [{ type: 'text', text: 'forty' }],
        }),
        line('d', 'c', reply('Epoxy.')),
        line('e', 'a', user('Summer, I meant.')),
        line('f', 'e', reply('Enamel.')),
        line('f', 'e', reply('Enamel.')),
        line('g', 'f', {}, 'compaction'),
        line('h', 'g', user('How many tins?')),
        line('i', 'nowhere', user('Hello?')),
      ),
    );

    expect(said(records)).toEqual([
      ['Which paint?', 'forty', 'Epoxy.'],
      ['Which paint?', 'Summer, I meant.', 'Enamel.', 'How many tins?'],
      ['Hello?'],
    ]);
    expect(story(first(records))).toEqual(['prices({"season":"winter"}) -> forty', 'final Epoxy.']);
    expect(codes(report)).toEqual(expect.arrayContaining(['repeated_line', 'no_parent', 'unknown_line']));
  });

  it('trains what its branches share once, in the one that was begun first', async () => {
    const shared = [
      line('a', null, user('Which paint?')),
      line('b', 'a', reply('Epoxy.')),
      line('c', 'b', user('And below?')),
      line('d', 'c', reply('Copper.')),
    ];
    const other = [line('e', 'b', user('And above?')), line('f', 'e', reply('Enamel.'))];
    const last = [line('g', 'd', user('How much?')), line('h', 'g', reply('Two tins.'))];
    await bench.one(lines({ type: 'session', id: 'session-of-paints' }, ...shared, ...other));
    await bench.one(lines({ type: 'session', id: 'session-of-paints' }, ...shared, ...other, ...last));

    const trained = (await rows('sft')).flatMap((row) => taught(row).match(/Epoxy|Copper|Enamel|Two/g) ?? []);
    expect(trained.toSorted()).toEqual(['Copper', 'Enamel', 'Epoxy', 'Two']);
  });

  it('says where a reply is left out of its rows, for it says nothing or its call has no result', async () => {
    const { report } = await bench.one(
      lines(
        { type: 'session', id: 's' },
        line('a', null, user('Which paint?')),
        line('b', 'a', reply([{ type: 'toolCall', id: 't', name: 'prices', arguments: {} }])),
        line('c', 'b', user('Say it.')),
        line('d', 'c', reply([{ type: 'thinking', thinking: 'Hm.' }])),
        line('e', 'd', user('Well?')),
        line('f', 'e', reply('Epoxy.')),
      ),
    );

    expect(report.diagnostics.map(({ code, message }) => [code, message.includes('leave it out')])).toEqual([
      ['no_result', true],
      ['no_words', true],
    ]);
  });

  it('gives its newest branches where it has too many, and counts the others as left out', async () => {
    const branches = Array.from({ length: 203 }, (_, at) =>
      line(`b${String(at)}`, 'a', reply(`Number ${String(at)}.`)),
    );
    const { records, report } = await bench.one(
      lines({ type: 'session', id: 's' }, line('a', null, user('Count.')), ...branches),
    );

    expect(said(records.slice(0, 1))).toEqual([['Count.', 'Number 3.']]);
    expect(report).toMatchObject({ episodes: 200, skipped: 3, failure: null });
  });

  it('ends where its lines go round in a circle', async () => {
    const { records } = await bench.one(
      lines({ type: 'session', id: 's' }, line('a', 'b', user('One.')), line('b', 'a', reply('Two.'))),
    );
    expect(said(records)).toEqual([['One.', 'Two.']]);
  });
});

describe('what of a file was not read', () => {
  it('is counted with the rest, under its own type', async () => {
    const notes = Array.from({ length: 5 }, () => ({ type: 'note', text: 'x'.repeat(100) }));
    const { report } = await bench.one(
      `${lines({ messages: [user('Hi.'), reply('Hello.')] }, ...notes)}{"messages": \n`,
    );

    expect(
      report.conservation?.not_read.map(({ path, count, characters }) => [path, count, characters]),
    ).toEqual([
      ['records of type note', 5, 520],
      ['what is no JSON', 1, 13],
    ]);
    expect(report.conservation).toMatchObject({ characters: 542, kept: 9 });
  });

  it('is a text that only looks like a number of the episode', async () => {
    const messages = [user('How many?'), reply('Seven.'), { role: 'narrator', content: '7' }];
    const { report } = await bench.one(lines({ messages, reward: 7 }));

    expect(report.conservation?.not_read.map(({ path }) => path)).toContain('messages.*.content');
  });

  it('is no reward that is written as text, nor a time in nanoseconds', async () => {
    const at = (timestamp: unknown) => ({ ...user('Hi.'), timestamp });
    const { records, report } = await bench.one(
      lines({ messages: [at(1_767_265_200_000_000_000), reply('Hello.')], reward: ' 0.5 ' }),
    );

    expect(first(records).ended?.reward).toBe(0.5);
    expect(first(records).messages[0]?.n).toBeDefined();
    expect(bench.log.read(first(records).id).some(({ at: when }) => when === 1_767_265_200_000)).toBe(true);
    expect(codes(report)).toEqual([]);
  });
});
