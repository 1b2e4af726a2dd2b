// What trainers ask and tell over the gateway's own requests, on a real log: episodes of the tap, reports, plans.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { planPath, writePlanFile } from '../../src/main/training/planFile.ts';
import { createCurriculum, type Curriculum } from '../../src/main/training/curriculum.ts';
import { CurriculumReport } from '../../src/main/training/report.ts';
import { createCurriculumDoor } from '../../src/main/gateway/curriculum/door.ts';
import type { GatewayDoor } from '../../src/main/gateway/gateway.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { CURRICULUM_DEFAULTS, type SettingsChange } from '../../src/shared/curriculum/settings.ts';
import type { TrainerRef } from '../../src/shared/events/lifecycle.ts';
import { ENVIRONMENT, SYSTEM, type Actor } from '../../src/shared/events/actor.ts';
import type { EpisodeRow } from '../../src/shared/episode/rowShapes.ts';
import { curriculumStream } from '../../src/shared/events/library.ts';
import type { SplitManifest } from '../../src/shared/split.ts';
import { ended, openLog, reset, started } from '../support/log.ts';

let log: EventLog;
let curriculum: Curriculum;
let door: GatewayDoor;
let splits: SplitManifest[] = [];
let recorded = 0;

const episodes = (run: string): EpisodeRow[] =>
  log.projections
    .episodes({ query: '', status: null, condition: null, offset: 0, limit: 500 })
    .rows.filter((row) => row.run === run);
function open(): void {
  curriculum = createCurriculum({ log, trainingRuns: { episodes }, splits: () => splits });
  const parts = { log, curriculum, recorded: () => Promise.resolve((recorded += 1) > 0) };
  door = createCurriculumDoor(parts);
}
beforeEach(() => {
  log = openLog();
  splits = [];
  recorded = 0;
  open();
});

const TRAINER = { id: 'k', name: 'trainer' };
const OTHER = { id: 'o', name: 'somebody' };
const callerWith = (key: typeof TRAINER) => ({
  key: { ...key, environment: null },
  rollout: null,
  signal: new AbortController().signal,
});
/** `run=first&step=2` as the body of a request. */
const wanted = (query: string): object =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [
      name,
      name === 'run' || Number.isNaN(Number(value)) ? value : Number(value),
    ]),
  );
async function ask(query: string, key = TRAINER): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = JSON.stringify(wanted(query));
  const request = new Request('http://gateway/curriculum/next', { method: 'POST', body });
  const answer = await door.handle(request, callerWith(key));
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
async function tell(
  body: unknown,
  key = TRAINER,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request('http://gateway/curriculum/report', { method: 'POST', body: text });
  const answer = await door.handle(request, callerWith(key));
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const OWNER: Actor = { type: 'human', id: 'seat-owner' };
const configure = (settings: SettingsChange): void =>
  curriculum.steer('first', { what: 'settings', settings }, OWNER);
const setBack = (step: number): void => curriculum.steer('first', { what: 'set_back', step }, OWNER);

let episodeCount = 0;
/** A rollout of the tap that ended: complete or not. */
function rollout(
  step: number,
  isComplete: boolean,
  more: Partial<TrainerRef> = {},
  task_idx = 0,
  key = TRAINER,
): string {
  const id = `episode-${String((episodeCount += 1))}`;
  const trainer = { run: 'first', step, checkpoint: null, episode: null, ...more };
  const group = `first · step ${String(step)} · ${String(task_idx)}`;
  log.append(id, SYSTEM, started({ source: 'tap', condition: null, trainer, task_idx, group }));
  log.append(id, SYSTEM, {
    kind: 'tap.opened',
    key: key.name,
    key_id: key.id,
    user_agent: null,
    may_act: false,
    on_touch: 'mark',
    hold_limit_ms: 50_000,
    hold_fallback: 'reject',
  });
  log.append(id, ENVIRONMENT, reset({ task_idx }));
  log.append(id, ENVIRONMENT, {
    kind: 'verifier.ran',
    verifier_mode: 'code',
    final_answer: null,
    verify_result: null,
    error: null,
    latency_ms: 1,
    reward_type: isComplete ? 'complete' : 'incomplete',
    reward: isComplete ? 1 : 0.1,
    frame: '{}',
  });
  log.append(
    id,
    SYSTEM,
    ended({ reward_type: isComplete ? 'complete' : 'incomplete', reward: isComplete ? 1 : 0.1 }),
  );
  return id;
}
const eight = (step: number, completed: number, more: Partial<TrainerRef> = {}): string[] =>
  Array.from({ length: 8 }, (_, at) => rollout(step, at < completed, { arm: 'solo', ...more }));
const decisions = () =>
  log
    .read(curriculumStream('first'))
    .flatMap(({ event }) => (event.kind === 'curriculum.decided' ? [event] : []));

describe('the plan of a step', () => {
  it('begins with the scaffold of the recipe, six of eight with an expert', async () => {
    const { status, body } = await ask('run=first&group=8');
    expect(status).toBe(200);
    expect(body).toMatchObject({ run: 'first', step: 1, phase: 'scaffold', expert_share: 0.75, group: 8 });
    expect(body).toMatchObject({
      split: { expert: 6, solo: 2 },
      divide_by_deviation: false,
      tasks: [],
    });
  });

  it('is the same however often it is asked for, whatever came in between, and is decided once', async () => {
    const first = await ask('run=first&step=1');
    eight(1, 8);
    const again = await ask('run=first&step=1');
    expect(again).toEqual(first);
    expect(decisions()).toHaveLength(1);
  });

  it('counts each tapped rollout once, those too that ended while nobody asked, and waits for what is on its way', async () => {
    const early = eight(1, 8);
    const second = await ask('run=first&step=2');
    const late = [rollout(1, false, { arm: 'solo' })];
    const next = eight(2, 8);
    const third = await ask('run=first&step=3');
    expect(second.body).toMatchObject({ tasks: [{ task_idx: 0, has_expert: false, solved: 8, of: 8 }] });
    expect(third.body['step']).toBe(3);
    const counted = decisions().map(({ inputs }) => inputs.rollouts.map(({ id }) => id).toSorted());
    expect(counted).toEqual([early.toSorted(), [...late, ...next].toSorted()]);
    expect(recorded).toBe(2);
  });

  it('goes to the next step once something came of the newest, where no step is named', async () => {
    expect((await ask('run=first')).body['step']).toBe(1);
    expect((await ask('run=first')).body['step']).toBe(1);
    eight(1, 0);
    expect((await ask('run=first')).body['step']).toBe(2);
  });

  it('gives a task whose whole group is at zero a hint, and counts no rollout with one as alone', async () => {
    eight(1, 0);
    expect((await ask('run=first&step=2')).body).toMatchObject({ tasks: [{ hint: 'knowledge' }] });
    eight(2, 8, { hint: 'knowledge' });
    const { body } = await ask('run=first&step=3');
    expect(body).toMatchObject({ tasks: [{ hint: 'none', has_expert: true, solved: 0, of: 8 }] });
  });

  it('counts neither evaluations nor tasks that a split holds out', async () => {
    splits = [{ train: [], val: [['loomline_workflows', 0]] }];
    eight(1, 8);
    splits = [{ train: [], val: [['loomline_workflows', 1]] }];
    Array.from({ length: 8 }, () => rollout(1, true, { arm: 'solo' }, 1));
    eight(1, 8, { arm: 'evaluation' });
    const { body } = await ask('run=first&step=2');
    expect((body['tasks'] as unknown[]).length).toBe(1);
    expect(decisions()[0]?.inputs.rollouts).toHaveLength(8);
  });

  it('goes on after a restart as if there had been none', async () => {
    eight(1, 8);
    const before = await ask('run=first&step=2');
    eight(2, 2);
    curriculum.close();
    open();
    expect(await ask('run=first&step=2')).toEqual(before);
    const { body } = await ask('run=first&step=3');
    expect(body).toMatchObject({ tasks: [{ has_expert: true, solved: 2, of: 8 }] });
    expect(decisions().map(({ inputs }) => inputs.rollouts.length)).toEqual([8, 8]);
  });

  it('is refused for a step that was passed, and for a request that is none', async () => {
    await ask('run=first&step=5');
    const past = await ask('run=first&step=3');
    expect(past).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect(past.body['message']).toBe('first has no plan of step 3, and is at step 5');
    expect((await ask('run=first&group=1')).body).toMatchObject({
      message: '"group" has to be at least 2',
      next: expect.stringContaining('only `run` is needed'),
    });
    expect((await ask('')).body['message']).toBe('"run" is missing');
    expect((await ask('run=first&step=5&group=8')).status).toBe(200);
    expect(await ask('run=first&step=5&group=4')).toMatchObject({
      status: 400,
      body: { message: 'step 5 of first was planned for groups of 8, not of 4' },
    });
    for (const query of ['', 'run=', 'run=first&step=x', 'run=first&group=1', 'run=first&what=1'])
      expect((await ask(query)).status).toBe(400);
  });
});

it('counts rollouts that name no task for phases, and plans nothing of them', async () => {
  const rollouts = [1, 2].map((step) => ({ step, format_error: false }));
  await tell({ run: 'first', id: 'b1', rollouts: rollouts.slice(0, 1) });
  await ask('run=first&step=2');
  await tell({ run: 'first', id: 'b2', rollouts: rollouts.slice(1) });
  const { body } = await ask('run=first&step=3');
  expect(body).toMatchObject({ phase: 'independence', tasks: [] });
});

it('says in plain words what is wrong with settings, and refuses bounds the wrong way round', async () => {
  expect(() => configure({ hints: { speed: 1 } })).toThrow('"hints" must not have "speed"');
  const rule = { signal: 'format_error_rate', scaffold: 0.2, independence: 0.5 };
  expect(() => configure({ phases: { signals: [rule] } })).toThrow(
    'of format_error_rate, scaffold has to be above independence',
  );
  expect((await tell({ id: 'x' })).body).toMatchObject({
    message: '"run" is missing',
    next: expect.stringContaining('docs/runs.md#curriculum'),
  });
});

it('is told a report and set as docs/runs.md shows it, whose settings are the defaults', () => {
  const page = readFileSync(new URL('../../docs/runs.md', import.meta.url), 'utf8');
  const [report, settings] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
  const shown = CurriculumReport.parse(JSON.parse(report ?? ''));
  expect(JSON.parse(settings ?? '')).toEqual(CURRICULUM_DEFAULTS);
  expect([shown.tasks, shown.rollouts, shown.metrics].map((list) => list.length)).toEqual([1, 1, 1]);
});

it('keeps the newest plan of each run as a file that the kit’s --plan reads, whatever the run is called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-plans-'));
  try {
    const names = ['first', '../first', 'a/b', 'x'.repeat(200), `${'é'.repeat(199)}1`, `${'é'.repeat(199)}2`];
    for (const run of names) {
      for (const step of [1, 2])
        writePlanFile(folder, run, curriculum.next({ run, step, group: 8 }, TRAINER));
    }
    expect(readdirSync(folder)).toHaveLength(names.length);
    for (const run of names) {
      const told = JSON.parse(readFileSync(planPath(folder, run), 'utf8')) as object;
      expect(told).toMatchObject({ run, step: 2, expert_share: 0.75 });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a report', () => {
  const rollouts = Array.from({ length: 8 }, () => ({
    step: 1,
    scenario: 'elsewhere',
    task_idx: 4,
    group: 'g',
    arm: 'solo',
    completed: true,
    reward: 1,
    format_error: false,
  }));
  const report = { run: 'first', id: 'step 1', rollouts, metrics: [{ step: 1, reward: 0.5, loss: 0.2 }] };

  it('counts like tapped rollouts, once, however often it is sent', async () => {
    const first = await tell(report);
    const again = await tell(report);
    expect(first.body).toEqual({
      run: 'first',
      id: 'step 1',
      is_new: true,
      newest_step: 0,
      tasks: 0,
      rollouts: 8,
      steps: [1],
      unread: ['loss'],
    });
    expect(again.body).toEqual({ ...first.body, is_new: false });
    const { body } = await ask('run=first');
    expect(body).toMatchObject({
      step: 2,
      tasks: [{ scenario: 'elsewhere', task_idx: 4, has_expert: false }],
    });
    await ask('run=first&step=3');
    expect(decisions().map(({ inputs }) => inputs.rollouts.length)).toEqual([8, 0]);
  });

  it('under a name that stood for another one is refused', async () => {
    await tell(report);
    const other = await tell({ ...report, rollouts: [] });
    expect(other).toMatchObject({ status: 400, body: { message: 'the report step 1 was another one' } });
  });

  it('moves the phase by its own metrics alone, where no rollout is told', async () => {
    configure({ phases: { signals: signal('timeout_rate', 0.5, 0.2) } });
    await tell({ run: 'first', id: 'm', metrics: [{ step: 1, timeout_rate: 0.3 }] });
    expect((await ask('run=first')).body).toMatchObject({
      step: 2,
      phase: 'balanced',
      split: { expert: 4, solo: 4 },
    });
  });

  it('that would change settings is refused whole: they are the owner’s, and hold from the next decision on', async () => {
    const before = await ask('run=first&step=1');
    const settings = { phases: { fixed_share: 1 } };
    const wrong = await tell({ run: 'first', id: 'wrong', settings, rollouts });
    expect(wrong).toMatchObject({ status: 400, body: { message: 'it must not have "settings"' } });
    configure({ phases: { fixed_share: 0.5 } });
    expect((await ask('run=first&step=1')).body).toEqual(before.body);
    expect((await ask('run=first&step=2')).body).toMatchObject({
      expert_share: 0.5,
      split: { expert: 4, solo: 4 },
    });
    expect((await ask('run=first&step=3')).body['tasks']).toEqual([]);
  });

  it('names tasks with their difficulty, of which only the lowest is open at first', async () => {
    const tasks = ['easy', 'medium', 'hard'].map((difficulty, task_idx) => ({
      scenario: 's',
      task_idx,
      difficulty,
    }));
    await tell({ run: 'first', id: 'tasks', tasks });
    configure({ difficulty: { mode: 'on' } });
    const { body } = await ask('run=first');
    expect(body).toMatchObject({
      level: 'easy',
      tasks: [{ is_open: true }, { is_open: false }, { is_open: false }],
    });
  });

  it('of a held-out task is refused', async () => {
    splits = [{ train: [], val: [['s', 1]] }];
    const { status, body } = await tell({
      run: 'first',
      id: 'tasks',
      tasks: [{ scenario: 's', task_idx: 1 }],
    });
    expect({ status, message: body['message'] }).toEqual({
      status: 400,
      message: 's 1 is held out by a split',
    });
  });

  it.each([
    ['no JSON', '{'],
    ['no id', { run: 'first' }],
    ['an unknown field', { run: 'first', id: 'x', outcomes: [] }],
    ['an arm that is none', { run: 'first', id: 'x', rollouts: [{ step: 1, arm: 'helped' }] }],
    ['a number that is none', '{"run":"first","id":"x","rollouts":[{"step":1,"reward":1e999}]}'],
    ['metrics without a step', { run: 'first', id: 'x', metrics: [{ reward: 1 }] }],
    ['the example’s name', { run: 'example: expert in the loop', id: 'x' }],
  ])('with %s is refused, and nothing is written', async (_, body) => {
    expect((await tell(body)).status).toBe(400);
    expect(log.streams('curriculum/')).toEqual([]);
  });
});

const signal = (name: string, scaffold: number, independence: number) => [
  { signal: name, scaffold, independence, dwell: 1 },
];

describe('a run', () => {
  const stream = () => log.read(curriculumStream('first'));

  it('belongs to the key that began it: another one neither reads nor steers it', async () => {
    await ask('run=first&step=1');
    const before = stream();

    const refused = { status: 403, body: { code: 'permission_denied' } };
    const asked = await ask('run=first&step=1', OTHER);
    expect(asked).toMatchObject(refused);
    expect(asked.body['message']).toBe('the curriculum of first belongs to another key');
    expect(await ask('run=first&step=2', OTHER)).toMatchObject(refused);
    expect(await tell({ run: 'first', id: 'x', rollouts: [{ step: 1 }] }, OTHER)).toMatchObject(refused);
    expect(stream()).toEqual(before);
    expect((await ask('run=second', OTHER)).status).toBe(200);
  });

  it('is not taken by who asks for a step that it cannot have', async () => {
    await ask('run=first&step=1');
    // Planned once, and nobody's.
    for (const { event } of stream())
      if (event.kind === 'curriculum.decided')
        log.append(curriculumStream('free'), SYSTEM, { ...event, run: 'free' });

    expect((await ask('run=free&step=5000', OTHER)).status).toBe(400);
    expect((await ask('run=free&step=2')).status).toBe(200);
  });

  it('is refused at once where the request is malformed, whatever is on its way to the log', async () => {
    expect((await ask('run=first&step=-1')).status).toBe(400);
    expect(recorded).toBe(0);
  });

  it('counts no rollout that another key played in its name', async () => {
    await ask('run=first&step=1');
    Array.from({ length: 8 }, () => rollout(1, true, { arm: 'solo' }, 0, OTHER));
    eight(1, 0);
    expect((await ask('run=first&step=2')).body).toMatchObject({ tasks: [{ solved: 0, of: 8 }] });
  });

  it('is never named like a key, nor is a report of it', async () => {
    const key = `sk-proj-${'Ab3dE6gH'.repeat(6)}`;
    const asked = await ask(`run=${key}`);
    expect(asked.status).toBe(400);
    expect(JSON.stringify(asked.body)).toContain('what looks like a key');
    expect(JSON.stringify(asked.body)).not.toContain(key);
    expect((await tell({ run: 'first', id: key })).status).toBe(400);
    expect(log.streams('curriculum/')).toEqual([]);
  });

  it('is changed by no GET', async () => {
    const request = new Request('http://gateway/curriculum/next?run=first&step=1');
    const answer = await door.handle(request, callerWith(TRAINER));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ next: expect.stringContaining('POST /curriculum/next') });
    expect(log.streams('curriculum/')).toEqual([]);
  });

  it('goes no further ahead than a trainer can have come, by what is asked for, told or played', async () => {
    expect((await ask('run=first&step=999999999')).status).toBe(400);
    await ask('run=first&step=5');
    const far = await ask('run=first&step=1006');
    expect(far).toMatchObject({
      status: 400,
      body: { message: '1006 is no step of first: the furthest now is 1005' },
    });
    for (const report of [{ rollouts: [{ step: 1006 }] }, { metrics: [{ step: -1 }] }])
      expect((await tell({ run: 'first', id: 'far', ...report })).status).toBe(400);
    rollout(999_999_999, true);
    expect((await ask('run=first')).body['step']).toBe(5);
    expect((await ask('run=first&step=1005')).status).toBe(200);
  });

  it('is one of at most two hundred of a key', async () => {
    for (let at = 0; at < 200; at += 1) await ask(`run=run-${String(at)}`);
    const { status, body } = await ask('run=first');
    expect({ status, message: body['message'] }).toEqual({
      status: 403,
      message: 'the key “trainer” has begun 200 runs, and may begin no more',
    });
    expect((await ask('run=run-7')).status).toBe(200);
    expect((await ask('run=first', OTHER)).status).toBe(200);
  });

  it('is set back by its owner to what it was before a step, whatever came after, and says so in the log', async () => {
    eight(1, 8);
    const second = await ask('run=first&step=2');
    eight(2, 0);
    await tell({ run: 'first', id: 'wrong', rollouts: [{ step: 2, scenario: 'x', task_idx: 1 }] });
    await ask('run=first&step=3');
    eight(3, 0);
    configure({ phases: { fixed_share: 0.25 } });

    setBack(2);

    expect(curriculum.history('first').plans.size).toBe(0);
    expect(stream().at(-1)).toMatchObject({ actor: OWNER, event: { kind: 'curriculum.set_back', step: 2 } });
    // What the step was decided from counts again; rollouts under what was taken back do not.
    const again = await ask('run=first&step=2');
    expect(again.body).toMatchObject({ tasks: second.body['tasks'], expert_share: 0.25 });
    expect((await tell({ run: 'first', id: 'wrong', rollouts: [] })).status).toBe(200);
    expect((await ask('run=first&step=3')).body).toMatchObject({
      tasks: [{ task_idx: 0, solved: 8, of: 8 }],
    });
    const before = await ask('run=first&step=3');
    curriculum.close();
    open();
    expect(await ask('run=first&step=3')).toEqual(before);
    expect(() => setBack(9)).toThrow('nothing was decided of first at step 9 or later');
  });

  it('goes on with the key that its owner gives it to', async () => {
    await ask('run=first&step=1');
    curriculum.steer('first', { what: 'key', key: OTHER }, OWNER);
    expect((await ask('run=first&step=1')).status).toBe(403);
    expect((await ask('run=first&step=1', OTHER)).status).toBe(200);
  });
});
