// `kill -9` of main while a client's call waits for a person: the tap's process and the client live on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTapFile } from '../../src/main/gateway/tap/tapFile.ts';
import { TIMING } from '../support/killed.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { connect } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';

let folder = '';
let worlds: Served;
const consoles: ServingConsole[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-killed-'));
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const one of consoles.splice(0)) await one.kill();
  endTap(folder);
  await worlds.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(): Promise<ServingConsole> {
  const console = await startServing(folder, ['--port', '0', '--tap-act']);
  consoles.push(console);
  return console;
}

it('the held call of a client whose console is killed is on the next one’s desk, and one yes executes it exactly once', async () => {
  const first = await serve();
  const { id: environment } = await first.call('environments.add', { name: 'Worlds', url: worlds.url });
  const { secret } = await first.call('keys.create', {
    name: 'trainer',
    scopes: ['tap'],
    environment,
    per_minute: null,
    at_once: null,
    hold_limit_ms: 600_000,
  });
  const port = readTapFile(folder)?.port ?? 0;
  const client = await connect(`http://127.0.0.1:${String(port)}/t/${secret}`);
  await client.reset();
  const episodes = async (of: ServingConsole) =>
    (
      await of.call('episodes.page', { query: '', status: null, condition: null, offset: 0, limit: 10 })
    ).rows.map(({ id }) => id);
  await expect.poll(() => episodes(first)).toHaveLength(1);
  const [episode = ''] = await episodes(first);
  const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
  await first.call('policy.set', { episode, rules });
  const held = client.call('list_workspaces');
  const heard: unknown[] = [];
  void held.then((answer) => heard.push(answer));
  const waits = async (of: ServingConsole) =>
    (await of.holds()).map(({ episode: id, call }) => ({ id, call: call?.id }));
  await expect.poll(() => waits(first)).toEqual([{ id: episode, call: 't1' }]);
  const tap = readTapFile(folder)?.pid;
  await first.kill();

  const next = await serve();
  await expect.poll(() => waits(next)).toEqual([{ id: episode, call: 't1' }]);
  expect(heard).toEqual([]);
  const yes = { episode, call: 't1', seen_seq: 1, timing: TIMING, similar: false };
  const said = await Promise.allSettled([next.call('call.approve', yes), next.call('call.approve', yes)]);

  expect(readTapFile(folder)?.pid).toBe(tap);
  expect((await held).data.observation).toMatchObject({ reward_type: 'tool_call_ok' });
  expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(next.call('call.approve', yes)).rejects.toMatchObject({ code: 'already_answered' });
  await next.call('policy.set', { episode, rules: [] });
  await expect.poll(() => waits(next)).toEqual([]);
  // The environment counts its steps: the held call was one.
  expect((await client.say({ type: 'state' })).data).toMatchObject({ step_count: 1 });
});
