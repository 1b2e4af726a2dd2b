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

  it('are data, never SQL', async () => {
    expect(await read('search_workflows', { query: "'; DROP TABLE workflows; --" })).toEqual({
      workflows: [],
      total: 0,
    });
    expect((await read('search_workflows', {}))['total']).toBe(30);
  });
});

describe('a refused change', () => {
  it('changes nothing, also when it is refused half way', async () => {
    const before = await read('get_workflow', { workflow_id: 117 });

    await refusal('add_step', { workflow_id: 117, name: 'x', action: 'a.b', position: 9 });
    await refusal('update_workflow', { workflow_id: 117, name: 'Changed', owner_id: 11 });

    expect(await read('get_workflow', { workflow_id: 117 })).toEqual(before);
  });
});
