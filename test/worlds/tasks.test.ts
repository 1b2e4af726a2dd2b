import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Briefing } from '../../src/shared/pack.ts';
import type { PlannedCall } from '../../src/shared/plan.ts';
import { checkPack } from '../../src/main/worlds/check.ts';
import { PACK, packsFolder, type Served, serveWorlds, type Talk } from '../support/worlds.ts';

let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

const start = async (task_idx: number): Promise<Talk> => {
  const client = await served.talk();
  await client.reset({ scenario: PACK, task_idx });
  return client;
};
const carryOut = async (client: Talk, calls: readonly PlannedCall[]): Promise<unknown[]> => {
  const labels: unknown[] = [];
  for (const { tool, args } of calls) {
    const { data } = await client.call(tool, args);
    labels.push(data.observation['reward_type']);
  }
  return labels;
};
const briefing = (task_idx: number): Briefing => {
  const found = served.worlds.briefing(PACK, task_idx);
  if (found === null) throw new Error(`no briefing for task ${String(task_idx)}`);
  return found;
};

const AMBIGUOUS = [1, 3, 6, 9];
const TASKS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('tasks that ask for an answer', () => {
  it.each([
    [2, 'It failed.'],
    [2, 'The step "Match patient" failed with CK-409. New run: 20590.'],
    [2, 'Either CK-409 or CK-507 in "Match patient", run 2059.'],
    [5, 'I queued it again.'],
    [9, 'I cancelled 2052 and 2053.'],
  ])('task %i is not completed by the right changes and "%s"', async (task_idx, answer) => {
    const client = await start(task_idx);
    await carryOut(client, briefing(task_idx).reference);

    expect(await client.verify(answer)).toBe('others');
  });

  it('take the answer in other words, spacing and case', async () => {
    const client = await start(2);
    await carryOut(client, briefing(2).reference);

    expect(await client.verify('step: MATCH  patient; code ck-409; retried as #2059.')).toBe('complete');
  });
});

describe('the playbooks', () => {
  it.each([
    [
      0,
      [
        ['recover_workflow_playbook', { workflow_id: 101 }],
        ['subscribe_user', { workflow_id: 101, user_id: 12, channel: 'email', event: 'failure' }],
      ],
    ],
    [
      5,
      [
        ['replace_connection_playbook', { old_connection_id: 214, new_connection_id: 215 }],
        ['retry_run', { run_id: 2040 }],
      ],
    ],
    [6, [['handover_playbook', { from_user_id: 24, to_user_id: 26 }]]],
  ] as const)('do not complete task %i: they do more than was asked', async (task_idx, calls) => {
    const client = await start(task_idx);

    const labels = await carryOut(
      client,
      calls.map(([tool, args]) => ({ tool, args, purpose: null })),
    );

    expect(new Set(labels)).toEqual(new Set(['tool_call_ok']));
    expect(await client.verify(briefing(task_idx).rehearsal.final)).toBe('others');
  });
});

describe('what the worlds say of their packs', () => {
  it('lists the tasks with their level, and which are ambiguous, under any spelling of the name', () => {
    const tasks = served.worlds.tasks('Loomline Workflows');

    expect(tasks.filter((task) => task.is_ambiguous).map((task) => task.task_idx)).toEqual(AMBIGUOUS);
    expect(new Set(tasks.map((task) => task.difficulty))).toEqual(new Set(['easy', 'medium', 'hard']));
    expect(served.worlds.tasks('nothing of the kind')).toEqual([]);
  });

  it('gives a briefing in the shared shape, and none for what does not exist', () => {
    expect(TASKS.map((task_idx) => Briefing.safeParse(briefing(task_idx)).success)).not.toContain(false);
    expect([served.worlds.briefing(PACK, 10), served.worlds.briefing('nope', 0)]).toEqual([null, null]);
  });
});

describe('checking a pack', () => {
  const copies: string[] = [];
  afterAll(() => copies.forEach((folder) => rmSync(folder, { recursive: true })));
  const changed = (file: string, change: (text: string) => string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'pack-'));
    copies.push(folder);
    cpSync(join(packsFolder, PACK), folder, { recursive: true });
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
    return folder;
  };
  const failing = async (folder: string): Promise<string[]> =>
    (await checkPack(folder)).checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  const changedTask = (index: number, change: Record<string, unknown>): string =>
    changed('tasks.json', (text) => {
      const tasks = JSON.parse(text) as Record<string, unknown>[];
      return JSON.stringify(tasks.map((task, at) => (at === index ? { ...task, ...change } : task)));
    });

  it('finds a reference that does not do what the task asks, and one that cannot be carried out', async () => {
    const wrong = {
      reference: [{ tool: 'set_workflow_status', args: { workflow_id: 102, status: 'paused' } }],
    };
    const broken = { reference: [{ tool: 'no_such_tool', args: {} }] };

    expect(await failing(changedTask(1, wrong))).toContain('task 1: the reference solution passes');
    expect(await failing(changedTask(1, broken))).toContain('task 1: the reference solution passes');
  });

  it('finds a draft that would be right, and a rehearsal that never errs', async () => {
    const right = {
      draft: {
        calls: [{ tool: 'set_workflow_status', args: { workflow_id: 103, status: 'paused' } }],
        note: '',
      },
      rehearsal: {
        attempts: [{ say: 'I look.', tool: 'list_workspaces', args: {} }],
        ask: { task: '', context: '' },
        final: '',
      },
    };

    expect(await failing(changedTask(1, right))).toEqual([
      'task 1: the rehearsal errs, and harms nothing',
      'task 1: the draft can be carried out and does not pass',
    ]);
  });

  it('names the file and the cause when a pack cannot be loaded', async () => {
    const cases = [
      [changed('tasks.json', () => '[{'), 'tasks.json'],
      [changed('schema.sql', (sql) => `${sql} CREATE TABLE;`), 'schema.sql'],
      [changed('tools.json', (text) => text.replace('"DELETE FROM', '"DROP TABLE')), 'tools.json'],
      [join(packsFolder, 'not_there'), 'pack.json'],
    ] as const;

    for (const [folder, file] of cases) {
      const { pack, checks } = await checkPack(folder);
      expect({ pack, checks }).toEqual({
        pack: null,
        checks: [
          { name: 'the pack loads', status: 'fail', evidence: expect.stringContaining(file) as string },
        ],
      });
    }
  });

  it('serves the other packs when one cannot be read, and says which', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'packs-'));
    copies.push(parent);
    cpSync(packsFolder, parent, { recursive: true });
    cpSync(join(packsFolder, PACK), join(parent, 'broken'), { recursive: true });
    writeFileSync(join(parent, 'broken', 'pack.json'), '{}');
    const partly = await serveWorlds({ packs: parent });

    expect(partly.worlds.packs()).toEqual(served.worlds.packs());
    expect(partly.worlds.problems().map(({ code, message }) => ({ code, message }))).toEqual([
      { code: 'pack_invalid', message: expect.stringContaining(join('broken', 'pack.json')) as string },
    ]);
    await partly.close();
  });
});
