// Every way in which `serve` ends, with everything that may wait on the desk then: the next one tells what was lost.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { startInput } from '../support/product.ts';
import { endTap, startServing, type ServingConsole } from '../support/serving.ts';
import { connect } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
let worlds: Served;
let clients: Awaited<ReturnType<typeof connect>>[] = [];
const consoles: ServingConsole[] = [];
beforeEach(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  for (const one of consoles.splice(0)) await one.kill();
  endTap(folder());
  await worlds.close();
});

async function serve(flags: readonly string[] = []): Promise<ServingConsole> {
  const console = await startServing(folder(), ['--port', '0', '--tap-act', ...flags]);
  consoles.push(console);
  return console;
}

const lostOf = async (of: ServingConsole) => {
  const asked = { within_ms: 3_600_000, limit: 50, lost_since: 0 };
  const { episodes, questions, calls } = (await of.call('desk.missed', asked)).lost;
  return { episodes, questions, calls };
};

/** What waits on the desk when Interject ends; each resolves once it does. */
const KINDS = {
  'questions of its own episodes': async (first: ServingConsole) => {
    for (const task_idx of [0, 1])
      await first.call('episode.start', startInput({ task_idx, condition: 'human' }));
    await expect.poll(async () => (await first.desk()).length).toBe(2);
  },
  'a held call of its own episode': async (first: ServingConsole) => {
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    const approval = { rules, deadline_ms: null, fallback: 'wait' as const };
    await first.call('episode.start', startInput({ condition: 'none', approval }));
    await expect.poll(async () => (await first.holds()).length).toBe(1);
  },
  'questions of nobody’s episode': async (first: ServingConsole) => {
    const { secret } = await newKey(first);
    for (const text of ['Which one?', 'And then?']) ask(first, secret, text);
    await expect.poll(async () => (await first.desk()).length).toBe(2);
  },
  'questions of tapped episodes': async (first: ServingConsole) => {
    const { secret } = await newKey(first);
    for (const name of ['a', 'b']) {
      await play(`${secret}~${name}`);
      ask(first, `${secret}~${name}`, 'Which one?');
    }
    await expect.poll(async () => (await first.desk()).map(({ link }) => link?.by)).toEqual(['key', 'key']);
  },
  'a held call of a tapped episode': async (first: ServingConsole) => {
    const { secret } = await newKey(first);
    const client = await play(secret);
    // The tap tells the console of its episodes a moment later.
    await expect.poll(async () => (await rowsOf(first)).length).toBe(1);
    const [{ id: episode } = { id: '' }] = await rowsOf(first);
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    await first.call('policy.set', { episode, rules });
    await client.say({ type: 'state' });
    client.call('list_workspaces').catch(() => undefined);
    await expect.poll(async () => (await first.holds()).length).toBe(1);
  },
};

async function newKey(first: ServingConsole) {
  const { id: environment } = await first.call('environments.add', { name: 'Worlds', url: worlds.url });
  const limits = { per_minute: null, at_once: null, hold_limit_ms: 600_000 };
  return first.call('keys.create', { name: 'trainer', scopes: ['tap', 'expert'], environment, ...limits });
}

async function play(credential: string) {
  const client = await connect(`http://127.0.0.1:${String(readTapFile(folder())?.port)}/t/${credential}`);
  clients.push(client);
  await client.reset();
  await client.call('get_workflow', { workflow_id: 1 });
  return client;
}

const rowsOf = async (of: ServingConsole) =>
  (await of.call('episodes.page', { query: '', status: null, condition: null, offset: 0, limit: 10 })).rows;

function ask(first: ServingConsole, credential: string, text: string): void {
  const { expert } = first.ready['gateway'] as { expert: string };
  fetch(`${expert}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ model: 'expert', messages: [{ role: 'user', content: text }] }),
  }).catch(() => undefined);
}

/** How Interject ends; the clients of a machine that goes down end with it. */
const ENDS = {
  SIGTERM: async (first: ServingConsole) => {
    first.interrupt('SIGTERM');
    await first.ended;
  },
  'Ctrl+C twice': async (first: ServingConsole) => {
    first.interrupt();
    await new Promise((wake) => setTimeout(wake, 500));
    first.interrupt();
    await first.ended;
  },
  'kill -9 of all of it': async (first: ServingConsole) => {
    await first.kill();
    endTap(folder());
    for (const { socket } of clients.splice(0)) socket.terminate();
  },
};

type Row = [
  kind: keyof typeof KINDS,
  end: keyof typeof ENDS,
  flags: string[],
  episodes: number,
  questions: number,
  calls: number,
];
const STOP = ['--no-go-on'];
const ROWS: Row[] = [
  ['questions of its own episodes', 'SIGTERM', STOP, 2, 2, 0],
  ['questions of its own episodes', 'Ctrl+C twice', STOP, 2, 2, 0],
  ['questions of its own episodes', 'kill -9 of all of it', STOP, 2, 2, 0],
  // These go on, or wait for a person's word: nothing is lost.
  ['questions of its own episodes', 'SIGTERM', [], 0, 0, 0],
  ['questions of its own episodes', 'kill -9 of all of it', [], 0, 0, 0],
  ['a held call of its own episode', 'SIGTERM', STOP, 1, 0, 1],
  ['a held call of its own episode', 'kill -9 of all of it', STOP, 1, 0, 1],
  ['questions of nobody’s episode', 'SIGTERM', STOP, 0, 2, 0],
  ['questions of nobody’s episode', 'kill -9 of all of it', STOP, 0, 2, 0],
  ['questions of tapped episodes', 'SIGTERM', [], 2, 2, 0],
  ['questions of tapped episodes', 'Ctrl+C twice', [], 2, 2, 0],
  ['questions of tapped episodes', 'kill -9 of all of it', [], 2, 2, 0],
  ['a held call of a tapped episode', 'SIGTERM', [], 1, 0, 1],
  ['a held call of a tapped episode', 'kill -9 of all of it', [], 1, 0, 1],
];

it.each(ROWS)(
  'after %s and %s, the next start with flags %j tells of %i episodes, %i questions and %i held calls',
  async (kind, end, flags, episodes, questions, calls) => {
    const first = await serve();
    await KINDS[kind](first);
    await ENDS[end](first);

    const next = await serve(flags);
    await expect.poll(() => lostOf(next), { timeout: 8_000 }).toEqual({ episodes, questions, calls });
    // Whoever looks later is told the same.
    if (end === 'SIGTERM') {
      next.interrupt('SIGTERM');
      await next.ended;
      expect(await lostOf(await serve(flags))).toMatchObject({ questions, calls });
    }
  },
);
