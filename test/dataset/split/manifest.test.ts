import { describe, expect, it } from 'vitest';
import {
  makeManifest,
  manifestText,
  type SplitRequest,
  type ProbedTask,
} from '../../../src/main/dataset/split/makeManifest.ts';
import { heldOutTasks, sideIn, sideOf, SplitManifest, createHeldOut } from '../../../src/shared/split.ts';

const task = (scenario: string, task_idx: number, over: Partial<ProbedTask> = {}): ProbedTask => ({
  scenario,
  task_idx,
  stated: null,
  rollouts: 4,
  completed: task_idx % 5,
  ...over,
});
const tasksOf = (scenarios: number, each: number): ProbedTask[] =>
  Array.from({ length: scenarios * each }, (_, at) =>
    task(`shop_${String(at % scenarios)}`, Math.floor(at / scenarios)),
  );

const request = (over: Partial<SplitRequest> = {}): SplitRequest => ({
  tasks: tasksOf(4, 10),
  dropped: [],
  by: null,
  fraction: 0.25,
  seed: 7,
  environment: 'Shops',
  data: null,
  probe: { agent: 'small', rollouts: 4 },
  ...over,
});

describe('a split manifest', () => {
  it('keeps a scenario whole on one side, and says how many tasks each side has', () => {
    const { meta, train, val } = makeManifest(request());

    expect(meta).toMatchObject({
      split_by: 'scenario',
      num_train: 30,
      num_val: 10,
      val_fraction: 0.25,
      seed: 7,
    });
    expect(new Set(val.map(([scenario]) => scenario)).size).toBe(1);
    const held = new Set(val.map(([scenario]) => scenario));
    expect(train.some(([scenario]) => held.has(scenario))).toBe(false);
  });

  it('says which share is held out where whole scenarios do not give the share that was asked for', () => {
    const { meta } = makeManifest(request({ tasks: tasksOf(2, 10), fraction: 0.3 }));

    expect(meta).toMatchObject({ split_by: 'scenario', val_fraction: 0.3, val_fraction_reached: 0.5 });
  });

  it('splits a single scenario by task and says why; asked for by scenario it is refused', () => {
    const tasks = tasksOf(1, 10);
    const { meta, val } = makeManifest(request({ tasks }));

    expect(meta).toMatchObject({
      split_by: 'task',
      split_by_reason: expect.stringContaining('one scenario only'),
    });
    expect(val.length).toBeGreaterThan(0);
    expect(() => makeManifest(request({ tasks, by: 'scenario' }))).toThrow(/one scenario cannot be split/);
    expect(() => makeManifest(request({ tasks: [] }))).toThrow(/0 tasks are left/);
  });

  it('is the same bytes for the same seed, whatever order the tasks came in', () => {
    const tasks = tasksOf(4, 10);
    const texts = [tasks, tasks.toReversed()].map((some) =>
      manifestText(makeManifest(request({ tasks: some, by: 'task' }))),
    );

    expect(texts[0]).toBe(texts[1]);
    expect(manifestText(makeManifest(request({ by: 'task', seed: 8 })))).not.toBe(texts[0]);
  });

  it('holds as much of every difficulty out, measured where rollouts tell it, else as stated', () => {
    const { meta, val } = makeManifest(request({ tasks: tasksOf(2, 40), by: 'task' }));
    const heldOut = new Set(val.map((one) => one.join()));
    const levels = Map.groupBy(meta.tasks, ({ difficulty }) => difficulty);

    expect(meta.stratified_by).toBe('measured difficulty');
    expect([...levels.keys()].toSorted()).toEqual(['easy', 'hard', 'medium', 'unsolved']);
    for (const members of levels.values()) {
      const share = members.filter((one) => heldOut.has(`${one.scenario},${String(one.task_idx)}`)).length;
      expect(Math.abs(share - members.length / 4)).toBeLessThan(1);
    }
    const unsolved = tasksOf(2, 4).map((one) => ({ ...one, completed: 0, stated: 'hard' as const }));
    const stated = makeManifest(request({ tasks: unsolved }));
    expect(stated.meta).toMatchObject({
      stratified_by: 'stated difficulty',
      probe: { agent: 'small', is_all_zero: true },
    });
  });

  it('names what was left out, counted by cause, where too few tasks are left', () => {
    const cause = 'passes_untouched' as const;
    const dropped = [0, 1, 2].map((task_idx) => ({ scenario: 'dock', task_idx, cause }));

    expect(() => makeManifest(request({ tasks: tasksOf(1, 1), dropped }))).toThrow(
      '1 task is left, and a split needs two; 3 left out: it passes with nothing done (passes_untouched)',
    );
  });

  it('counts what was left out by its cause', () => {
    const dropped = [
      { scenario: 'b', task_idx: 1, cause: 'passes_untouched' as const },
      { scenario: 'a', task_idx: 2, cause: 'verifier_broken' as const },
      { scenario: 'a', task_idx: 1, cause: 'passes_untouched' as const },
    ];
    const { meta } = makeManifest(request({ dropped }));

    expect(meta.num_candidates).toBe(43);
    expect(meta.dropped).toEqual({ passes_untouched: 2, verifier_broken: 1 });
    expect(meta.dropped_tasks.map(([scenario, index]) => `${scenario} ${String(index)}`)).toEqual([
      'a 1',
      'a 2',
      'b 1',
    ]);
  });

  it('is read back by what reads the public recipe’s, and that one loads with both lists', () => {
    const ours = SplitManifest.parse(JSON.parse(manifestText(makeManifest(request()))));
    // The published form, with the published counts.
    const theirs = SplitManifest.parse({
      meta: {
        prefixes: ['workflow_automation'],
        verifier_mode: 'code',
        hf_repo_id: 'Snowflake/AgentWorldModel-1K',
        hf_repo_type: 'dataset',
        verifier_file: 'gen_verifier.pure_code.jsonl',
        max_tasks: null,
        filtered: true,
        val_fraction: 0.34,
        seed: 0,
        num_train: 63,
        num_val: 33,
      },
      train: Array.from({ length: 63 }, (_, at) => [
        `workflow_automation_${String(at % 7)}`,
        Math.floor(at / 7),
      ]),
      val: Array.from({ length: 33 }, (_, at) => [
        `workflow_automation_${String(8 + (at % 3))}`,
        Math.floor(at / 3),
      ]),
    });

    expect([theirs.train.length, theirs.val.length]).toEqual([63, 33]);
    expect([ours.train.length, ours.val.length]).toEqual([30, 10]);
    expect(heldOutTasks(theirs)[0]).toEqual(['workflow_automation_8', 0]);
    expect(heldOutTasks(ours)[0]?.[2]).toBe('Shops');
  });
});

describe('a held-out task', () => {
  const split = SplitManifest.parse({ meta: { environment: 'Shops' }, train: [['a', 0]], val: [['a', 1]] });
  const side = (environment: string | null) => sideOf(split, { scenario: 'A', task_idx: 1, environment });

  it('is one of its own environment; of a file that was imported nobody knows', () => {
    expect(side('Shops')).toBe('val');
    expect(side('Other shops')).toBe('unlisted');
    expect(side('import:awm')).toBe('val');
    expect(side(null)).toBe('val');
    const isHeldOut = createHeldOut(heldOutTasks(split), (scenario, index) => `${scenario} ${String(index)}`);
    expect(isHeldOut({ scenario: 'a', task_idx: 1, environment: 'Shops' })).toBe(true);
    expect(isHeldOut({ scenario: 'a', task_idx: 1, environment: 'Other shops' })).toBe(false);
    expect(isHeldOut({ scenario: 'a', task_idx: 0, environment: 'Shops' })).toBe(false);
  });

  it('is one of its server by whichever loopback name it is called', () => {
    const names = ['localhost:8000', '127.0.0.1:8000', '[::1]:8000'];
    for (const environment of names) {
      const local = SplitManifest.parse({ meta: { environment }, train: [], val: [['a', 1]] });
      const isHeldOut = createHeldOut(
        heldOutTasks(local),
        (scenario, index) => `${scenario} ${String(index)}`,
      );
      const where = (name: string) => ({ scenario: 'a', task_idx: 1, environment: name });

      for (const name of names) {
        expect(sideOf(local, where(name))).toBe('val');
        expect(isHeldOut(where(name))).toBe(true);
      }
      for (const name of ['localhost:8001', '127.0.0.1', '10.0.0.1:8000', 'localhost.example:8000']) {
        expect(sideOf(local, where(name))).toBe('unlisted');
        expect(isHeldOut(where(name))).toBe(false);
      }
    }
  });

  it('stays held out where another split trains on it', () => {
    const other = SplitManifest.parse({ train: [['a', 1]], val: [] });

    expect(sideIn([other, split], { scenario: 'a', task_idx: 1 })).toBe('val');
    expect(sideIn([other], { scenario: 'a', task_idx: 1 })).toBe('train');
    expect(sideIn([], { scenario: 'a', task_idx: 1 })).toBe('unknown');
  });
});
