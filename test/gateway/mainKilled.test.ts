// `kill -9` of main while a client's call waits for a person: the tap's process and the client live on.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { TIMING } from '../support/killed.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { connect } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let worlds: Served;
const consoles: ServingConsole[] = [];
beforeEach(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const one of consoles.splice(0)) await one.kill();
  endTap(folder());
  await worlds.close();
});

async function serve(): Promise<ServingConsole> {
  const console = await startServing(folder(), ['--port', '0', '--tap-act']);
  consoles.push(console);
  return console;
}

/** The calls that wait on a console's desk. */
const waits = async (of: ServingConsole) =>
  (await of.holds()).map(({ episode: id, call }) => ({ id, call: call?.id }));

const rowsOf = async (of: ServingConsole) =>
  (await of.call('episodes.page', { query: '', status: null, condition: null, offset: 0, limit: 10 })).rows;

type Hold = { hold_limit_ms: number; hold_fallback?: 'approve' | 'reject' };

/** A client whose call waits for a person, and the console that is to be killed. */
async function holdCall(hold: Hold = { hold_limit_ms: 600_000 }, isBuiltin = false) {
  const first = await serve();
  const environment = isBuiltin
    ? 'builtin'
    : (await first.call('environments.add', { name: 'Worlds', url: worlds.url })).id;
  const { secret } = await first.call('keys.create', {
    name: 'trainer',
    scopes: ['tap'],
    environment,
    per_minute: null,
    at_once: null,
    ...hold,
  });
  const port = readTapFile(folder())?.port ?? 0;
  const client = await connect(`http://127.0.0.1:${String(port)}/t/${secret}`);
  await client.reset();
  await expect.poll(() => rowsOf(first)).toHaveLength(1);
  const [{ id: episode } = { id: '' }] = await rowsOf(first);
  const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
  await first.call('policy.set', { episode, rules });
  // The rule has reached the tap once this is answered.
  await client.say({ type: 'state' });
  const held = client.call('list_workspaces');
  await expect.poll(() => waits(first)).toEqual([{ id: episode, call: 't1' }]);
  return { first, client, episode, held };
}

const yesTo = (episode: string) =>
  ({ act: 'approve', episode, call: 't1', seen_seq: 1, timing: TIMING, similar: false }) as const;

it('the held call of a client whose console is killed is on the next one’s desk, and one yes executes it exactly once', async () => {
  const { first, client, episode, held } = await holdCall();
  const heard: unknown[] = [];
  void held.then((answer) => heard.push(answer));
  const tap = readTapFile(folder())?.pid;
  await first.kill();

  const next = await serve();
  await expect.poll(() => waits(next)).toEqual([{ id: episode, call: 't1' }]);
  expect(heard).toEqual([]);
  const yes = yesTo(episode);
  const said = await Promise.allSettled([next.call('call.decide', yes), next.call('call.decide', yes)]);

  expect(readTapFile(folder())?.pid).toBe(tap);
  expect((await held).data.observation).toMatchObject({ reward_type: 'tool_call_ok' });
  expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(next.call('call.decide', yes)).rejects.toMatchObject({ code: 'already_answered' });
  expect(await waits(next)).toEqual([]);
  // The environment counts its steps: the held call was one.
  expect((await client.say({ type: 'state' })).data).toMatchObject({ step_count: 1 });
});

it('the held call of a client that leaves while its console is gone waits for nobody, and no yes executes it', async () => {
  const { first, client, episode, held } = await holdCall();
  held.catch(() => undefined);
  await first.kill();
  client.socket.terminate();
  await client.closed;

  const next = await serve();
  await expect.poll(() => rowsOf(next)).toMatchObject([{ id: episode, status: 'ended' }]);
  expect(await waits(next)).toEqual([]);
  await expect(next.call('call.decide', yesTo(episode))).rejects.toMatchObject({ code: 'already_answered' });
});

const eventsOf = async (of: ServingConsole, episode: string) =>
  (await of.call('episode.read', { episode, after: 0, limit: 500 })).events.map(({ event }) => event);

it.each([
  ['approve', 'tool_call_ok', 'this call was executed, as was chosen'],
  ['reject', 'nobody approved this in time', 'nobody approved it in time'],
] as const)(
  'where the limit passed while no console was there, and then %s was to be, no decision is taken in the next one’s first moment',
  async (hold_fallback, answered, refusal) => {
    const { first, episode, held } = await holdCall({ hold_limit_ms: 1_500, hold_fallback });
    await first.kill();
    expect(JSON.stringify(await held)).toContain(answered);

    const next = await serve();
    const about = { episode, call: 't1', seen_seq: 1, timing: TIMING };
    const word =
      hold_fallback === 'reject'
        ? next.call('call.decide', { act: 'approve', ...about, similar: false })
        : next.call('call.decide', { act: 'reject', ...about, reason: 'not this one' });

    await expect(word).rejects.toMatchObject({ message: expect.stringContaining(refusal) as string });
    const kinds = (await eventsOf(next, episode)).map(({ kind }) => kind);
    expect(kinds).toContain('call.expired');
    expect(kinds.includes('call.sent')).toBe(hold_fallback === 'approve');
    expect(kinds).not.toEqual(expect.arrayContaining(['call.approved']));
    expect(kinds).not.toEqual(expect.arrayContaining(['call.rejected']));
  },
);

it('the held call of a client in a world that ended with its console is said to be the environment’s end', async () => {
  const { first, client, episode, held } = await holdCall({ hold_limit_ms: 600_000 }, true);
  held.catch(() => undefined);
  await first.kill();
  await client.closed;

  const next = await serve();
  await expect.poll(() => rowsOf(next)).toMatchObject([{ id: episode, status: 'ended' }]);
  expect((await eventsOf(next, episode)).filter(({ kind }) => kind === 'call.cancelled')).toEqual([
    { kind: 'call.cancelled', call: 't1', reason: 'the environment closed the connection' },
  ]);
});
