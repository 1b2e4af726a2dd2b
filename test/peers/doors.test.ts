// The libraries that agents and trainers have, unchanged, against the doors of `interject serve`, while a scripted
// person answers through the console's own socket.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import { textHead } from '../../src/shared/events/text.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { pythonRows, root } from './support.ts';

const run = promisify(execFile);
const RELEASE = 'openenv-0.10.0';
const folder = mkdtempSync(join(tmpdir(), 'interject-doors-'));
type Ready = {
  url: string;
  token: string;
  key: string;
  gateway: { expert: string; mcp: string; tap: string };
};
let server: ChildProcess;
let ready: Ready;
let owner: Transport;
let model: OpenAiServer;

beforeAll(async () => {
  const args = ['serve', '--no-open', '--port', '0', '--mcp', '--json', '--data', folder];
  model = await startOpenAiServer(scriptedStudent);
  const agent = { INTERJECT_AGENT_BASE_URL: model.url, INTERJECT_AGENT_MODEL: 'student' };
  server = spawn(process.execPath, [join(root, 'bin/interject.mjs'), ...args], {
    env: { ...process.env, ...agent },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).once('line', resolve),
  );
  ready = JSON.parse(line) as Ready;
  owner = createSocketTransport({
    origin: ready.url.replace(/^http/, 'ws').replace(/\/#.*$/, ''),
    token: ready.token,
    seat: 'seat-test',
  });
  answerEverything(owner);
}, 60_000);
afterAll(async () => {
  owner.close();
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exited;
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An agent that looks, fails in a way of its own, asks and ends; which of the eight it is stands in its model's name. */
function scriptedStudent({ model: name, messages }: Record<string, unknown>) {
  const said = (messages as { role: string }[]).filter(({ role }) => role === 'assistant').length;
  const workflow_id = 9000 + Number(String(name).split('-').at(-1));
  const calls = [
    { name: 'list_workspaces', arguments: '{}' },
    { name: 'set_workflow_status', arguments: JSON.stringify({ workflow_id, status: 'active' }) },
    { name: 'ask_expert', arguments: '{"task": "x"}' },
  ];
  const call = calls[said];
  return call === undefined
    ? { content: 'Done.' }
    : { content: 'I go on.', toolCalls: [{ ...call, id: `call_${String(said)}` }] };
}

/** Answers each question once; those that begin with “slow” after a while, those with “gone” never. */
function answerEverything(person: Transport): void {
  const taken = new Set<string>();
  person.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    for (const { episode, consultation, seq, question } of push.items) {
      const words = question === null ? '' : textHead(question);
      if (taken.has(consultation) || words.startsWith('gone')) continue;
      taken.add(consultation);
      const answer = {
        episode,
        consultation,
        text: `To “${words.split(':')[0] ?? ''}”: workflow 3 – the 2nd 🙂`,
        draft: null,
        seen_seq: seq,
        timing: { first_seen_at: null, active_ms: 1 },
      };
      setTimeout(
        () => void person.call('desk.answer', answer).catch(() => undefined),
        words.startsWith('slow') ? 4_000 : 200,
      );
    }
  });
}

const eventsOf = async (episode: string): Promise<LogEvent[]> =>
  (await owner.call('episode.read', { episode, after: 0, limit: 500 })).events.map(({ event }) => event);

/** The episode whose question begins with a word. */
async function asked(word: string): Promise<LogEvent[][]> {
  const { rows } = await owner.call('episodes.page', {
    query: '',
    status: null,
    condition: null,
    offset: 0,
    limit: 100,
  });
  const all = await Promise.all(rows.map(({ id }) => eventsOf(id)));
  return all.filter((events) =>
    events.some(
      (event) =>
        event.kind === 'consultation.asked' &&
        event.question !== null &&
        textHead(event.question).startsWith(word),
    ),
  );
}

describe('the openai client for Python', () => {
  it('gets a person’s answers plain, streamed, after timeouts of its own and as JSON, and clear refusals', async () => {
    const rows = await pythonRows(RELEASE, 'ask_openai.py', [ready.gateway.expert, ready.key]);

    const answer = (to: string): string => `To “${to}”: workflow 3 – the 2nd 🙂`;
    expect(rows).toMatchObject([
      { step: 'models', ids: ['expert', 'expert-draft'] },
      { step: 'plain', text: answer('plain'), finish: 'stop', model: 'expert' },
      { step: 'stream', text: answer('stream'), finish: 'stop' },
      { step: 'retry', text: answer('slow') },
      { step: 'abort', error: 'timeout' },
      { step: 'refused', asked: 'n', param: 'n', type: 'invalid_request_error' },
      { step: 'refused', asked: 'logprobs', param: 'logprobs' },
      { step: 'refused', asked: 'tool_choice', param: 'tool_choice' },
      { step: 'wrong_key', status: 401 },
      { step: 'json', value: { advice: answer('json') } },
    ]);
  });

  it('asked once, though it sent the same several times', async () => {
    expect(await asked('slow')).toHaveLength(1);
  });

  it('took its question back by giving up', async () => {
    await expect
      .poll(async () => (await asked('gone'))[0]?.map(({ kind }) => kind), { timeout: 10_000 })
      .toEqual(expect.arrayContaining(['consultation.cancelled', 'episode.ended']));
  });
});

describe('the mcp client for Python', () => {
  it('finds the tools, hears progress, gets the answer, and takes a question back', async () => {
    const rows = await pythonRows(RELEASE, 'ask_mcp.py', [ready.gateway.mcp, ready.key]);

    expect(rows).toMatchObject([
      { step: 'hello', server: 'interject' },
      { step: 'tools', names: ['ask_expert', 'expert_status'] },
      {
        step: 'ask',
        text: 'To “plain”: workflow 3 – the 2nd 🙂',
        progress: ['Your question waits for an expert.'],
        is_error: false,
      },
      { step: 'timeout' },
      { step: 'wrong', is_error: true, names_it: true },
      { step: 'status', keys: expect.arrayContaining(['experts_on_duty', 'questions_waiting']) as string[] },
    ]);
  });
});

describe('interject.py', () => {
  it('needs nothing but Python, and links two rollouts of one task with certainty', async () => {
    const file = join(root, 'resources/interject.py');
    await run('python3', ['-I', '-S', '-c', `exec(open(${JSON.stringify(file)}).read())`]);
    const address = ready.gateway.expert.replace(/\/v1$/, '');
    const rows = await pythonRows(RELEASE, 'link_rollout.py', [ready.gateway.tap, address, ready.key, file]);

    const one = [
      { step: 'advice', text: expect.stringContaining('workflow 3') as string },
      { step: 'told', transcribed: [1], unmatched: [], is_complete: true },
      { step: 'mask', touched: [] },
    ];
    expect(rows).toMatchObject([...one, ...one, { step: 'refused' }]);
    const episodes = [rows[0], rows[3]].map((row) => String(row?.['episode']));
    expect(new Set(episodes).size).toBe(2);
    for (const [i, episode] of episodes.entries()) {
      const events = await eventsOf(episode);
      expect(events.find(({ kind }) => kind === 'episode.started')).toMatchObject({
        source: 'tap',
        group: 'grpo-7 · step 12 · task-3',
        trainer: { run: 'grpo-7', step: 12, checkpoint: 'c4', episode: rows[i * 3]?.['name'] },
      });
      expect(events.find(({ kind }) => kind === 'consultation.asked')).toMatchObject({
        via: 'chat_completions',
        turn: 2,
        link: { by: 'header', score: 1 },
      });
      expect(JSON.stringify(events.find(({ kind }) => kind === 'environment.reset'))).not.toContain(
        'interject_',
      );
    }
  });
});

/** What a rollout's name takes in the recipe's script: lines of it, and what becomes of them. */
const NAMED: readonly (readonly [string, string])[] = [
  ['import threading', 'import threading\nimport uuid'],
  ['def rollout(number):', 'def rollout(number):\n    name = uuid.uuid4().hex[:8]'],
  ['    env = GenericEnvClient(base_url=TAP)', '    env = GenericEnvClient(base_url=f"{TAP}~{name}")'],
  [
    '    expert = OpenAI(base_url=f"{ADDRESS}/v1", api_key=KEY)',
    '    expert = OpenAI(base_url=f"{ADDRESS}/v1", api_key=f"{KEY}~{name}")',
  ],
  [
    '    agent = OpenAI(base_url=f"{ADDRESS}/agent/v1", api_key=KEY)',
    '    agent = OpenAI(base_url=f"{ADDRESS}/agent/v1", api_key=f"{KEY}~{name}")',
  ],
];

/** The script with the name added: the lines that it did not have, and where it lies. */
function namedScript(): { script: string; changed: string[] } {
  const recipe = readFileSync(join(root, 'test/peers/eight_rollouts.py'), 'utf8');
  const named = NAMED.reduce((text, [line, instead]) => {
    if (text.split(`${line}\n`).length !== 2) throw new Error(`the script has not one line ${line}`);
    return text.replace(`${line}\n`, `${instead}\n`);
  }, recipe);
  const script = join(folder, 'eight_named_rollouts.py');
  writeFileSync(script, named);
  const before = new Set(recipe.split('\n'));
  return { script, changed: named.split('\n').filter((line) => !before.has(line)) };
}

/** The eight, each with the events of the episode that its question was put into. */
async function eightRollouts(script: string) {
  const address = ready.gateway.expert.replace(/\/v1$/, '');
  const rows = await pythonRows(RELEASE, script, [ready.gateway.tap, address, ready.key]);
  return Promise.all(rows.map(async (row) => ({ row, events: await eventsOf(String(row['episode'])) })));
}

const triesIn = (events: LogEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'move.proposed' && event.move.type === 'call_tool'
      ? (event.move.arguments['workflow_id'] ?? [])
      : [],
  );

const exported = async (name: string, episodes: string[]) => {
  const out = join(folder, name);
  const rules = [
    '--format',
    'sft_messages',
    '--any',
    '--privilege',
    'flag',
    '--include',
    'duplicates',
    '--out',
    out,
  ];
  const args = ['export', ...rules, '--data', folder, '--episode', ...episodes];
  await run(process.execPath, [join(root, 'bin/interject.mjs'), ...args]);
  return readFileSync(join(out, 'data/sft_messages-train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { episode: string }).episode);
};

describe('eight rollouts of the merged recipe in one process', () => {
  it('with a name behind the key: 8 of 8 questions in their own rollout, and their rows export, by five lines', async () => {
    const { script, changed } = namedScript();
    expect(changed).toHaveLength(5);

    const all = await eightRollouts(script);

    expect(all).toHaveLength(8);
    for (const { row, events } of all) {
      expect(row).toMatchObject({
        link: { by: 'key', score: 1 },
        text: `To “${String(row['tried'])}”: workflow 3 – the 2nd 🙂`,
      });
      expect(triesIn(events)).toEqual([row['tried']]);
      expect(events.filter(({ kind }) => kind === 'consultation.asked')).toMatchObject([
        { trigger: 'brief', turn: 0, purpose: 'analysis', link: { by: 'key' } },
        { trigger: 'agent_call', turn: 3, purpose: 'advice', link: { by: 'key' } },
      ]);
    }
    const episodes = all.map(({ row }) => String(row['episode']));
    expect(new Set(episodes).size).toBe(8);
    expect((await exported('named', episodes)).toSorted()).toEqual(episodes.toSorted());
  });

  it('without one: 8 of 8 answered, visibly unknown, and none in a rollout', async () => {
    const all = await eightRollouts('eight_rollouts.py');

    expect(all).toHaveLength(8);
    for (const { row, events } of all) {
      expect(row).toMatchObject({
        link: { by: 'none', score: 0, why: 'unnamed' },
        text: `To “${String(row['tried'])}”: workflow 3 – the 2nd 🙂`,
      });
      expect(events.find(({ kind }) => kind === 'episode.started')).toMatchObject({ source: 'ask' });
    }
  });
});
