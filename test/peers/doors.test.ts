// The libraries that agents and trainers have, unchanged, against the doors of `interject serve`, while a scripted
// person answers through the console's own socket.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import { textHead } from '../../src/shared/events/text.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
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

beforeAll(async () => {
  const args = ['serve', '--no-open', '--port', '0', '--mcp', '--json', '--data', folder];
  server = spawn(process.execPath, [join(root, 'bin/interject.mjs'), ...args], {
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
  rmSync(folder, { recursive: true, force: true });
});

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
    const { taps } = JSON.parse(JSON.stringify(ready.gateway)) as { taps: { url: string }[] };
    const file = join(root, 'resources/interject.py');
    await run('python3', ['-I', '-S', '-c', `exec(open(${JSON.stringify(file)}).read())`]);
    const address = ready.gateway.expert.replace(/\/v1$/, '');
    const rows = await pythonRows(RELEASE, 'link_rollout.py', [taps[0]?.url ?? '', address, ready.key, file]);

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

describe('eight parallel rollouts of clients that know nothing of Interject', () => {
  it.each(['words', 'messages'])(
    'get their questions linked to their own episodes where they quote what they tried (%s)',
    async (shape) => {
      const { taps } = JSON.parse(JSON.stringify(ready.gateway)) as { taps: { url: string }[] };
      const address = ready.gateway.expert.replace(/\/v1$/, '');
      const rows = await pythonRows(RELEASE, 'eight_rollouts.py', [
        taps[0]?.url ?? '',
        address,
        ready.key,
        shape,
      ]);

      expect(rows).toHaveLength(8);
      expect(new Set(rows.map(({ episode }) => episode)).size).toBe(8);
      for (const { episode, tried } of rows) {
        const events = await eventsOf(String(episode));
        const tries = events.flatMap((event) =>
          event.kind === 'move.proposed' && event.move.type === 'call_tool'
            ? (event.move.arguments['workflow_id'] ?? [])
            : [],
        );
        expect(tries).toEqual([tried]);
        expect(events.find(({ kind }) => kind === 'consultation.asked')).toMatchObject({
          turn: 3,
          link: { by: 'history', score: 1 },
        });
      }
    },
  );
});
