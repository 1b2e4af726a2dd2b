import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codes, createBench, first, json, story, type Bench } from './support.ts';
import { zip, type Packing } from './zip.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const HEADER = {
  version: 2,
  status: 'success',
  eval: {
    created: '2026-01-01T00:00:00+00:00',
    task: 'shop',
    eval_id: 'E1',
    model: 'lab/model-x',
    dataset: {},
    config: {},
  },
  plan: { name: 'plan', steps: [], config: {} },
};

const sample = (over: object = {}) => ({
  id: 'loaf/1',
  epoch: 1,
  input: 'Order bread.',
  target: '',
  messages: [
    { id: 'm1', role: 'user', content: 'Order bread.', source: 'input' },
    {
      id: 'm2',
      role: 'assistant',
      content: [
        { type: 'reasoning', reasoning: 'Which one?' },
        { type: 'text', text: 'I look.' },
      ],
      tool_calls: [{ id: 'c1', function: 'search', arguments: { q: 'bread' }, type: 'function' }],
    },
    {
      id: 'm3',
      role: 'tool',
      content: '',
      tool_call_id: 'c1',
      function: 'search',
      error: { type: 'timeout', message: 'too slow' },
    },
    { id: 'm4', role: 'assistant', content: 'attachment://abc' },
  ],
  output: { model: 'lab/model-x', choices: [] },
  scores: { exact: { value: 'C', answer: 'Done.', explanation: 'it is' } },
  events: [
    { event: 'span_begin', uuid: 'u0', timestamp: '2026-01-01T10:00:00+00:00', id: 's', name: 'x' },
    {
      event: 'model',
      uuid: 'u1',
      timestamp: '2026-01-01T10:00:01+00:00',
      model: 'lab/model-x',
      input: [{ role: 'user', content: 'Order bread.' }],
      tools: [{ name: 'search', description: 'Finds.', parameters: { type: 'object', properties: {} } }],
      output: {
        model: 'model-x-1',
        choices: [{ message: { id: 'm2', role: 'assistant', content: '' }, stop_reason: 'tool_calls' }],
        usage: { input_tokens: 10, output_tokens: 4 },
        time: 1.5,
      },
      call: { request: { huge: true }, response: {} },
    },
    {
      event: 'tool',
      uuid: 'u2',
      timestamp: '2026-01-01T10:00:03+00:00',
      id: 'c1',
      function: 'search',
      completed: '2026-01-01T10:00:05+00:00',
    },
  ],
  attachments: { abc: 'Ordered. All good.' },
  ...over,
});

describe('an Inspect log', () => {
  it('opens with text, reasoning, times, tokens, failed calls, tools and scores', async () => {
    const { records, report } = await bench.one(json({ ...HEADER, samples: [sample()] }));

    expect(report).toMatchObject({ format: 'inspect', version: '2', episodes: 1 });
    const record = first(records);
    expect(story(record)).toEqual(['search({"q":"bread"}) ! too slow', 'final Ordered. All good.']);
    expect(record.turns[0]).toMatchObject({
      content: 'I look.',
      reasoning: 'Which one?',
      usage: { input_tokens: 10, output_tokens: 4 },
      stopReason: 'tool_calls',
      latency_ms: 1500,
      at: Date.parse('2026-01-01T10:00:01Z'),
    });
    expect(record.turns[0]?.call?.returned).toMatchObject({
      at: Date.parse('2026-01-01T10:00:05Z'),
      latency_ms: 2000,
    });
    expect(record.verified).toMatchObject({ verifier_mode: 'exact', reward: 1, final_answer: 'Done.' });
    expect(record.offered.map(({ name }) => name)).toEqual(['search']);
    expect(record.started).toMatchObject({
      scenario: 'shop',
      group: 'E1:loaf/1',
      agent: { model: 'lab/model-x', policy: 'foreign' },
    });
  });

  it.each<Packing>(['zstandard', 'deflated', 'stored'])(
    'opens as an archive whose members are %s',
    async (packing) => {
      const archive = zip(
        [
          ['_journal/start.json', json(HEADER)],
          ['samples/loaf/1_epoch_1.json', json(sample())],
          ['samples/2_epoch_1.json', json(sample({ id: 2 }))],
          ['summaries.json', '[]'],
          ['header.json', json(HEADER)],
        ],
        { packing },
      );
      const { records, report } = await bench.one(archive, 'x.eval');

      expect(report).toMatchObject({ format: 'inspect', episodes: 2, skipped: 0 });
      expect(story(first(records))).toEqual(['search({"q":"bread"}) ! too slow', 'final Ordered. All good.']);
      expect(records[1]?.started?.task_idx).toBe(2);
    },
  );

  it('reads a sample in pieces beside one that is whole', async () => {
    const { messages, events, attachments: _gone, ...shell } = sample();
    const pool = messages.map((message) =>
      message.id === 'm4' ? { ...message, content: 'attachment://1' } : message,
    );
    const name = 'samples/loaf/1_epoch_1';
    const archive = zip([
      ['header.json', json(HEADER)],
      [
        `${name}/sample.json`,
        json({
          ...shell,
          message_refs: [
            [0, 2],
            [2, 4],
          ],
        }),
      ],
      [`${name}/skeleton.json`, '{}'],
      [`${name}/messages/0.json`, json(pool.slice(0, 3))],
      [`${name}/messages/3.json`, json(pool.slice(3))],
      [`${name}/events/0.json`, json(events)],
      [`${name}/events/stats.json`, '{}'],
      [`${name}/events/uuids.json`, '[]'],
      [`${name}/attachments/0.json`, json(['zero', 'Ordered. All good.'])],
      ['samples/2_epoch_1.json', json(sample({ id: 2 }))],
    ]);
    const { records, report } = await bench.one(archive);

    expect(report).toMatchObject({ episodes: 2, skipped: 0 });
    for (const record of records) {
      expect(story(record)).toEqual(['search({"q":"bread"}) ! too slow', 'final Ordered. All good.']);
      expect(record.turns[0]?.usage).toEqual({ input_tokens: 10, output_tokens: 4 });
    }
  });

  it('takes the conversation of a run that never ended from its last request, through the pool', async () => {
    const { messages, ...rest } = sample({
      scores: {},
      events_data: { messages: sample().messages.slice(0, 3), calls: [] },
    });
    const last = {
      event: 'model',
      timestamp: '2026-01-01T10:00:09+00:00',
      input: [],
      input_refs: [[0, 3]],
      output: { model: 'm', choices: [{ message: { id: 'm9', role: 'assistant', content: 'Still here.' } }] },
    };
    const archive = zip([
      ['_journal/start.json', json(HEADER)],
      [
        'samples/1_epoch_1.json',
        json({
          ...rest,
          messages: [],
          events: [...rest.events, last],
          error: { message: 'killed', traceback: '' },
        }),
      ],
    ]);
    const { records, report } = await bench.one(archive);

    expect(messages.length).toBeGreaterThan(0);
    expect(story(first(records))).toEqual(['search({"q":"bread"}) ! too slow', 'final Still here.']);
    expect(first(records).ended).toMatchObject({ outcome: 'error', failure: { message: 'killed' } });
    expect(codes(report)).toEqual(expect.arrayContaining(['no_header', 'from_events']));
  });

  it('tells what a person approved, changed and rejected', async () => {
    const approval = (over: object) => ({
      event: 'approval',
      timestamp: '2026-01-01T10:00:02+00:00',
      message: '',
      call: { id: 'c1', function: 'search', arguments: { q: 'bread' } },
      approver: 'human',
      decision: 'modify',
      modified: { id: 'c1', function: 'search', arguments: { q: 'rye' } },
      explanation: 'rye is meant',
      ...over,
    });
    const auto = approval({ approver: 'auto', decision: 'approve', modified: null });
    const with_ = sample();
    const { records } = await bench.one(
      json({ ...HEADER, samples: [{ ...with_, events: [...with_.events, auto, approval({})] }] }),
    );

    const call = first(records).turns[0]?.call;
    expect(call?.decision).toMatchObject({
      type: 'edited',
      arguments: { q: 'rye' },
      reason: 'rye is meant',
      actor: { type: 'human' },
    });
    expect(call?.sent?.arguments).toEqual({ q: 'rye' });
    expect(first(records).turns[0]?.move).toMatchObject({ arguments: { q: 'bread' } });
  });

  it('reads NaN as nothing and says where it stood', async () => {
    const text = json({
      ...HEADER,
      samples: [sample({ scores: { s: { value: 'x-nan', answer: 'NaN' } } })],
    }).replace('"x-nan"', 'NaN');
    const { records, report } = await bench.one(text);

    expect(first(records).verified).toMatchObject({ reward: null, final_answer: 'NaN' });
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'not_a_number', pointer: '/samples/0/scores' }),
    );
  });

  it('keeps the whole samples of a log that is cut off, and names the one that is not', async () => {
    const text = json({ ...HEADER, samples: [sample(), sample({ id: 2 })] });
    const { report } = await bench.one(text.slice(0, -700));

    expect(report).toMatchObject({ episodes: 1, skipped: 1, failure: null });
    expect(
      report.diagnostics.some(
        ({ code, pointer }) => code === 'truncated' && (pointer ?? '').startsWith('/samples/1'),
      ),
    ).toBe(true);
  });
});
