import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conservationWords, keptShare } from '../../../src/shared/conservation.ts';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { textHead } from '../../../src/shared/events/text.ts';
import { call, codes, createBench, first, json, lines, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.close());

const CHAT = [
  { role: 'user', content: 'Find the cheapest rye bread of the city.' },
  { role: 'assistant', content: 'The cheapest rye bread costs 1.80 in the north.' },
];
const paths = ({ conservation }: FileReport): string[] =>
  (conservation?.not_read ?? []).map(({ path }) => path);
const texts = ({ messages }: EpisodeRecord): string[] => messages.map(({ content }) => textHead(content));

describe('the report of an import', () => {
  it('says that all was kept where it was', async () => {
    const { report, records } = await bench.one(
      lines({ messages: CHAT, id: 'a', label: 'good', score: 0.5 }),
    );

    expect(report.diagnostics).toEqual([]);
    expect(report.conservation).toMatchObject({ not_read: [], further: 0 });
    expect(report.conservation?.kept).toBe(report.conservation?.characters);
    expect(first(records).imported?.conservation).toEqual(report.conservation);
    expect(first(records).imported?.extra).toMatchObject({ id: 'a', label: 'good', score: 0.5 });
  });

  it('names an unread label with its path, however short its value, and warns of it', async () => {
    const [asked, replied] = CHAT;
    const { report } = await bench.one(lines({ messages: [asked, { ...replied, rating: 1, label: 'the' }] }));

    expect(paths(report)).toEqual(['messages.*.label', 'messages.*.rating']);
    expect(codes(report)).toEqual(['not_all_read']);
    expect(first(report.diagnostics).message).toContain('not read: messages.*.label, messages.*.rating');
  });

  it('warns where less than nine tenths of the text were kept', async () => {
    const [asked, replied] = CHAT;
    const note = 'This reply was written late at night.';
    const { report } = await bench.one(lines({ messages: [asked, { ...replied, aside: note }] }));

    expect(
      keptShare(report.conservation ?? { characters: 1, kept: 1, not_read: [], further: 0 }),
    ).toBeLessThan(0.9);
    expect(codes(report)).toEqual(['not_all_read']);
    expect(report.failure).toBeNull();
  });

  it('never rounds what was lost up to all of it', () => {
    const conservation = { characters: 1000, kept: 999, not_read: [], further: 0 };

    expect(conservationWords(conservation)).toBe('kept 99 % of the text');
  });

  it('counts a text as kept once, wherever it stands, and a missing one by its length', async () => {
    const { report } = await bench.one(
      json({
        scenario: 's',
        task_idx: 1,
        steps: 1,
        trajectory: [
          {
            action: 'call_tool',
            tool_name: 'find',
            arguments: { kind: 'rye' },
            success: true,
            result: 'rye: 1.80',
            extra_words: 'kept in the frame',
          },
        ],
      }),
    );

    expect(report.conservation).toMatchObject({ not_read: [], further: 0 });
  });
});

describe('secrets among what no reader knows', () => {
  const key = `sk-proj-${'A1b2C3d4'.repeat(6)}`;
  const stored = ({ id }: EpisodeRecord): string => JSON.stringify(bench.log.read(id));

  it('are covered in the log by name and by shape, counted and named with their place: model_args of Inspect', async () => {
    const { report, records } = await bench.one(
      json({
        version: 2,
        status: 'success',
        eval: {
          task: 'shop',
          model: 'lab/m',
          model_args: {
            api_key: 'plain-words-7',
            base_url: 'https://models.example/v1',
            note: `uses ${key}`,
          },
        },
        samples: [{ id: 1, epoch: 1, input: 'Hi.', messages: CHAT, events: [] }],
      }),
    );
    const record = first(records);

    expect(record.imported?.extra['log']).toMatchObject({
      eval: { model_args: { api_key: '[redacted:13]', base_url: 'https://models.example/v1' } },
    });
    expect(stored(record)).not.toContain(key);
    expect(report.diagnostics.find(({ code }) => code === 'secret_covered')).toMatchObject({ count: 2 });
    expect(record.imported?.diagnostics.map(({ code }) => code)).toContain('secret_covered');
    expect(paths(report)).toEqual(
      expect.arrayContaining(['log.eval.model_args.api_key', 'log.eval.model_args.note']),
    );
  });

  it('are covered in a value that is JSON as text: replay_config of SWE-agent', async () => {
    const { report, records } = await bench.one(
      json({
        trajectory: [{ action: 'ls', observation: 'a.py', thought: 'I look.', response: 'I look.' }],
        history: [],
        info: {},
        replay_config: JSON.stringify({ agent: { model: { name: 'm', api_key: 'plain-words-7' } } }),
      }),
      'a.traj',
    );

    expect(first(records).imported?.extra['replay_config']).toBe(
      '{"agent":{"model":{"name":"m","api_key":"[redacted:13]"}}}',
    );
    expect(paths(report)).toContain('replay_config.agent.model.api_key');
    expect(codes(report)).toContain('secret_covered');
  });
});

describe('an integer that no number holds', () => {
  const BIG = '9007199254740993';

  it('keeps its digits in calls, arguments, results, metadata and scores', async () => {
    const row = `{"messages":[{"role":"user","content":"Cancel it."},{"role":"assistant","content":"","tool_calls":[${json(
      call('c1', 'cancel', 'ARGS'),
    ).replace(
      '"ARGS"',
      `{"order":${BIG}}`,
    )}]},{"role":"tool","tool_call_id":"c1","content":{"order":${BIG}}}],"score_id":${BIG},"nested":{"list":[${BIG}]}}\n`;
    const { report, ids } = await bench.one(row.replaceAll('\n', ' ').trim());
    const stored = bench.log.read(first(ids));
    const event = (kind: string) => stored.find((one) => one.event.kind === kind)?.event;

    expect(report.failure).toBeNull();
    expect(JSON.stringify(event('move.proposed'))).toContain(`"arguments":{"order":${BIG}}`);
    expect(event('turn.generated')).toMatchObject({ tool_calls: [{ arguments: `{"order":${BIG}}` }] });
    expect(event('call.returned')).toMatchObject({ text: `{"order":${BIG}}` });
    expect(JSON.stringify(event('episode.imported'))).toContain(
      `"extra":{"score_id":${BIG},"nested":{"list":[${BIG}]}}`,
    );
    expect(JSON.stringify(stored)).not.toContain('9007199254740992');
    expect(report.conservation).toMatchObject({ not_read: [] });
  });
});

describe('a failed call of an Inspect log', () => {
  it('was read by the model as an error, as inspect_ai tells it', async () => {
    const log = {
      version: 2,
      status: 'success',
      eval: { task: 'bread', model: 'm' },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: 'Find the cheapest rye bread.',
          target: '1.80',
          messages: [
            { role: 'user', content: 'Find the cheapest rye bread.' },
            { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: 'find', arguments: {} }] },
            {
              role: 'tool',
              tool_call_id: 'c1',
              function: 'find',
              content: '',
              error: { type: 'unknown', message: 'there is no such bread' },
            },
          ],
        },
      ],
    };
    const { records } = await bench.one(json(log));

    const read = first(records).messages.at(-1);
    expect(textHead(read?.content ?? '')).toBe('Error: there is no such bread');
    expect(first(records).turns[0]?.call?.returned?.error).toBe('there is no such bread');
  });
});

describe('a sub-agent of an Inspect log', () => {
  it('is an episode of its own, linked to the one that called it, with its words and tokens', async () => {
    const said = 'I looked into the northern bakery myself.';
    const log = {
      version: 2,
      status: 'success',
      eval: { task: 'bread', model: 'm' },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: 'Find the cheapest rye bread of the whole city.',
          messages: [
            { role: 'user', content: 'Find the cheapest rye bread of the whole city.' },
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'c1', function: 'searcher', arguments: {} }],
            },
            {
              role: 'tool',
              tool_call_id: 'c1',
              function: 'searcher',
              content: 'It costs 1.80 in the north.',
            },
            { role: 'assistant', content: 'The cheapest one costs 1.80.' },
          ],
          events: [
            { event: 'tool', id: 'c1', function: 'searcher', agent: 'searcher', agent_span_id: 's1' },
            {
              event: 'model',
              span_id: 's1',
              input: [{ id: 'p1', role: 'user', content: 'Where is rye cheapest?' }],
              output: {
                choices: [{ message: { id: 'r1', role: 'assistant', content: said } }],
                usage: { input_tokens: 9, output_tokens: 4 },
              },
            },
          ],
        },
      ],
    };
    const { report, records } = await bench.one(json(log));
    const [inner, parent] = records;

    expect(report.conservation?.kept).toBe(report.conservation?.characters);
    expect(codes(report)).toEqual([]);
    expect(texts(first(records))).toEqual(['Where is rye cheapest?', said]);
    expect(inner?.turns[0]?.usage).toEqual({ input_tokens: 9, output_tokens: 4 });
    expect(inner?.imported?.extra).toMatchObject({
      subagent_of: parent?.started?.group,
      tool: 'searcher',
      tool_call_id: 'c1',
    });
    expect(inner?.started).toMatchObject({ scenario: 'bread/searcher', group: null });
    expect(parent?.turns).toHaveLength(2);

    const again = await bench.one(json(log));
    expect(again.report).toMatchObject({ episodes: 2, known: 2 });
  });
});

describe('what is no text', () => {
  const PICTURE = Buffer.from('picture of a boat '.repeat(4_000)).toString('base64');
  const PARTS: Record<string, object> = {
    'a data URL': { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
    'a data URL as text': { type: 'input_image', image: `data:image/png;base64,${PICTURE}` },
    'Gemini’s inlineData': { inlineData: { mimeType: 'image/png', data: PICTURE } },
    'Anthropic’s source': {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: PICTURE },
    },
    'Bedrock’s bytes': { image: { format: 'png', source: { bytes: PICTURE } } },
    'MCP’s data': { type: 'image', mimeType: 'image/png', data: PICTURE },
    sound: { type: 'input_audio', input_audio: { data: PICTURE, format: 'wav' } },
  };

  it.each(Object.entries(PARTS))('is media in base64, whose place alone is named: %s', async (_, part) => {
    const [asked, replied] = CHAT;
    const { report } = await bench.one(
      lines({
        messages: [{ role: 'user', content: [{ type: 'text', text: asked?.content }, part] }, replied],
      }),
    );
    const words = CHAT.reduce((sum, { content }) => sum + content.length, 0);

    expect(report).toMatchObject({
      episodes: 1,
      failure: null,
      conservation: { characters: words, kept: words },
    });
    expect(paths(report).join()).toMatch(/url|image|data|bytes/);
  });

  it('is a picture that stands in the words: what is lost beside it counts as much as ever', async () => {
    const [asked, replied] = CHAT;
    const lost = 'Nobody reads this. '.repeat(10);
    const content = `${asked?.content ?? ''} ![boat](data:image/png;base64,${PICTURE})`;
    const { report } = await bench.one(
      lines({
        messages: [
          { role: 'user', content },
          { ...replied, aside: lost },
        ],
      }),
    );

    expect(report.failure?.message).toBe('too little of it could be read');
    expect(report.conservation?.characters).toBeLessThan(350);
  });

  it('is a short word under a name for data, unless its type is said', async () => {
    const { report } = await bench.one(lines({ messages: [{ ...CHAT[0], data: 'unsaid' }, CHAT[1]] }));
    expect(report.conservation?.not_read).toMatchObject([{ path: 'messages.*.data', characters: 6 }]);
  });
});

describe('what a file ends in', () => {
  const row = JSON.stringify({ messages: CHAT });
  it.each([
    ['a list of records', (cut: string) => `[${row},${cut}`, 'the end of a file that is cut off'],
    ['lines', (cut: string) => `${row}\n${cut}`, 'what is no JSON'],
  ])('counts in characters where it is cut off: %s', async (_, file, kind) => {
    const cut = JSON.stringify({ messages: [{ role: 'user', content: 'Жито '.repeat(500) }] }).slice(0, -8);
    const { report } = await bench.one(file(cut));

    const left = report.conservation?.not_read.find(({ path }) => path === kind)?.characters ?? 0;
    // Of a list the comma before it too.
    expect(left - cut.length).toBeGreaterThanOrEqual(0);
    expect(left - cut.length).toBeLessThanOrEqual(1);
  });

  it('counts of trajectories too', async () => {
    const steps = [{ step_id: 1, source: 'user', message: 'Hello. '.repeat(300) }];
    const whole = JSON.stringify({
      schema_version: 'ATIF-v1.7',
      session_id: 'a',
      agent: { name: 'a' },
      steps,
    });
    const { report } = await bench.one(`${whole}\n${whole.slice(0, -40)}`);
    expect(report.conservation?.not_read[0]).toMatchObject({ path: 'documents that are not whole' });
    expect(report.conservation?.not_read[0]?.characters).toBeGreaterThan(2_000);
  });
});

it('refuses an episode of whose messages less than half was read, however much of the rest was', async () => {
  const [asked, replied] = CHAT;
  const messages = [asked, { ...replied, aside: 'What it really said. '.repeat(40) }];
  const { report } = await bench.one(lines({ messages, notes: 'Kept as it stands. '.repeat(100) }));

  expect(report).toMatchObject({ episodes: 0, failure: { message: 'too little of it could be read' } });
  expect(first(report.diagnostics).message).toMatch(
    /^episode 1 left out: \d+ % of its messages; kept \d\d %/,
  );
  const kept = await bench.one(lines({ messages: CHAT, log: [{ level: 'x'.repeat(300_000) }] }));
  expect(kept.report).toMatchObject({ episodes: 1, failure: null });
});
