import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveWorlds } from '../support/worlds.ts';

let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${served.url}${path}`, init);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
};
const mcp = async (body: string): Promise<unknown> => (await ask('/mcp', { method: 'POST', body })).body;

describe('a world over HTTP', () => {
  it('says that it is well, and what it is', async () => {
    expect(await ask('/health')).toEqual({
      status: 200,
      type: 'application/json',
      body: { status: 'healthy' },
    });
    expect(Object.keys((await ask('/metadata')).body as object)).toEqual([
      'name',
      'description',
      'readme_content',
      'version',
      'author',
      'documentation_url',
    ]);
  });

  it('shows the state before any episode, since a request has none of its own', async () => {
    expect((await ask('/state')).body).toEqual({ episode_id: null, step_count: 0 });
  });

  it.each(['/reset', '/step'])('refuses POST %s and says where to go instead', async (path) => {
    const { status, body } = await ask(path, { method: 'POST', body: '{"scenario":"x"}' });

    expect(status).toBe(400);
    expect(body).toEqual({
      error: expect.any(String) as string,
      reason: expect.any(String) as string,
      solution: expect.stringContaining('/ws') as string,
      examples: expect.any(Array) as string[],
    });
  });

  it('describes actions, observations and state as JSON Schemas', async () => {
    const { action, observation, state } = (await ask('/schema')).body as Record<
      string,
      { properties?: object; additionalProperties?: boolean; discriminator?: object; $defs?: object }
    >;

    expect(action?.discriminator).toEqual({
      mapping: { call_tool: '#/$defs/CallToolAction', list_tools: '#/$defs/ListToolsAction' },
      propertyName: 'type',
    });
    expect(Object.keys(action?.$defs ?? {})).toEqual(['CallToolAction', 'ListToolsAction']);
    expect(observation?.additionalProperties).toBe(false);
    expect(Object.keys(observation?.properties ?? {})).toEqual([
      'done',
      'reward',
      'metadata',
      'reward_type',
      'scenario',
      'task',
      'task_idx',
      'has_verifier',
      'num_tools',
      'tool_name',
      'tool_result',
      'error',
      'warning',
      'verify_result',
      'steps_taken',
      'scenarios',
      'total',
      'trajectory_path',
      'session_dir',
    ]);
    expect(Object.keys(state?.properties ?? {})).toEqual(['episode_id', 'step_count']);
  });

  it('answers what it does not have with 404, and a wrong method with 405', async () => {
    expect(await ask('/nothing')).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    expect(await ask('/toString')).toMatchObject({ status: 404 });
    expect(await ask('/health', { method: 'POST' })).toMatchObject({
      status: 405,
      body: { detail: 'Method Not Allowed' },
    });
  });

  it('answers JSON-RPC with 200 whatever it thinks of it', async () => {
    const error = (code: number, message: unknown, id: unknown = 1) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message, data: null },
    });
    const request = (method: string, params?: object) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });

    expect(await mcp('{')).toEqual(error(-32700, 'Parse error', null));
    expect(await mcp('[]')).toEqual(error(-32700, 'Parse error', null));
    expect(await mcp('{}')).toEqual(
      error(-32600, 'Invalid request: jsonrpc: Field required; method: Field required', null),
    );
    expect(await mcp(request('tools/list'))).toEqual(error(-32603, 'Environment does not support MCP'));
    expect(await mcp(request('tools/call', { name: 'x' }))).toEqual(
      error(-32603, 'Environment does not support MCP'),
    );
    expect(await mcp(request('tools/list', { session_id: 'q' }))).toEqual(
      error(-32602, 'Unknown session_id: q'),
    );
    expect(await mcp(request('initialize'))).toEqual(error(-32601, 'Method not found: initialize'));
    expect(await mcp(request('openenv/session/close'))).toEqual(
      error(-32602, "Invalid params - 'session_id' is required"),
    );
  });
});
