import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interject, pythonRows, RELEASES, root, type Program } from './support.ts';

type Row = {
  step: string;
  observation?: Record<string, unknown>;
  reward?: unknown;
  done?: boolean;
  raised?: string;
  message?: string;
  state?: Record<string, unknown>;
  names?: string[];
  answered?: string;
};
type Task = {
  reference: { tool: string; args?: Record<string, unknown> }[];
  rehearsal: { final: string };
};

const SCENARIO = 'loomline_workflows';
const [first] = JSON.parse(
  readFileSync(join(root, 'resources/worlds', SCENARIO, 'tasks.json'), 'utf8'),
) as Task[];
const plan = JSON.stringify({
  scenario: 'Loomline Workflows',
  task_idx: 0,
  calls: first?.reference.map(({ tool, args = {} }) => ({ tool, args })),
  final: first?.rehearsal.final,
});

let world: Program;
let url = '';
beforeAll(async () => {
  world = interject(['world', '--port', '0', '--json']);
  ({ url } = JSON.parse(await world.firstLine) as { url: string });
});
afterAll(() => world.end());

const drive = async (release: (typeof RELEASES)[number], client: string): Promise<Map<string, Row>> => {
  const rows = (await pythonRows(release, 'drive_world.py', [client, url, plan])) as unknown as Row[];
  return new Map(rows.map((row) => [row.step, row]));
};

/** One client of one release plays a whole episode; what it saw is looked at from several sides. */
describe.each(
  RELEASES.flatMap((release) => ['generic', 'awm', 'mcp'].map((client) => ({ release, client }))),
)('the built-in world, driven by the real Python client $client of $release', ({ release, client }) => {
  let seen = new Map<string, Row>();
  beforeAll(async () => {
    seen = await drive(release, client);
  });
  const labelled = (step: string): unknown => {
    const row = seen.get(step);
    return row?.raised === undefined
      ? { label: row?.observation?.['reward_type'], reward: row?.reward, done: row?.done }
      : { raised: row.raised, message: row.message };
  };

  it('is reset by any spelling of its name, and says which task it set', () => {
    expect(labelled('reset')).toEqual({ label: 'reset_ok', reward: null, done: false });
    expect(seen.get('reset')?.observation).toMatchObject({
      scenario: SCENARIO,
      task_idx: 0,
      has_verifier: { sql: false, code: true },
    });
  });

  it('lists its tools only after a reset, each with exactly the three keys the client takes', () => {
    expect(seen.get('tools before')?.observation).toMatchObject({
      tools: [],
      error: 'Sub-environment is not running. Call reset() first.',
    });
    const tools = seen.get('tools')?.observation?.['tools'] as Record<string, unknown>[];
    expect(tools.length).toBeGreaterThanOrEqual(15);
    expect(new Set(tools.flatMap((tool) => Object.keys(tool)))).toEqual(
      new Set(['name', 'description', 'input_schema']),
    );
  });

  it('names its scenarios before any reset', () => {
    expect(labelled('scenarios')).toEqual({ label: 'tool_call_ok', reward: null, done: false });
    expect(seen.get('scenarios')?.observation?.['total']).toBeGreaterThanOrEqual(1);
  });

  it('answers an unknown scenario and a task out of range as data', () => {
    expect(labelled('unknown scenario')).toEqual({ label: 'reset_error', reward: null, done: false });
    expect(labelled('task out of range')).toEqual({ label: 'reset_error', reward: null, done: false });
    expect(seen.get('task out of range')?.observation?.['error']).toMatch(
      /^task_idx 10000 out of range \(0\.\.\d+\)$/,
    );
  });

  it('answers failing calls as data, with the labels and rewards of AWM', () => {
    expect(labelled('no such tool')).toEqual({ label: 'tool_not_found', reward: -1, done: false });
    expect(labelled('missing argument')).toEqual({ label: 'invalid_args', reward: -1, done: false });
    expect(labelled('no such record')).toMatchObject({ label: 'tool_not_found', reward: -1 });
    expect(seen.get('no such record')?.observation?.['error']).toMatch(/404/);
  });

  it('does not call the task complete before it is, and does once the reference was followed', () => {
    expect(labelled('verify too early')).toEqual({ label: 'others', reward: 0, done: false });
    expect(labelled('bad verifier mode')).toEqual({ label: 'invalid_args', reward: -1, done: false });
    expect(labelled('planned')).toEqual({ label: 'tool_call_ok', reward: 0, done: false });
    expect(labelled('verify')).toEqual({ label: 'complete', reward: 1, done: false });
    expect(seen.get('verify')?.observation?.['verify_result']).toMatchObject({
      result: 'complete',
      execution_status: 'success',
    });
  });

  it('ends with done, and then answers that it has ended, without counting a step', () => {
    expect(labelled('done')).toEqual({ label: 'episode_done', reward: 0, done: true });
    expect(labelled('after done')).toEqual({ label: 'episode_already_done', reward: null, done: true });
    const before = seen.get('state')?.state?.['step_count'] as number;
    expect(seen.get('state after')?.state).toMatchObject({
      episode_id: 'from-python',
      step_count: before + 1,
    });
    expect(labelled('again')).toMatchObject({ label: 'reset_ok' });
  });

  it.runIf(client === 'generic')('refuses what is no action, and goes on', () => {
    const refused = {
      raised: 'RuntimeError',
      message: 'Server error: Invalid message (code: VALIDATION_ERROR)',
    };
    expect(labelled('bad action')).toEqual(refused);
    expect(labelled('arguments as text')).toEqual(refused);
  });
});

describe('a full world', () => {
  it.each(RELEASES)('is an error that names the limit to the client of %s', async (release) => {
    const small = interject(['world', '--port', '0', '--capacity', '1', '--json']);
    const { url: address } = JSON.parse(await small.firstLine) as { url: string };

    const rows = await pythonRows(release, 'drive_full_world.py', [address]);
    await small.end();

    expect(rows).toEqual([
      { client: 'first', ok: true },
      // The old client misses the frame when the server's goodbye is quicker than its own first request.
      { client: 'second', raised: expect.stringMatching(/CAPACITY_REACHED|received 1000/) as string },
      { client: 'third, after the first has closed', ok: true },
    ]);
  });
});
