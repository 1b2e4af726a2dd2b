import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../src/shared/timeline/rows.ts';
import { recordsErrors } from '../../../src/shared/episode/phase.ts';
import { call, codes, createBench, first, json, lines, story, type Bench, WITHOUT_IDS } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const TOOLS = [
  { type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } },
];

describe('what an agent read', () => {
  const played = (result: object) => [
    { role: 'user', content: 'Find x.' },
    { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'find', '{"q":"x"}')] },
    { role: 'tool', tool_call_id: 'c1', name: 'find', ...result },
    { role: 'assistant', content: 'Here.' },
  ];

  it('stands in the log once, and is a message, a result and a call that went out all the same', async () => {
    const { records, ids } = await bench.one(lines([{ messages: played({ content: 'x is at the mill' }) }]));
    const events = bench.log.read(ids[0] ?? '').map(({ event }) => event);
    const record = first(records);

    expect(events.filter((event) => JSON.stringify(event).includes('x is at the mill'))).toHaveLength(1);
    expect(record.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Find x.'],
      ['assistant', 'I look.'],
      ['tool', 'x is at the mill'],
      ['assistant', 'Here.'],
    ]);
    expect(record.messages[2]).toMatchObject({ turn: 1, toolCallId: 'c1', name: 'find' });
    expect(record.turns[0]?.call).toMatchObject({
      sent: { toolName: 'find', arguments: { q: 'x' } },
      returned: { text: 'x is at the mill' },
    });
  });

  it('goes when its text is erased, wherever it is read', async () => {
    const { ids } = await bench.one(lines([{ messages: played({ content: 'the key is sk-12345678' }) }]));
    const id = ids[0] ?? '';
    bench.log.erase(id, 'sk-12345678', { type: 'human', id: 'seat-one' }, null);

    const record = bench.log.record(id);
    expect(JSON.stringify([record.messages, record.turns])).not.toContain('sk-12345678');
    expect(record.messages).toHaveLength(4);
  });

  it('is a message of its own where the result was an error', async () => {
    const { records } = await bench.one(
      lines([{ messages: played({ content: 'no x here', error: { message: 'not found' } }) }]),
    );
    const record = first(records);
    expect(record.messages[2]).toMatchObject({ role: 'tool', content: 'no x here' });
    expect(record.turns[0]?.call?.returned).toMatchObject({ error: 'not found' });
  });

  it('is said to have returned, not to be well, where the format has no place for errors of calls', async () => {
    const { records } = await bench.one(
      lines([{ messages: played({ content: 'error: the mill is frozen' }) }]),
    );
    const record = first(records);
    expect(recordsErrors(record)).toBe(false);
    const [step] = rowsOf(record).filter(({ sentence }) => sentence !== undefined);
    expect(step?.outcome).toEqual({ tone: 'plain', label: 'returned' });
  });

  it('is not said of a call that nothing came back for', async () => {
    const { records } = await bench.one(lines([{ messages: played({}).slice(0, 2) }]));
    expect(first(records).turns[0]?.call).toBeNull();
  });
});

describe('conversations a line', () => {
  it('reads the dialects alike: arguments as text or object, reasoning, old calls, missing ids, ShareGPT', async () => {
    const rows = [
      {
        messages: [
          { role: 'developer', content: 'Act.' },
          { role: 'user', content: [{ type: 'text', text: 'Find x.' }] },
          {
            role: 'assistant',
            content: null,
            reasoning_content: 'hm',
            tool_calls: [call('c1', 'find', '{"q":"x"}')],
          },
          { role: 'tool', name: 'find', content: 'x!' },
          { role: 'assistant', content: 'Here.', tool_calls: null, name: null },
        ],
        tools: JSON.stringify(TOOLS),
        reward: 0.5,
      },
      ...WITHOUT_IDS,
      {
        messages: [
          { role: 'user', content: 'Find x.' },
          {
            role: 'assistant',
            content: 'so <tool_call>\n{"name":"find","arguments":{"q":"x"}}\n</tool_call>',
          },
          { role: 'user', content: 'x!' },
          { role: 'assistant', content: 'Here.' },
        ],
      },
      {
        messages: [
          { role: 'user', content: 'Find x.' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: { q: 'x' } }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x!' }] }],
          },
          { role: 'assistant', content: 'Here.' },
        ],
      },
    ];
    const { records, report } = await bench.one(lines(...rows), 'data.jsonl');

    expect(report).toMatchObject({ format: 'chat', episodes: 5, skipped: 0 });
    for (const record of records) expect(story(record)).toEqual(['find({"q":"x"}) -> x!', 'final Here.']);
    expect(records.map(({ started }) => started?.agent.protocol)).toEqual([
      'native',
      'native',
      'native',
      'xml',
      'native',
    ]);
    expect(first(records).turns[0]?.reasoning).toBe('hm');
    expect(first(records).offered.map(({ name }) => name)).toEqual(['find']);
    expect(first(records).ended?.reward).toBe(0.5);
  });

  it('reads a list of records, and one record over many lines', async () => {
    const row = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    };
    expect((await bench.one(json([row, row]))).report).toMatchObject({ format: 'chat', episodes: 2 });
    expect((await bench.one(json(row))).report).toMatchObject({ format: 'chat', episodes: 1 });
  });

  it('keeps a question to an expert apart from calls', async () => {
    const row = {
      messages: [
        { role: 'user', content: 'Do it.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [call('c1', 'ask_expert', '{"task":"Do it","context":"Which?"}')],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'The second.' },
        { role: 'assistant', content: 'Done.' },
      ],
    };
    const { records } = await bench.one(lines(row));
    const [turn] = first(records).turns;
    expect(turn?.move).toMatchObject({ type: 'ask_expert', context: 'Which?' });
    expect(first(records).messages.find(({ origin }) => origin === 'advice')?.content).toBe('The second.');
  });
});

describe('an ATIF trajectory', () => {
  const trajectory = (version: string) => ({
    schema_version: version,
    session_id: 'run-1',
    agent: { name: 'agent', version: '1', model_name: 'm', tool_definitions: TOOLS },
    steps: [
      { step_id: 1, timestamp: '2026-02-01T00:00:00Z', source: 'user', message: 'Find x.' },
      {
        step_id: 2,
        timestamp: '2026-02-01T00:00:02Z',
        source: 'agent',
        message: 'I look.',
        reasoning_content: 'r',
        tool_calls: [
          { tool_call_id: 'a', function_name: 'find', arguments: { q: 1 } },
          { tool_call_id: 'b', function_name: 'find', arguments: { q: 2 } },
        ],
        observation: {
          results: [
            { source_call_id: 'b', content: 'two' },
            { source_call_id: 'a', content: [{ type: 'text', text: 'one' }] },
          ],
        },
        metrics: { prompt_tokens: 5, completion_tokens: 2 },
      },
      { step_id: 3, source: 'system', message: 'Expert advice: stop.' },
      { step_id: 4, source: 'agent', message: 'Stopped.', tool_calls: null, observation: null },
    ],
    subagent_trajectories: [
      {
        schema_version: version,
        trajectory_id: 't2',
        agent: { name: 'sub', version: '1' },
        steps: [{ step_id: 1, source: 'user', message: 'Sub.' }],
      },
    ],
    extra: { reward: 1 },
  });

  it.each(['ATIF-v1.0', 'ATIF-v1.7', 'ATIF-v1.8'])('%s opens, its subagents too', async (version) => {
    const { records, report } = await bench.one(json(trajectory(version)));

    expect(report).toMatchObject({ format: 'atif', version, episodes: 2 });
    expect(story(first(records))).toEqual(['find({"q":1}) -> one', 'find({"q":2}) -> two', 'final Stopped.']);
    expect(first(records).turns[0]).toMatchObject({
      usage: { input_tokens: 5, output_tokens: 2 },
      reasoning: 'r',
    });
    expect(first(records).ended?.reward).toBe(1);
    expect(records[1]?.imported?.extra['subagent_of']).toBe('run-1');
  });

  it('of a version that is not known says so', async () => {
    const { report } = await bench.one(json(trajectory('ATIF-v9.9')));
    expect(report.episodes).toBe(2);
    expect(codes(report)).toContain('unknown_version');
  });
});

describe('SWE-agent', () => {
  const step = (action: string, observation: string) => ({
    action,
    observation,
    response: `I run ${action}`,
    state: { working_dir: '/r' },
    thought: 't',
    execution_time: 0.25,
    query: [{ role: 'user', content: 'repeated '.repeat(10) }],
    extra_info: {},
  });
  const run = {
    trajectory: [step('ls\n', 'a.py\n'), step('submit', 'done')],
    history: [
      { role: 'user', content: 'demo', is_demo: true, agent: 'main' },
      { role: 'system', content: 'Fix it.', agent: 'main' },
      { role: 'user', content: 'The bug.', agent: 'main' },
      { role: 'assistant', content: 'x', agent: 'main' },
    ],
    info: { exit_status: 'exit_cost', submission: 'diff --git' },
    replay_config: null,
    environment: 'env',
  };

  it('opens with its commands, without the demonstration and without what each step repeats', async () => {
    const { records, report } = await bench.one(json(run), 'x.traj');

    expect(report).toMatchObject({ format: 'swe_agent', episodes: 1 });
    const record = first(records);
    expect(story(record)[0]).toBe('bash({"command":"ls\\n"}) -> a.py\n');
    expect(record.messages.slice(0, 2).map(({ content }) => content)).toEqual(['Fix it.', 'The bug.']);
    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'exit_cost', final_answer: 'diff --git' });
    expect(record.turns[0]?.call?.returned?.latency_ms).toBe(250);
    expect(JSON.stringify(record)).not.toContain('repeated');
  });

  it('opens each attempt of a retrying agent', async () => {
    const { records } = await bench.one(json({ attempts: [run, run], info: {} }));
    expect(records.map(({ started }) => [started?.group, started?.repeat])).toEqual([
      ['a.json', 0],
      ['a.json', 1],
    ]);
  });

  it('mini-swe-agent opens with the commands in its replies', async () => {
    const { records, report } = await bench.one(
      json({
        info: { exit_status: 'Submitted', submission: 'diff' },
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'Fix.' },
          {
            role: 'assistant',
            content: 'THOUGHT: look\n\n```bash\nls -l\n```',
            extra: { timestamp: 1_767_000_000 },
          },
          { role: 'user', content: '<returncode>0</returncode>' },
          { role: 'exit', content: 'diff' },
        ],
        trajectory_format: 'mini-swe-agent-1.1',
      }),
    );
    expect(report).toMatchObject({ format: 'mini_swe_agent', version: 'mini-swe-agent-1.1' });
    expect(story(first(records))).toEqual(['bash({"command":"ls -l"}) -> <returncode>0</returncode>']);
    expect(first(records).ended).toMatchObject({ outcome: 'done', final_answer: 'diff' });
  });
});
