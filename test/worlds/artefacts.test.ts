import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PACK, type Served, serveWorlds } from '../support/worlds.ts';

let served: Served;
beforeEach(async () => {
  served = await serveWorlds();
});
afterEach(() => served.close());

/** A short episode of task 1, up to `done`. */
async function play(done: Record<string, unknown>) {
  const client = await served.talk();
  await client.reset({ scenario: PACK, task_idx: 1 });
  await client.say({ type: 'step', data: { type: 'list_tools' } });
  await client.call('set_workflow_status', { workflow_id: 'x', status: 'paused' });
  await client.call('set_workflow_status', { workflow_id: 103, status: 'paused' });
  await client.call('__list_scenarios__');
  await client.call('verify', { final_answer: 'Paused.' });
  await client.call('verify', { verifier_mode: 'guess' });
  const { data } = await client.call('done', done);
  return { client, observation: data.observation, path: String(data.observation['trajectory_path']) };
}
const statusOf103 = (file: string): unknown => {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db.prepare('SELECT status FROM workflows WHERE id = 103').pluck().get();
  } finally {
    db.close();
  }
};

describe('a session that is kept', () => {
  it('leaves both databases and the trajectory in a folder of its own, also after the socket closed', async () => {
    const { client, observation } = await play({ keep_session: true });
    client.socket.send('{"type":"close"}');
    await client.closed;

    const folder = String(observation['session_dir']);
    expect(observation['trajectory_path']).toBe(join(folder, 'trajectory.json'));
    expect(readdirSync(folder).toSorted()).toEqual([`${PACK}.db`, `${PACK}_initial.db`, 'trajectory.json']);
    expect(statusOf103(join(folder, `${PACK}_initial.db`))).toBe('active');
    expect(statusOf103(join(folder, `${PACK}.db`))).toBe('paused');
  });

  it('writes the trajectory as the Agent World Model does: what was refused or only listed is not in it', async () => {
    const { path } = await play({ keep_session: true });

    const text = readFileSync(path, 'utf8');
    const { trajectory, ...about } = JSON.parse(text) as { trajectory: Record<string, unknown>[] };

    expect(about).toEqual({
      scenario: PACK,
      task: expect.stringContaining('Weekly supplier digest') as string,
      task_idx: 1,
      steps: 7,
    });
    expect(trajectory).toEqual([
      { action: 'list_tools', success: true, num_tools: 25, tool_names: expect.any(Array) as string[] },
      {
        action: 'call_tool',
        tool_name: 'set_workflow_status',
        arguments: { workflow_id: 'x', status: 'paused' },
        success: false,
        result: null,
        error: expect.stringContaining('Status code: 422') as string,
      },
      {
        action: 'call_tool',
        tool_name: 'set_workflow_status',
        arguments: { workflow_id: 103, status: 'paused' },
        success: true,
        result: expect.stringContaining('"status": "paused"') as string,
        error: null,
      },
      {
        action: 'verify',
        arguments: { final_answer: 'Paused.' },
        success: true,
        reward_type: 'complete',
        reward: 1,
        verify_result: {
          result: 'complete',
          execution_status: 'success',
          raw_result: { result: 'complete' },
        },
      },
    ]);
    expect(text).toContain('"reward": 1.0');
  });

  it('has no trajectory when no step was taken', async () => {
    const client = await served.talk();
    await client.reset({ scenario: PACK, task_idx: 1 });

    const { data } = await client.call('done', { keep_session: true });

    expect(data.observation).not.toHaveProperty('trajectory_path');
    expect(readdirSync(String(data.observation['session_dir']))).toHaveLength(2);
  });
});

describe('a session that is not kept', () => {
  it('names a trajectory that is there until the next reset, and no folder', async () => {
    const { client, observation, path } = await play({});

    expect(observation).not.toHaveProperty('session_dir');
    expect(existsSync(path)).toBe(true);
    await client.reset({ scenario: PACK, task_idx: 0 });
    expect(existsSync(path)).toBe(false);
  });

  it('leaves nothing once its socket closed', async () => {
    const { client } = await play({ keep_session: false });

    client.socket.send('{"type":"close"}');
    await client.closed;

    expect(readdirSync(served.sessions)).toEqual([]);
  });

  it('writes no file at all before done', async () => {
    const client = await served.talk();
    await client.reset({ scenario: PACK, task_idx: 1 });
    await client.call('set_workflow_status', { workflow_id: 103, status: 'paused' });

    expect(existsSync(served.sessions)).toBe(false);
  });
});

describe('done', () => {
  it('ends the episode: every step after it says so and counts no more', async () => {
    const { client } = await play({});
    const steps = await client.steps();

    const { data } = await client.call('done');

    expect(data).toMatchObject({
      done: true,
      reward: null,
      observation: { reward_type: 'episode_already_done' },
    });
    expect(await client.steps()).toBe(steps);
  });

  it('that cannot write is told, and can be said again', async () => {
    const client = await served.talk();
    await client.reset({ scenario: PACK, task_idx: 1 });
    await client.call('list_workspaces');
    // A file where the folder should be: nothing below it can be made.
    writeFileSync(served.sessions, '');

    const failed = await client.call('done');

    expect(failed.data.code).toBe('EXECUTION_ERROR');
    expect((await client.call('list_workspaces')).data.observation['reward_type']).toBe('tool_call_ok');
  });
});
