import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../../src/shared/contract/export.ts';
import { jsonLine } from '../../../src/main/dataset/export/lineWriter.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { createBench, first, story, type Bench } from '../import/support.ts';
import { advised, callsOf, edited, GOOD, recordOf, rowsOf, solo, type Made } from './episodes.ts';

let environments: Awaited<ReturnType<typeof serveEnvironment>>[];
let made: { solo: Made; advised: Made; edited: Made };
beforeAll(async () => {
  // Each counts its own steps.
  environments = await Promise.all([serveEnvironment(), serveEnvironment(), serveEnvironment()]);
  const [one, two, three] = environments;
  if (one === undefined || two === undefined || three === undefined) throw new Error('no environment');
  made = {
    solo: await solo(one),
    advised: await advised(two, { ask: 1, do: 'send', text: GOOD }),
    edited: await edited(three),
  };
});
afterAll(() => {
  for (const one of environments) one.close();
});
let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.close());

const textOf = (format: ExportFormat, one: Made): string =>
  rowsOf(format, one, { failed_calls: 'keep' })
    .made.flatMap(({ row, more = [] }) => [row, ...more])
    .map((line) => `${jsonLine(line)}\n`)
    .join('');

/** The same text of an episode with an id of its own: each was made in a log of its own, where it is the first. */
const named = (text: string, one: Made, name: string): string => text.replaceAll(`"${one.id}`, `"${name}`);

/** What a format wrote of episodes in one file, imported again. */
async function allAgain(format: ExportFormat, all: readonly Made[], into = bench): Promise<EpisodeRecord[]> {
  const { report, records } = await into.one(
    all
      .map((one, i) =>
        all.length === 1 ? textOf(format, one) : named(textOf(format, one), one, `e${String(i)}`),
      )
      .join(''),
  );
  expect(report).toMatchObject({ episodes: all.length, skipped: 0, diagnostics: [], failure: null });
  return records;
}
const again = async (format: ExportFormat, one: Made): Promise<EpisodeRecord> =>
  first(await allAgain(format, [one]));

/** All that an import tells of an episode but its ids, and times that only say when it was imported. */
const told = (record: EpisodeRecord) => ({
  words: words(record),
  story: story(record),
  ending: ending(record),
  outcome: record.ended?.outcome,
  task: record.reset?.task,
  place: [record.started?.scenario, record.started?.task_idx],
  offered: record.offered.map(({ name }) => name),
  notRecorded: record.imported?.not_recorded,
});
const words = ({ messages }: EpisodeRecord) => messages.map(({ role, content }) => [role, content]);
const ending = ({ ended }: EpisodeRecord) => [ended?.reward, ended?.reward_type, ended?.final_answer];

describe('a reply with several calls', () => {
  const call = (id: string, name: string, args: object) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  });
  const OPENAI = [
    { role: 'user', content: 'Book both.' },
    {
      role: 'assistant',
      content: 'I look at two things.',
      tool_calls: [call('c1', 'find', { city: 'Ulm' }), call('c2', 'find', { city: 'Bonn' })],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'seat 4' },
    { role: 'tool', tool_call_id: 'c2', content: 'seat 9' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        call('c3', 'book', { seat: 4 }),
        call('c4', 'list_tools', {}),
        call('c5', 'book', { seat: 9 }),
      ],
    },
    { role: 'tool', tool_call_id: 'c3', content: 'booked' },
    { role: 'tool', tool_call_id: 'c4', content: 'find, book' },
    { role: 'tool', tool_call_id: 'c5', content: 'booked' },
    { role: 'assistant', content: 'Both are booked.' },
  ];
  const ANTHROPIC = OPENAI.map(({ role, content, tool_calls: calls, tool_call_id: id }) =>
    role === 'tool'
      ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
      : {
          role,
          content: [
            ...(content === '' ? [] : [{ type: 'text', text: content }]),
            ...(calls ?? []).map(({ id: use, function: { name, arguments: args } }) => ({
              type: 'tool_use',
              id: use,
              name,
              input: JSON.parse(args) as object,
            })),
          ],
        },
  );
  type Wire = {
    role: string;
    content?: string;
    tool_call_id?: string;
    tool_calls?: ReturnType<typeof call>[];
  };
  const read = (messages: unknown): unknown[] =>
    (messages as Wire[]).map(({ role, content = '', tool_call_id: id, tool_calls: calls }) => [
      role,
      content ?? '',
      id,
      calls?.map(({ id: own, function: { name, arguments: args } }) => [
        own,
        name,
        typeof args === 'string' ? JSON.parse(args) : args,
      ]),
    ]);
  const messagesIn = (row: Record<string, unknown>): unknown =>
    row['messages'] ?? [...(row['prompt'] as unknown[]), ...(row['completion'] as unknown[])];

  describe.each([
    ['OpenAI', OPENAI],
    ['Anthropic', ANTHROPIC],
  ])('of %s', (_whose, messages) => {
    it.each(['sft_messages', 'sft'] as const)(
      'is one message with the same calls and results in what is exported (%s)',
      async (format) => {
        const { ids } = await bench.one(`${JSON.stringify({ messages })}\n`, 'a.jsonl');
        const [row] = textOf(format, { log: bench.log, id: first(ids) })
          .trim()
          .split('\n');

        expect(read(messagesIn(JSON.parse(row ?? '{}') as Record<string, unknown>))).toEqual(read(OPENAI));
      },
    );

    it.each(['sft_messages', 'atif', 'events'] as const)(
      'is the same reply when that is imported again (%s)',
      async (format) => {
        const { ids, records } = await bench.one(`${JSON.stringify({ messages })}\n`, 'a.jsonl');
        const back = createBench();
        const again = await back.one(textOf(format, { log: bench.log, id: first(ids) }));
        const replies = ({ turns }: EpisodeRecord) =>
          turns.map(({ replyOf, toolCalls }) => [replyOf, toolCalls.map(({ id }) => id)]);

        expect(replies(first(records))).toEqual([
          [undefined, ['c1', 'c2']],
          [1, ['c2']],
          [undefined, ['c3', 'c4', 'c5']],
          [3, ['c4']],
          [3, ['c5']],
          [undefined, []],
        ]);
        expect(replies(first(again.records))).toEqual(replies(first(records)));
        back.close();
      },
    );
  });

  const head = OPENAI.slice(0, 1);
  const rest = OPENAI.slice(1);
  const INSPECT = {
    version: 2,
    status: 'success',
    eval: {
      created: '2026-01-01T00:00:00+00:00',
      task: 'shop',
      eval_id: 'E1',
      model: 'm',
      dataset: {},
      config: {},
    },
    plan: { name: 'plan', steps: [], config: {} },
    samples: [
      {
        id: 's1',
        epoch: 1,
        input: 'Book both.',
        target: '',
        messages: OPENAI.map(({ tool_calls: calls, ...message }, at) => ({
          id: `m${String(at)}`,
          ...message,
          ...(calls === undefined
            ? {}
            : {
                tool_calls: calls.map(({ id, function: { name, arguments: args } }) => ({
                  id,
                  function: name,
                  arguments: JSON.parse(args) as object,
                  type: 'function',
                })),
              }),
        })),
        output: { model: 'm', choices: [] },
        scores: {},
        events: [],
      },
    ],
  };
  const OTHER = [{ role: 'assistant', content: 'I cannot.' }];

  it.each([
    ['a log of Inspect', JSON.stringify(INSPECT), 'a.json'],
    ['a row for KTO', JSON.stringify({ prompt: head, completion: rest, label: true }), 'a.jsonl'],
    ['a preferred side', JSON.stringify({ prompt: head, chosen: rest, rejected: OTHER }), 'a.jsonl'],
    [
      'OpenAI’s preferred output',
      JSON.stringify({ input: { messages: head }, preferred_output: rest, non_preferred_output: OTHER }),
      'a.jsonl',
    ],
  ])(
    'of %s is one message with the same calls and results in what is exported',
    async (_what, text, name) => {
      const { ids } = await bench.one(text, name);
      const log = bench.log;

      for (const format of ['sft_messages', 'sft'] as const) {
        const [row] = textOf(format, { log, id: first(ids) })
          .trim()
          .split('\n');
        expect(read(messagesIn(JSON.parse(row ?? '{}') as Record<string, unknown>))).toEqual(read(OPENAI));
      }
    },
  );

  it('is one completion for KTO, with its results in the next prompt, and its task is a prompt for GRPO', async () => {
    const line = { messages: OPENAI, reward: 1, reward_type: 'complete', scenario: 'shop', task_idx: 0 };
    const { ids } = await bench.one(`${JSON.stringify(line)}\n`, 'a.jsonl');
    const one = { log: bench.log, id: first(ids) };
    const kto = rowsOf('kto', one).rows;
    const [grpo] = rowsOf('grpo', one, { verdict: 'any' }).rows;

    expect(kto.map(({ prompt, completion }) => read([...prompt, ...completion]))).toEqual(
      [2, 5, 9].map((end) => read(OPENAI.slice(0, end))),
    );
    expect(kto.map(({ completion }) => completion.length)).toEqual([1, 1, 1]);
    expect(read(grpo?.prompt)).toEqual(read(OPENAI.slice(0, 1)));
  });
});

describe('several episodes in one file', () => {
  it.each(['events', 'episode_record', 'atif', 'awm', 'sft', 'sft_messages'] as const)(
    'are as many, each as it would be from a file of its own (%s)',
    async (format) => {
      const episodes = [made.solo, made.advised, made.edited];

      const together = await allAgain(format, episodes);
      const alone: EpisodeRecord[] = [];
      for (const one of episodes) {
        const own = createBench();
        alone.push(...(await allAgain(format, [one], own)));
        own.close();
      }

      expect(together.map(told)).toEqual(alone.map(told));
      expect(new Set(together.map(({ id }) => id)).size).toBe(episodes.length);
    },
  );

  it.each(['atif', 'awm'] as const)(
    'are read around a line that is broken, and again as the same (%s)',
    async (format) => {
      const file = `${textOf(format, made.solo)}{"broken": \n\n${textOf(format, made.advised)}`;

      const { report, records } = await bench.one(file);
      const twice = await bench.one(file);

      expect(records).toHaveLength(2);
      expect(report).toMatchObject({ episodes: 2, skipped: 1, failure: null });
      expect(report.diagnostics[0]).toMatchObject({ code: 'truncated', pointer: 'line 2' });
      expect(twice.report).toMatchObject({ episodes: 2, known: 2 });
    },
  );

  it('are read from a list too', async () => {
    const [row] = rowsOf('atif', made.solo).rows;

    const { records } = await bench.one(JSON.stringify([row, row], null, 1));

    expect(records.map(story)).toEqual([story(recordOf(made.solo)), story(recordOf(made.solo))]);
  });
});

describe('what an export wrote and an import reads', () => {
  it.each(['solo', 'advised'] as const)(
    'is, of a record of OpenEnv, the same words, calls, rewards and end (%s)',
    async (name) => {
      const before = recordOf(made[name]);
      const record = await again('episode_record', made[name]);

      expect(words(record)).toEqual(words(before));
      expect(story(record)).toEqual(story(before));
      expect(ending(record)).toEqual(ending(before));
      expect(record.turns.map(({ call }) => call?.returned?.reward ?? null)).toEqual(
        before.turns.map(({ call }) => call?.returned?.reward ?? null),
      );
      expect(record.offered.map(({ name: tool }) => tool)).toEqual(
        before.offered.map(({ name: tool }) => tool),
      );
    },
  );

  it('is, of a trajectory, the same words, calls, times and end; that a call failed is in its text alone', async () => {
    const before = recordOf(made.advised);
    const record = await again('atif', made.advised);

    expect(words(record)).toEqual(words(before));
    expect(record.turns.map(({ move }) => move)).toEqual(before.turns.map(({ move }) => move));
    expect(record.turns.map(({ at, model }) => [at, model])).toEqual(
      before.turns.map(({ at, model }) => [at, model]),
    );
    expect(ending(record)).toEqual(ending(before));
  });

  it('is, of a trajectory from elsewhere, its version, notes, totals, cached tokens and extra fields too', async () => {
    const theirs = {
      schema_version: 'ATIF-v1.7',
      session_id: 's-1',
      agent: { name: 'terminus', version: '2.3.1', model_name: 'm-1', extra: { build: 'abc' } },
      steps: [
        { step_id: 1, source: 'user', message: 'Buy milk.' },
        {
          step_id: 2,
          source: 'agent',
          message: 'Done.',
          metrics: { prompt_tokens: 120, completion_tokens: 7, cached_tokens: 100 },
        },
      ],
      notes: 'run on a quiet day',
      final_metrics: { total_prompt_tokens: 120, total_cost_usd: 0.25, total_steps: 2, extra: { wall_s: 3 } },
      extra: { scenario: 'shop', reward: 0.5, dataset: 'held out', condition: 'alone' },
    };
    const { ids } = await bench.one(JSON.stringify(theirs), 'a.json');
    const row = JSON.parse(textOf('atif', { log: bench.log, id: first(ids) })) as typeof theirs;

    expect(row).toMatchObject({
      agent: { name: 'terminus', version: '2.3.1', model_name: 'm-1', extra: { build: 'abc' } },
      final_metrics: {
        total_prompt_tokens: 120,
        total_completion_tokens: 7,
        total_cost_usd: 0.25,
        total_steps: 2,
        extra: { wall_s: 3 },
      },
      extra: {
        scenario: 'shop',
        reward: 0.5,
        dataset: 'held out',
        condition: 'alone',
        notes: 'run on a quiet day',
      },
    });
    expect(row.steps[1]?.metrics).toEqual({ prompt_tokens: 120, completion_tokens: 7, cached_tokens: 100 });
  });

  it('is, of a server’s trajectory, the calls and the verdict, and no word', async () => {
    const before = recordOf(made.solo);
    const record = await again('awm', made.solo);
    const calls = (one: EpisodeRecord) => story(one).filter((line) => line.includes('('));

    expect(calls(record)).toEqual(calls(before));
    expect(record.verified).toMatchObject({ reward_type: 'complete', reward: 1, verifier_mode: 'code' });
    expect(record.turns.every(({ hasText }) => !hasText)).toBe(true);
  });

  it('is, where an expert was asked, by somebody who may have seen the answer', async () => {
    const record = await again('sft_messages', made.advised);
    const told = { log: bench.log, id: record.id };

    for (const id of ['sft', 'sft_messages'] as const)
      expect(rowsOf(id, told, { verdict: 'any' }).facts.map(({ privilege }) => privilege)).toEqual([
        'unknown',
      ]);
    expect(
      rowsOf('sft_messages', { log: bench.log, id: (await again('sft_messages', made.solo)).id }).facts[0]
        ?.privilege,
      // A file declares nothing of experts.
    ).toEqual('unknown');
  });

  it('is, of messages, the conversation as it trains: a call a person changed is the changed one', async () => {
    const record = await again('sft_messages', made.edited);
    const [row] = rowsOf('sft_messages', made.edited).rows;

    expect(words(record)).toEqual(row?.messages.map(({ role, content }) => [role, content]));
    expect(callsOf(row?.messages ?? [])[0]).toBe('rename_workflow {"id":2}');
    expect(record.turns[0]?.move).toMatchObject({ type: 'call_tool', arguments: { id: 2 } });
    expect(ending(record).slice(0, 2)).toEqual([1, 'complete']);
  });
});
