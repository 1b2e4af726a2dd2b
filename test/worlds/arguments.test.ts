import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACK, type Served, serveWorlds, type Talk } from '../support/worlds.ts';

let served: Served;
let client: Talk;
beforeAll(async () => {
  served = await serveWorlds();
  client = await served.talk();
  await client.reset({ scenario: PACK, task_idx: 0 });
});
afterAll(() => served.close());

type Detail = { type: string; loc: string[]; msg: string; input: unknown };

/** The parts of a refused call: what the agent reads, without the tool's name around it. */
async function refusal(tool: string, args: Record<string, unknown>) {
  const { data } = await client.call(tool, args);
  const { reward_type: label, error } = data.observation;
  const [, status, response = ''] =
    /^Error calling \w+\. Status code: (\d+)\. Response: (.*)$/s.exec(String(error)) ?? [];
  return { label, status, detail: (JSON.parse(response) as { detail: string | Detail[] }).detail };
}
const types = async (tool: string, args: Record<string, unknown>): Promise<string[]> => {
  const { detail } = await refusal(tool, args);
  return (detail as Detail[]).map(({ type, loc }) => `${loc.join('.')} ${type}`);
};
const read = async (tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  JSON.parse(String((await client.call(tool, args)).data.observation['tool_result'])) as Record<
    string,
    unknown
  >;

describe('arguments that do not fit', () => {
  it('are all named at once, with their place', async () => {
    expect(await types('subscribe_user', { workflow_id: 'x', channel: 'pigeon' })).toEqual([
      'body.workflow_id int_parsing',
      'body.user_id missing',
      'body.channel literal_error',
      'body.event missing',
    ]);
  });

  it.each([
    ['get_run', { run_id: 1.5 }, 'query.run_id int_from_float'],
    ['get_run', { run_id: [1] }, 'query.run_id int_type'],
    ['get_run', { run_id: null }, 'query.run_id int_type'],
    ['list_runs', { workflow_id: 101, limit: 0 }, 'query.limit greater_than_equal'],
    ['list_runs', { workflow_id: 101, limit: 1000 }, 'query.limit less_than_equal'],
    ['search_workflows', { query: 7 }, 'query.query string_type'],
    ['search_users', { is_active: 'perhaps' }, 'query.is_active bool_parsing'],
    ['search_users', { is_active: {} }, 'query.is_active bool_type'],
    ['update_workflow', { workflow_id: 101, name: 'x' }, 'body.name string_too_short'],
    ['update_workflow', { workflow_id: 101, name: 'x'.repeat(81) }, 'body.name string_too_long'],
    [
      'set_schedule',
      { workflow_id: 101, cron: 'daily', timezone: 'UTC' },
      'body.cron string_pattern_mismatch',
    ],
    ['update_step', { step_id: 601, config: 'none' }, 'body.config dict_type'],
  ])('%s %j: %s', async (tool, args, expected) => {
    expect(await types(tool, args)).toEqual([expected]);
  });

  it('say which values are allowed', async () => {
    const { detail } = await refusal('set_workflow_status', { workflow_id: 101, status: 'on' });

    expect((detail as Detail[])[0]?.msg).toBe('Input should be one of draft, active, paused, archived');
  });

  it('get the label their words suggest: missing is a format error, a wrong type is not', async () => {
    expect((await refusal('get_run', {})).label).toBe('invalid_args');
    expect((await refusal('get_run', { run_id: 'x' })).label).toBe('server_error');
    expect((await refusal('get_run', { run_id: 1 })).label).toBe('tool_not_found');
  });
});

describe('arguments that fit', () => {
  it('may be written as text where a number or a yes is meant, and unknown ones are ignored', async () => {
    const plain = await read('search_users', { workspace_id: 1, is_active: false });

    expect(await read('search_users', { workspace_id: '1', is_active: 'no', colour: 'red' })).toEqual(plain);
    expect(plain['users']).toHaveLength(1);
  });

  it('take their defaults when they are left out or null', async () => {
    expect((await read('search_workflows', { status: null }))['workflows']).toHaveLength(20);
  });

  it('are data, never SQL', async () => {
    expect(await read('search_workflows', { query: "'; DROP TABLE workflows; --" })).toEqual({
      workflows: [],
      total: 0,
    });
    expect((await read('search_workflows', {}))['total']).toBe(30);
  });
});

describe('results', () => {
  it('are JSON indented by two, with booleans and objects as such', async () => {
    const { data } = await client.call('get_workflow', { workflow_id: 117 });
    const text = String(data.observation['tool_result']);
    const { steps } = JSON.parse(text) as { steps: Record<string, unknown>[] };

    expect(text.startsWith('{\n  "workflow": {\n    "workflow_id": 117,')).toBe(true);
    expect(steps[2]).toMatchObject({ is_enabled: false, config: { sheet: 'Colours 2024' } });
  });
});

describe('a refused change', () => {
  it.each([
    ['set_workflow_status', { workflow_id: 113, status: 'paused' }, 'Workflow 113 is already paused'],
    [
      'set_workflow_status',
      { workflow_id: 119, status: 'active' },
      "Step 'Log sample' uses connection 'Sheetbase orders', which is expired",
    ],
    ['retry_run', { run_id: 2001 }, 'Run 2001 did not fail; only failed runs can be retried'],
    [
      'add_step',
      { workflow_id: 117, name: 'x', action: 'a.b', connection_id: 201 },
      'Connection 201 belongs to another workspace',
    ],
    [
      'subscribe_user',
      { workflow_id: 101, user_id: 17, channel: 'email', event: 'any' },
      'User 17 is not an active member of the workspace of workflow 101',
    ],
    [
      'update_workflow',
      { workflow_id: 109, name: 'New name' },
      'Workflow 109 is archived and cannot be changed',
    ],
    [
      'set_schedule',
      { workflow_id: 104, cron: '0 0 * * *', timezone: 'UTC' },
      'Workflow 104 is not started by a schedule',
    ],
  ])('%s %j says why', async (tool, args, detail) => {
    expect(await refusal(tool, args)).toMatchObject({ status: '409', detail });
  });

  it('changes nothing, also when it is refused half way', async () => {
    const before = await read('get_workflow', { workflow_id: 117 });

    await refusal('add_step', { workflow_id: 117, name: 'x', action: 'a.b', position: 9 });
    await refusal('update_workflow', { workflow_id: 117, name: 'Changed', owner_id: 11 });

    expect(await read('get_workflow', { workflow_id: 117 })).toEqual(before);
  });
});
