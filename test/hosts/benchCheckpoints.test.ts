// Two checkpoints behind two real model servers on loopback, of which one knows more tasks. What the report says is counted
// a second time, from the rows of the log alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { BenchSummary } from '../../src/shared/bench/summary.ts';
import { writeSettings } from '../support/dataFolder.ts';
import { typeIn } from '../support/commandLine.ts';
import { startOpenAiServer, type OpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const WORLDS = ['loomline_workflows', 'maplecart_shop', 'tallybrook_ledger'] as const;
const Tasks = z.array(
  z.looseObject({
    task: z.string(),
    reference: z.array(z.looseObject({ tool: z.string(), args: z.record(z.string(), z.unknown()) })),
    answer: z.looseObject({ says: z.array(z.union([z.string(), z.array(z.string())])) }).nullish(),
  }),
);
const TASKS = WORLDS.flatMap((world) => {
  const path = join(import.meta.dirname, '../../resources/worlds', world, 'tasks.json');
  return Tasks.parse(JSON.parse(readFileSync(path, 'utf8'))).map((task, at) => ({ ...task, world, at }));
});
type Task = (typeof TASKS)[number];

const Messages = z.array(z.looseObject({ role: z.string(), content: z.string().nullish() }));

/** A model that plays the tasks it knows by their reference, again after an error, and gives up on all others. */
const skilledIn =
  (knows: (task: Task) => boolean) =>
  (body: Record<string, unknown>): ScriptedAnswer => {
    const messages = Messages.parse(body['messages']);
    const task = TASKS.find((one) => messages.some(({ content }) => content?.includes(one.task)));
    if (task === undefined || !knows(task)) return { content: 'I do not know how.' };
    const done = messages.filter(
      ({ role, content }) => role === 'tool' && !/error calling/i.test(content ?? ''),
    ).length;
    const next = task.reference[done];
    if (next !== undefined) return { toolCalls: [{ name: next.tool, arguments: JSON.stringify(next.args) }] };
    const says = task.answer?.says ?? [];
    return { content: says.map((one) => (typeof one === 'string' ? one : one[0])).join('. ') || 'Done.' };
  };

const folder = folderPerTest();
let servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

/** Task and arm of each run of the log, and whether its verifier called it complete. */
function runsInLog(): { task: string; arm: string; isComplete: boolean }[] {
  const db = new Sqlite(join(folder(), 'home', 'interject.db'), { readonly: true });
  const rows = db
    .prepare<[], { arm: string; scenario: string; task: number; label: string }>(
      `SELECT json_extract(begun.body, '$.bench.arm') AS arm, json_extract(begun.body, '$.scenario') AS scenario,
         json_extract(begun.body, '$.task_idx') AS task, json_extract(judged.body, '$.reward_type') AS label
       FROM events AS begun JOIN events AS judged ON judged.stream = begun.stream AND judged.kind = 'verifier.ran'
       WHERE begun.kind = 'episode.started'`,
    )
    .all();
  db.close();
  return rows.map(({ arm, scenario, task, label }) => ({
    arm,
    task: `${scenario} ${String(task)}`,
    isComplete: label === 'complete',
  }));
}

/** McNemar's exact test, counted out: of so many tasks that came out apart, how often chance is as lopsided. */
function exactP(onlyFirst: number, onlySecond: number): number {
  const apart = onlyFirst + onlySecond;
  const ways = (taken: number): number =>
    Array.from({ length: taken }).reduce<number>((sum, _, at) => (sum * (apart - at)) / (at + 1), 1);
  const tail = Array.from({ length: Math.min(onlyFirst, onlySecond) + 1 }, (_, taken) => ways(taken));
  return Math.min(1, (2 * tail.reduce((sum, one) => sum + one, 0)) / 2 ** apart);
}

it('compares two checkpoints on 20 tasks once each, as a count of the log says', async () => {
  // The earlier one knows every fifth task, the later one four of five and not all of the same.
  const order = (task: Task): number => TASKS.indexOf(task);
  servers = [
    await startOpenAiServer(skilledIn((task) => order(task) % 5 === 0)),
    await startOpenAiServer(skilledIn((task) => order(task) % 5 !== 0 || order(task) % 10 === 0)),
  ];
  const profiles = servers.map(({ url }, at) => ({
    name: `step-${String(at)}`,
    provider: 'openai',
    base_url: url,
    model: `checkpoint-${String(at)}`,
    api_version: null,
  }));
  await writeSettings(join(folder(), 'home'), { profiles });
  const val = TASKS.map(({ world, at }) => [world, at]);
  writeFileSync(join(folder(), 'split.json'), JSON.stringify({ train: [], val }));

  const compared = ['--before', 'step-0', '--after', 'step-1'];
  const { codes, err } = await typeIn(folder(), [
    { args: ['bench', '--split', 'split.json', ...compared, '--out', 'out'] },
  ]);

  expect({ codes, err }).toMatchObject({ codes: [0] });
  const text = readFileSync(join(folder(), 'out', 'results_summary.json'), 'utf8');
  const { plan, arms, primary, cautions } = BenchSummary.parse(JSON.parse(text));
  expect(plan).toMatchObject({ seeds: [0], primary: { first: 'before', second: 'after' } });
  expect(plan.tasks).toHaveLength(20);
  expect(arms.map(({ model, kind, counted }) => ({ model, kind, counted }))).toEqual([
    { model: 'checkpoint-0', kind: 'solo', counted: 20 },
    { model: 'checkpoint-1', kind: 'solo', counted: 20 },
  ]);

  const runs = runsInLog();
  expect(runs).toHaveLength(40);
  const solved = (arm: string): Set<string> =>
    new Set(runs.filter((run) => run.arm === arm && run.isComplete).map(({ task }) => task));
  const [before, after] = [solved('before'), solved('after')];
  const only_first = [...before].filter((task) => !after.has(task)).length;
  const only_second = [...after].filter((task) => !before.has(task)).length;
  const both = before.size - only_first;
  expect(only_first).toBeGreaterThan(0);
  expect(primary.pairs).toEqual({
    both,
    only_first,
    only_second,
    neither: 20 - both - only_first - only_second,
  });
  expect(primary.estimate).toBeCloseTo((after.size - before.size) / 20, 12);
  expect(primary.p).toBeCloseTo(exactP(only_first, only_second), 12);
  expect(arms.map(({ completion }) => completion.estimate)).toEqual([before.size / 20, after.size / 20]);
  expect(readFileSync(join(folder(), 'out', 'report.md'), 'utf8')).toContain(`**${primary.says}**`);
  expect(cautions).toEqual([]);
});
