// A split made by the command, and every road on which a held-out task could come into training.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pinnedSplits } from '../../src/main/log/pinnedSplits.ts';
import { SplitManifest, type ListedTask } from '../../src/shared/split.ts';
import { typeIn } from '../support/commandLine.ts';
import { serveEnvironment } from '../support/flow.ts';
import { openProduct, startInput, type Product } from '../support/product.ts';
import { PACK } from '../support/worlds.ts';

let folder = '';
let split: SplitManifest;
let typed: Awaited<ReturnType<typeof typeIn>>;
const COMMAND = ['bench', 'split', '--json'];
const SPLIT = 'half.json';
const file = (...path: string[]): string => join(folder, ...path);
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'split-'));
  const half = [...COMMAND, '--world', PACK, '--task', '0-3', '--val-fraction', '0.5', '--rollouts', '1'];
  typed = await typeIn(folder, [
    { args: [...half, '--out', SPLIT] },
    { args: [...half, '--out', 'again.json', '--name', 'half', '--no-pin'] },
    { args: [...half, '--out', SPLIT] },
    { args: [...COMMAND, '--world', 'dockside_thrusters', '--rollouts', '0', '--out', 'none.json'] },
    { args: ['run', '--world', PACK, '--task', '0-3', '--json'] },
    { args: ['export', '--format', 'grpo', '--any', '--out', 'grpo', '--json'] },
    { args: ['export', '--format', 'events', '--out', 'base', '--json'] },
    { args: [...COMMAND, '--world', PACK, '--scenario', 'nosuch', '--out', 'none.json'] },
    { args: [...COMMAND, '--out', 'none.json'] },
    {
      args: [
        ...half.slice(0, 3),
        '--world',
        `${PACK},${PACK}`,
        ...half.slice(5),
        '--out',
        'once.json',
        '--no-pin',
      ],
    },
  ]);
  split = SplitManifest.parse(JSON.parse(readFileSync(file(SPLIT), 'utf8')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('interject bench split', () => {
  it('writes and pins a manifest, says what it looked at, and never writes over one', () => {
    const lines = linesOf(typed.out);
    const made = lines.filter(({ type }) => type === 'split');

    expect(typed.codes).toEqual([0, 0, 2, 2, 0, 0, 0, 2, 2, 0]);
    expect(made[0]).toMatchObject({
      name: 'half',
      is_pinned: true,
      num_train: 2,
      num_val: 2,
      split_by: 'task',
      environment: 'Built-in worlds',
      probe: { agent: 'rehearsal', rollouts: 1, is_all_zero: true },
    });
    expect(typed.err).toContain('No rollout of rehearsal completed a task');
    expect(typed.err).toContain('there is one scenario only');
    expect(typed.err).toContain('Asked for: 50 % held out. Reached: 50 %.');
    expect(lines.filter(({ type }) => type === 'error').map(({ message }) => message)).toEqual([
      'half.json is there already',
      expect.stringMatching(/^0 tasks are left, and a split needs two; \d+ left out: [^(]+ \(\w+\)$/),
      'there is no scenario nosuch among those to split',
      'say what to split: either --world NAMES or --env URL',
    ]);
    // A world that is named twice is one world.
    expect(made[2]).toMatchObject({ num_train: 2, num_val: 2, num_candidates: 4 });
  });

  it('plays no probe twice, and gives the same bytes again', () => {
    expect(typed.err).toContain('Untouched: 4 of 4 probes are over already.');
    expect(typed.err).toContain('Zero-shot: 4 of 4 probes are over already.');
    expect(readFileSync(file('again.json'), 'utf8')).toBe(readFileSync(file(SPLIT), 'utf8'));
  });
});

describe('a task of a server', () => {
  const untouched = {
    'It is done already.': { reward_type: 'complete' },
    'Its verifier breaks.': { reward_type: 'judge_error' },
    'It has none.': { reward_type: 'no_verifier', error: 'No code verifier available for this task' },
    'It has to be done.': { reward_type: 'others' },
    'It has to be done, too.': { reward_type: 'others' },
  };
  const tasks = Object.keys(untouched);

  it('is left out by what the server’s own verifier says of it with nothing done', async () => {
    let task_idx = 0;
    const server = await serveEnvironment({
      __list_scenarios__: () => ({
        observation: {
          reward_type: 'tool_call_ok',
          scenarios: [{ name: 'shop', description: '', tasks }],
          total: 1,
        },
      }),
      reset: (request) => {
        task_idx = Number(request['task_idx']);
        return {
          observation: {
            reward_type: 'reset_ok',
            scenario: 'shop',
            task: tasks[task_idx],
            task_idx,
            num_tools: 2,
          },
          reward: null,
        };
      },
      verify: () => ({ observation: Object.values(untouched)[task_idx] ?? {} }),
    });
    const asked = [
      '--env',
      server.url,
      '--concurrency',
      '1',
      '--rollouts',
      '0',
      '--no-pin',
      '--out',
      'server.json',
    ];
    await typeIn(folder, [{ args: [...COMMAND, ...asked] }]);
    server.close();

    const { meta } = SplitManifest.parse(JSON.parse(readFileSync(file('server.json'), 'utf8')));
    expect(meta).toMatchObject({
      num_candidates: 5,
      dropped_tasks: [
        ['shop', 0, 'passes_untouched'],
        ['shop', 1, 'verifier_broken'],
        ['shop', 2, 'no_verifier'],
      ],
    });
  });
});

describe('a task that a split holds out', () => {
  it('is never exported, though the export does not name the split; probes are not either', () => {
    const report = linesOf(typed.out).find(({ format }) => format === 'grpo');
    const rows = readdirSync(file('grpo', 'data')).flatMap((name) =>
      linesOf(readFileSync(file('grpo', 'data', name), 'utf8')),
    );

    expect(report?.['dropped']).toMatchObject({ held_out: 6, probe: 7 });
    expect(rows.map(({ scenario, task_idx }) => [scenario, task_idx])).toEqual(split.train);
    const bundle = linesOf(typed.out).find(({ format }) => format === 'events');
    expect(bundle?.['dropped']).toEqual({ held_out: 6 });
  });

  it('is never briefed and its advice never offered, though the console was not told of the split', async () => {
    const product = await openProduct(file('home'));
    try {
      const [[, heldOut], [, trained]] = [first(split.val), first(split.train)];
      const seat = product.as('seat-one');
      expect(pinnedSplits(product.log).map(({ name }) => name)).toEqual(['half']);
      const start = { condition: 'brief', baseline: lastOf(product, heldOut), task_idx: heldOut } as const;
      await expect(seat('episode.start', startInput(start))).rejects.toThrow(/is held out \(val\)/);

      await seat('seat.change', { presence: 'on_duty' });
      await answered(product, heldOut, 'Call the tool with the right id.');
      const next = await asked(product, trained);
      expect((await seat('advice.similar', { ...next, limit: 20 })).advice).toEqual([]);
      await answerTo(product, next, 'Look at the list first.');
      const last = await asked(product, trained);
      const { advice } = await seat('advice.similar', { ...last, limit: 20 });
      expect(advice.map(({ text }) => text)).toEqual(['Look at the list first.']);
      await answerTo(product, last, 'Again.');
    } finally {
      await product.close();
    }
  });

  it('stays so where the name is asked for again for others, and is free once the split is unpinned', async () => {
    const other = [
      '--world',
      PACK,
      '--task',
      '4-7',
      '--rollouts',
      '0',
      '--name',
      'half',
      '--out',
      'other.json',
    ];
    const { codes, out } = await typeIn(folder, [
      { args: [...COMMAND, ...other] },
      { args: [...COMMAND, '--unpin', 'half'] },
      { args: ['export', '--format', 'grpo', '--any', '--check', '--json'] },
      { args: [...COMMAND, '--unpin', 'half'] },
    ]);

    expect(codes).toEqual([2, 0, 0, 1]);
    expect(out).toContain('the split half holds other tasks in this data folder already');
    expect(linesOf(out).find(({ format }) => format === 'grpo')?.['dropped']).not.toHaveProperty('held_out');
  });
});

const first = (tasks: readonly ListedTask[]): ListedTask => {
  const [task] = tasks;
  if (task === undefined) throw new Error('the split has an empty side');
  return task;
};

const lastOf = ({ log }: Product, task: number): string =>
  log.projections.ended().findLast((id) => log.record(id).started?.task_idx === task) ?? '';

type Ask = { episode: string; consultation: string };

async function asked(product: Product, task_idx: number): Promise<Ask> {
  const { episodes } = await product.as('seat-one')(
    'episode.start',
    startInput({ condition: 'human', task_idx }),
  );
  const [episode = ''] = episodes;
  const record = await product.until(episode, ({ consultations }) => consultations.length > 0);
  return { episode, consultation: record.consultations[0]?.id ?? '' };
}

async function answerTo(product: Product, ask: Ask, text: string): Promise<void> {
  const seen_seq = product.log.lastSeq();
  const timing = { first_seen_at: null, active_ms: null };
  await product.as('seat-one')('desk.answer', { ...ask, text, draft: null, seen_seq, timing });
  const record = await product.until(ask.episode, ({ ended, consultations }) => ended ?? consultations[1]);
  const second = record.consultations[1];
  if (record.ended === null && second !== undefined)
    await product.as('seat-one')('desk.decline', {
      episode: ask.episode,
      consultation: second.id,
      reason: 'That was all.',
      seen_seq: product.log.lastSeq(),
      timing,
    });
  await product.ended(ask.episode);
}

const answered = async (product: Product, task: number, text: string): Promise<void> =>
  answerTo(product, await asked(product, task), text);
