// The training kit as a person uses it, on real exports and in real rollouts through the tap. Needs packages of 6 GB:
// INTERJECT_TEST_KIT=1 has `npm run test:outside` install them.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeKit } from '../../../src/main/dataset/kit.ts';
import { createSocketTransport } from '../../../src/renderer/client/socket.ts';
import type { Transport } from '../../../src/renderer/client/transport.ts';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { kitIsInstalled, kitRows, ran, root, PEERS_FOLDER } from '../../peers/support.ts';

const WORLD = 'loomline_workflows';
type Task = { reference: { tool: string; args?: object }[] };
const tasks = JSON.parse(readFileSync(join(root, 'resources/worlds', WORLD, 'tasks.json'), 'utf8')) as Task[];
/** What a person would write: the calls that complete the task, one a line. */
const adviceFor = (index: number): string =>
  (tasks[index]?.reference ?? []).map(({ tool, args = {} }) => `${tool}(${JSON.stringify(args)})`).join('\n');

const folder = mkdtempSync(join(tmpdir(), 'interject-kit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sft = join(folder, 'sft');
const preference = join(folder, 'preference');
const whole = join(folder, 'whole');
const prompts = join(folder, 'prompts');
const MINUTES = 60_000;

/** Runs a script of the kit that lies beside exported rows. */
const kit = (script: string, args: string[], env: Record<string, string> = {}) =>
  kitRows(join(sft, 'kit', script), [...args, '--output_dir', join(folder, script)], {
    HF_HUB_OFFLINE: '1',
    HF_HOME: join(folder, 'cache'),
    ...env,
  });

describe.skipIf(!kitIsInstalled())('the training kit on exported rows', () => {
  beforeAll(async () => {
    const home = ['--data', join(folder, 'home')];
    const answers = [0, 1, 2].map((task_idx) => ({
      task_idx,
      ask: 1,
      do: 'send',
      text: adviceFor(task_idx),
    }));
    const file = join(folder, 'answers.jsonl');
    writeFileSync(file, answers.map((line) => JSON.stringify(line)).join('\n'));
    const run = ['run', '--world', WORLD, '--task', '0-2', '--condition', 'human+draft', '--answers', file];
    await ran([...run, ...home]);
    await ran(['export', '--format', 'sft', '--out', sft, ...home]);
    await ran(['export', '--format', 'preference', '--out', preference, ...home]);
    await ran(['export', '--format', 'sft_messages', '--failed-calls', 'keep', '--out', whole, ...home]);
    await ran(['export', '--format', 'grpo', '--out', prompts, ...home]);
    writeKit(sft, join(root, 'resources'));
  }, 5 * MINUTES);

  it(
    'really trains on rows cut at the intervention: two steps, finite loss, changed parameters',
    async () => {
      const said = await kit('sft.py', ['--smoke']);
      expect(said.at(-1)).toMatchObject({ smoke: 'sft/sft', ok: true, steps: 2 });
    },
    10 * MINUTES,
  );

  it(
    'really trains on whole conversations',
    async () => {
      const said = await kit('sft.py', ['--smoke', '--rows', 'sft_messages', '--data', whole]);
      expect(said.at(-1)).toMatchObject({ smoke: 'sft/sft_messages', ok: true, steps: 2 });
    },
    10 * MINUTES,
  );

  it(
    'really trains an advisor on preferences, and no agent on what an expert wrote to it',
    async () => {
      const said = await kit('dpo.py', ['--smoke', '--data', preference, '--pairs', 'advice']);
      expect(said.at(-1)).toMatchObject({ smoke: 'dpo', ok: true, steps: 2 });
      await expect(kit('dpo.py', ['--smoke', '--data', preference])).rejects.toThrow(
        /no pair to train on of these kinds: edited/,
      );
    },
    10 * MINUTES,
  );

  it(
    'passes TRL’s conversational checks, and every chat template it ships for tools renders every row',
    async () => {
      const rows = [`${sft}:sft`, `${preference}:preference`, `${whole}:sft_messages`, `${prompts}:grpo`];
      const said = await kitRows(
        join(PEERS_FOLDER, 'kit_rows.py'),
        [join(sft, 'kit'), join(folder, 'templates'), ...rows],
        { HF_HOME: join(folder, 'cache') },
      );

      const counted = said.filter((row) => 'conversational' in row);
      expect(counted.map((row) => row['format'])).toEqual(['sft', 'preference', 'sft_messages', 'grpo']);
      for (const row of counted) expect(row).toMatchObject({ rows: 3, conversational: 3 });
      const rendered = said.filter((row) => 'template' in row);
      expect(rendered.length).toBeGreaterThan(120);
      // DeepSeek V3's own template wants arguments as text, which is another export; TRL trains with its `_training` one.
      const failed = rendered.filter((row) => (row['problems'] as string[]).length > 0);
      expect(failed.map(({ format, template }) => [format, template])).toEqual([
        ['sft', 'deepseekv3'],
        ['sft_messages', 'deepseekv3'],
      ]);
    },
    10 * MINUTES,
  );
});

type Ready = { url: string; token: string; key: string; gateway: { expert: string; tap: string } };
type Rollout = { group: string | null; step: number | null; reward: number | null; events: LogEvent[] };

describe.skipIf(!kitIsInstalled())('the training kit in rollouts through the tap', () => {
  let server: ChildProcess;
  let owner: Transport;
  let said: Record<string, unknown>[];
  let rollouts: Rollout[];
  let doors: string[];
  let key: string;
  beforeAll(async () => {
    const args = ['serve', '--no-open', '--port', '0', '--json', '--data', join(folder, 'served')];
    server = spawn(process.execPath, [join(root, 'bin/interject.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
    const ready = JSON.parse(await new Promise<string>((resolve) => lines.once('line', resolve))) as Ready;
    const origin = ready.url.replace(/^http/, 'ws').replace(/\/#.*$/, '');
    owner = createSocketTransport({ origin, token: ready.token, seat: 'seat-test' });
    const plan = join(folder, 'curriculum.json');
    writeFileSync(plan, '{"expert_share":1}');
    // Once two have asked, the first step is under way: from the next on, no group has the expert.
    answerWith(owner, (asked) => {
      if (asked === 2) writeFileSync(plan, '{"expert_share":0,"name":"withdrawn"}');
    });
    writeKit(sft, join(root, 'resources'));
    doors = ['--tap', ready.gateway.tap, '--expert', ready.gateway.expert];
    key = ready.key;
    const split = ['--plan', plan, '--num_generations', '4', '--gradient_accumulation_steps', '4'];
    const what = ['--scenario', WORLD, '--tasks', '0,1', '--run_name', 'smoke'];
    said = await kit('grpo.py', ['--smoke', ...doors, ...split, ...what], { INTERJECT_KEY: key });
    rollouts = await rolloutsOf(owner);
  }, 10 * MINUTES);
  afterAll(async () => {
    owner.close();
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await exited;
  });
  const inStep = (step: number): Rollout[] => rollouts.filter((rollout) => rollout.step === step);
  const asks = ({ events }: Rollout): LogEvent[] =>
    events.filter(({ kind }) => kind === 'consultation.asked');

  it('really trains: two steps, finite loss, changed parameters', () => {
    expect(said.at(-1)).toMatchObject({ smoke: 'grpo', ok: true, steps: 2 });
  });

  it(
    'really trains on the prompts of an export too',
    async () => {
      const plan = join(folder, 'helped.json');
      writeFileSync(plan, '{"expert_share":1}');
      const split = ['--plan', plan, '--num_generations', '4', '--gradient_accumulation_steps', '4'];
      const what = ['--data', prompts, '--run_name', 'exported'];
      const trained = await kit('grpo.py', ['--smoke', ...doors, ...split, ...what], { INTERJECT_KEY: key });

      expect(trained.at(-1)).toMatchObject({ smoke: 'grpo', ok: true, steps: 2 });
      const played = await rolloutsOf(owner, 'exported');
      // Two steps of a group each: four rollouts of one task, all with the expert.
      const groups = Map.groupBy(played, ({ group }) => group ?? '');
      expect([...groups.values()].map(({ length }) => length)).toEqual([4, 4]);
      for (const group of groups.keys())
        expect(group).toMatch(new RegExp(`^exported · step [12] · ${WORLD}/expert/[012]/`));
    },
    10 * MINUTES,
  );

  it('plays groups that Interject knows by run, step and group', () => {
    for (const step of [1, 2]) {
      expect(inStep(step)).toHaveLength(4);
      expect(new Set(inStep(step).map(({ group }) => group)).size).toBe(1);
    }
    expect(rollouts[0]?.events.find(({ kind }) => kind === 'episode.started')).toMatchObject({
      source: 'tap',
      trainer: { run: 'smoke', checkpoint: expect.stringMatching(/^step-\d$/) as string },
    });
  });

  it('gives all of a group the expert or none of it, as the plan says that is read again at each step', () => {
    const arms = (step: number) => inStep(step).map(({ group }) => group?.split('/')[1]);
    expect([arms(1), arms(2)]).toEqual([Array(4).fill('expert'), Array(4).fill('solo')]);
    // Of those who may, every other rollout of the rehearsal asks.
    const advised = (step: number): number => inStep(step).filter((one) => asks(one).length > 0).length;
    expect([advised(1), advised(2)]).toEqual([2, 0]);
    for (const ask of rollouts.flatMap(asks)) {
      expect(ask).toMatchObject({ via: 'chat_completions', link: { by: 'header' } });
    }
  });

  it('trains on the model’s own words in a rollout, never on what a tool or the expert answered', () => {
    const words = trainedWords(said, 'rollout');
    expect(words.length).toBeGreaterThanOrEqual(8);
    expect(words.join('\n')).toContain('ask_expert');
    for (const text of words)
      expect(text).not.toMatch(/<\|turn\|>(?:tool|user|system)|Do exactly this|No advice/);
  });

  it('never sends the environment a question, and is rewarded by what the environment said', () => {
    for (const rollout of rollouts) {
      const sent = rollout.events.filter(({ kind }) => kind !== 'conversation.told');
      // A question is a turn of the record; what goes to the environment is its calls.
      const calls = sent.filter((event) => event.kind === 'move.proposed' && event.move.type === 'call_tool');
      expect(JSON.stringify(calls)).not.toContain('ask_expert');
      expect(rollout.reward).toBe(asks(rollout).length > 0 ? 1 : 0);
    }
  });

  it('hands every rollout’s conversation over as one without another expert, so that it can be exported', () => {
    for (const { events } of rollouts) {
      const told = events.filter(({ kind }) => kind === 'conversation.told');
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ no_other_expert: true });
    }
  });
});

/** The words that had a loss in the rows of this kind, each stretch of them by itself. */
const trainedWords = (said: readonly Record<string, unknown>[], kind: string): string[] =>
  said.filter(({ trained }) => trained === kind).flatMap(({ words }) => words as string[]);

/** Answers every question at the desk with the calls that complete its task. */
function answerWith(person: Transport, onAsk: (asked: number) => void): void {
  const taken = new Set<string>();
  person.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic !== 'desk') return;
    for (const { episode, consultation, seq, task_idx } of push.items) {
      if (taken.has(consultation)) continue;
      taken.add(consultation);
      onAsk(taken.size);
      const timing = { first_seen_at: null, active_ms: 1 };
      const text = adviceFor(task_idx ?? 0);
      const answer = { episode, consultation, text, draft: null, seen_seq: seq, timing };
      void person.call('desk.answer', answer).catch(() => undefined);
    }
  });
}

/** The training rollouts in the log: not the short episode that asks for the tools. */
async function rolloutsOf(owner: Transport, name = 'smoke'): Promise<Rollout[]> {
  const page = { query: '', status: null, condition: null, offset: 0, limit: 100 };
  const { rows } = await owner.call('episodes.page', page);
  return Promise.all(
    rows
      .filter(({ run }) => run === name)
      .map(async ({ id: episode, group, step, reward }) => {
        const { events } = await owner.call('episode.read', { episode, after: 0, limit: 500 });
        return { group, step, reward, events: events.map(({ event }) => event) };
      }),
  );
}
