import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codes, createBench, first, json, lines, story, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const AWM = {
  scenario: 'Corner Shop',
  task: 'Order two loaves.',
  task_idx: 3,
  steps: 5,
  trajectory: [
    { action: 'list_tools', success: true, num_tools: 1, tool_names: ['order'] },
    {
      action: 'call_tool',
      tool_name: 'order',
      arguments: { loaves: 2 },
      success: true,
      result: '{"id": 7}',
      error: null,
    },
    {
      action: 'call_tool',
      tool_name: 'order',
      arguments: {},
      success: false,
      result: null,
      error: '422 loaves missing',
    },
    {
      action: 'verify',
      arguments: { verifier_mode: 'code', final_answer: 'Ordered.' },
      success: true,
      reward_type: 'complete',
      reward: 1,
      verify_result: { result: 'complete' },
    },
  ],
};

describe('a trajectory an AWM server left', () => {
  it('brings the databases that lie beside it along', async () => {
    const bytes = Buffer.from('SQLite format 3\0 not really');
    const { records } = await bench.many({
      'trajectory.json': json(AWM),
      'corner_shop_initial.db': bytes,
      'corner_shop.db': 'final',
      'server.log': 'noise',
    });

    const { companions } = first(records).imported ?? { companions: [] };
    expect(companions.map(({ name, role }) => [name, role])).toEqual([
      ['corner_shop_initial.db', 'initial_database'],
      ['corner_shop.db', 'final_database'],
    ]);
    expect(bench.sources.find(companions[0]?.sha256 ?? '')).not.toBeNull();
  });
});

describe('a run folder of Snowflake’s agent', () => {
  const RUN = {
    scenario: 'corner_shop',
    task_id: 0,
    task: 'Order bread.',
    model: 'some-4b',
    api_url: 'http://localhost:1/v1',
    max_iterations: 2,
    temperature: 1,
    total_iterations: 2,
    timestamp: '20260316_002926',
    trajectory: [
      {
        iteration: 1,
        role: 'assistant',
        content: '<tool_call>{"name":"mcp_tool_order"}</tool_call>',
        tool_calls: [{ id: 'c0', name: 'mcp_server_mcp_tool_order', arguments: '{"loaves": 1}' }],
        tool_response: { tool_call_id: 'c0', content: 'Error: no such bread' },
      },
      {
        iteration: 2,
        role: 'assistant',
        content: 'try again',
        tool_calls: [
          { id: 'c1', name: 'order', arguments: null },
          { id: 'c2', name: 'order', arguments: null },
        ],
        tool_response: { tool_call_id: 'c1', content: 'ok' },
      },
    ],
    messages: [
      { role: 'system', content: 'You act.' },
      { role: 'user', content: 'Order bread.' },
      { role: 'assistant', content: 'x' },
    ],
  };

  it('keeps what was written, tells failed calls apart, and takes the verdict from beside it', async () => {
    const verdict = {
      scenario: 'corner_shop',
      task_id: 0,
      mode: 'code',
      reward_type: 'others',
      reward: 0,
      verify_result: {},
    };
    const { records, report } = await bench.many({
      'trajectory.json': json(RUN),
      'verify.code.json': json(verdict),
      'initial.db': 'a',
      'final.db': 'b',
    });

    const record = first(records);
    expect(story(record)).toEqual(['order({"loaves":1}) ! no such bread', 'order({}) -> ok']);
    expect(record.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(record.startedAt).toBe(Date.UTC(2026, 2, 16, 0, 29, 26));
    expect(record.ended).toMatchObject({ outcome: 'limit', reward_type: 'others' });
    expect(record.imported?.companions.map(({ role }) => role)).toEqual([
      'initial_database',
      'final_database',
      'verdict',
    ]);
    expect(JSON.stringify(record.imported)).not.toContain('localhost');
    expect(report.format).toBe('snowflake_run');
    expect(codes(report)).toEqual(expect.arrayContaining(['time_without_zone', 'calls_not_made']));
  });
});

describe('what OpenEnv’s collect wrote', () => {
  const row = (id: string) => ({
    episode_id: id,
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q": "x"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'search', content: '[]' },
      { role: 'assistant', content: 'Nothing there.' },
    ],
    reward: true,
    done: true,
    tool_trace: [
      {
        tool_name: 'search',
        arguments: { q: 'x' },
        result: { data: '[]', done: false, metadata: { reward: 0.5 }, error: null },
      },
    ],
    metrics: { turns: 1, tool_calls: 1 },
    verify_metrics: {},
    artifacts: {},
    task: null,
    extra: {},
  });

  it('gives an episode a line, with rewards of calls from the trace', async () => {
    const { records, report } = await bench.many({
      'results.jsonl': lines(row('ep-0'), row('ep-1')),
      'metadata.json': '{"model":"m"}',
    });

    expect(report).toMatchObject({ format: 'openenv_collect', episodes: 2 });
    const record = first(records);
    expect(story(record)).toEqual(['search({"q":"x"}) -> []', 'final Nothing there.']);
    expect(record.turns[0]?.call?.returned?.reward).toBe(0.5);
    expect(record.ended).toMatchObject({ reward: 1, final_answer: 'Nothing there.' });
    expect(record.imported?.companions).toMatchObject([{ name: 'metadata.json', role: 'metadata' }]);
  });

  it('names an id that stands there twice, and skips and counts lines that are broken', async () => {
    const text = `${lines(row('ep-0'))}{"episode_id": "ep-1", "mess\n${lines(row('ep-0'))}`;
    const { report } = await bench.one(text, 'results.jsonl');

    expect(report).toMatchObject({ episodes: 2, skipped: 1 });
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'broken_json', pointer: 'line 2' }),
    );
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'duplicate_id', pointer: 'line 3' }),
    );
  });
});
