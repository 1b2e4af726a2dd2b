// Models and experts that a command names for itself, beside an open Interject that knows nothing of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killedCopy, writeSettings } from '../support/dataFolder.ts';
import { bothSay } from '../support/bothWays.ts';
import { filesOf } from '../support/filesOf.ts';
import { openHost, type Host } from '../support/host.ts';
import { runInProcess } from '../support/inProcess.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const KEY = 'sk-of-this-command-alone';
const folder = folderPerTest();
let [alone, beside] = ['', ''];
let host: Host;
let server: OpenAiServer;
beforeEach(async () => {
  [alone, beside] = [join(folder(), 'alone'), join(folder(), 'beside')];
  server = await startOpenAiServer(() => ({ content: 'The order is placed; nothing is left to do.' }));
  const profile = {
    name: 'small',
    provider: 'openai',
    base_url: server.url,
    model: 'small-1',
    api_version: null,
  };
  await writeSettings(join(alone, 'home'), { profiles: [profile] });
  process.env['KEY_OF_THIS_COMMAND'] = KEY;
  killedCopy(alone, beside);
  host = await openHost(beside);
});
afterEach(async () => {
  delete process.env['KEY_OF_THIS_COMMAND'];
  await host.stop();
  await server.close();
});

const RUN = ['run', '--world', 'loomline_workflows', '--task', '0', '--json'];
const flags = (role: 'agent' | 'expert') => [
  `--${role}-model`,
  `${role}-7`,
  `--${role}-base-url`,
  server.url,
  `--${role}-key-env`,
  'KEY_OF_THIS_COMMAND',
];
const asked = () => server.requests.map(({ headers, body }) => [headers['authorization'], body['model']]);
const halves = <T>(all: readonly T[]): [T[], T[]] => [
  all.slice(0, all.length / 2),
  all.slice(all.length / 2),
];

it('has the agent’s model that its flags name asked as alone, with its key, which is written nowhere', async () => {
  const { code, written } = await bothSay(alone, beside, [
    ...RUN,
    ...'--condition none --turns 2'.split(' '),
    ...flags('agent'),
  ]);
  const [one, other] = halves(asked());

  expect([code, other.length > 0]).toEqual([0, true]);
  expect(other).toEqual(one);
  expect(new Set(other.map(String))).toEqual(new Set([`Bearer ${KEY},agent-7`]));
  expect(written).toContain('"type":"episode"');
  const [episode = ''] = host.log.streams('');
  expect(host.log.record(episode).started?.agent).toMatchObject({ policy: 'chat', model: 'agent-7' });
  for (const [name, bytes] of Object.entries(filesOf(join(beside, 'home'))))
    expect([name, String(bytes).includes(KEY)]).toEqual([name, false]);
  // The app that is open has no model, as before.
  expect((await host.as('seat-one')('settings.read', {})).agent.model).toBeNull();
});

it('runs its token command itself, and hands the open one tokens, another when one is refused; they are written nowhere', async () => {
  for (const at of [alone, beside])
    writeFileSync(
      join(at, 'token.mjs'),
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
       const count = new URL('./count', import.meta.url);
       const n = existsSync(count) ? Number(readFileSync(count, 'utf8')) + 1 : 1;
       writeFileSync(count, String(n));
       console.log(JSON.stringify({ access_token: 'planted-token-' + n, expires_in: 3600 }));`,
    );
  const model: OpenAiServer = await startOpenAiServer(() =>
    model.requests.at(-1)?.headers['authorization'] === 'Bearer planted-token-1'
      ? { status: 401, body: { error: { message: 'expired' } } }
      : { content: 'The order is placed; nothing is left to do.' },
  );
  const results = [];
  for (const at of [alone, beside]) {
    const args = [...RUN, ...'--condition none --turns 2 --data home'.split(' ')];
    const token = `"${process.execPath}" ${join(at, 'token.mjs')}`;
    const named = ['--agent-model', 'agent-7', '--agent-base-url', model.url];
    results.push(await runInProcess(at, [...args, ...named, '--agent-token-command', token]));
  }
  await model.close();
  const [one, other] = halves(model.requests.map(({ headers }) => headers['authorization']));

  expect(results.map(({ code }) => code)).toEqual([0, 0]);
  expect(other).toEqual(one);
  expect(other.slice(0, 2)).toEqual(['Bearer planted-token-1', 'Bearer planted-token-2']);
  expect(readFileSync(join(beside, 'count'), 'utf8')).toBe('2');
  for (const [name, bytes] of Object.entries(filesOf(join(beside, 'home'))))
    expect([name, String(bytes).includes('planted-token')]).toEqual([name, false]);
});

it('benches and measures answers with the models it names as alone', async () => {
  const split = { train: [], val: [['loomline_workflows', 0]] };
  for (const at of [alone, beside]) writeFileSync(join(at, 'split.json'), JSON.stringify(split));
  const bench = 'bench --split split.json --conditions none,model --agent rehearsal --concurrency 1 --name b';
  await bothSay(alone, beside, [...bench.split(' '), ...flags('expert')]);
  const lift = 'bench --from-questions b --seeds 1 --concurrency 1 --agent chat --name l';
  await bothSay(alone, beside, [...lift.split(' '), ...flags('agent')]);
  const models = asked().map(([, model]) => model);

  expect(new Set(models)).toEqual(new Set(['expert-7', 'agent-7']));
  expect(models.filter((one) => one === 'agent-7').length % 2).toBe(0);
});

it('has another draft made by the model of the episode’s own command', async () => {
  const ended = runInProcess(beside, [
    ...RUN,
    ...'--agent rehearsal --condition human+draft --asks 1 --data home'.split(' '),
    ...flags('expert'),
  ]);
  const item = await waiting();
  const { consultations, seq } = host.log.record(item);
  const consultation = consultations[0]?.id ?? '';
  const seat = host.as('seat-one');
  const before = server.requests.length;
  await seat('desk.redraft', { episode: item, consultation, hint: 'Shorter, please.' });
  const timing = { first_seen_at: null, active_ms: null };
  const answer = { episode: item, consultation, text: 'Go on.', draft: null, seen_seq: seq, timing };
  await seat('desk.answer', { ...answer, seen_seq: host.log.record(item).seq });

  expect((await ended).code).toBe(0);
  expect(before).toBeGreaterThan(0);
  expect(server.requests.length).toBeGreaterThan(before);
  expect(new Set(asked().map(String))).toEqual(new Set([`Bearer ${KEY},expert-7`]));
});

/** The episode whose question has a draft. */
async function waiting(): Promise<string> {
  for (;;) {
    const [item] = host.log.projections.desk(1).items;
    if (item !== undefined && (host.log.record(item.episode).consultations[0]?.drafts.length ?? 0) > 0)
      return item.episode;
    await new Promise((go) => setTimeout(go, 20));
  }
}

it('says what to do where the open one asks another model than this terminal’s variables name', async () => {
  process.env['INTERJECT_AGENT_MODEL'] = 'of-the-terminal';
  process.env['INTERJECT_AGENT_BASE_URL'] = server.url;
  try {
    const { lines } = await runInProcess(beside, [...RUN, '--agent', 'chat', '--data', 'home']);

    expect(lines.at(-1)).toMatchObject({ code: 'data_in_use' });
    expect(lines.at(-1)?.['next']).toContain('--agent-model');
  } finally {
    delete process.env['INTERJECT_AGENT_MODEL'];
    delete process.env['INTERJECT_AGENT_BASE_URL'];
  }
});
