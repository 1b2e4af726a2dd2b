// A bench over real worlds with the rehearsal agent: run, stopped and gone on with, and what it keeps from advisors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { killedCopy } from '../support/dataFolder.ts';
import { observe } from '../../src/main/commands/benchObserve.ts';
import { cellsOf } from '../../src/shared/bench/plan.ts';
import { DEFAULT_ROUTES, type Roster } from '../../src/shared/experts/roster.ts';
import { failureShape } from '../../src/shared/failure.ts';
import { benchPlan } from '../support/observedEpisodes.ts';
import { openProduct, removeFolder, startInput, untilOver, type Product } from '../support/product.ts';

const TASKS: [string, number][] = [['loomline_workflows', 0]];
const plan = benchPlan({ name: 'night', tasks: TASKS, seeds: [0, 1, 2] });
const HUMAN = {
  ...plan,
  name: 'people',
  seeds: [0],
  arms: [plan.arms[0]!, { ...plan.arms[1]!, arm: 'human', condition: 'human' as const }],
  primary: { first: 'none', second: 'human' },
  is_privileged: false,
  fallback: 'wait' as const,
};

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product.close();
  removeFolder(product.folder);
});

const EVERY = { query: '', status: null, condition: null, offset: 0, limit: 200 };
const episodesOf = (run: string): string[] =>
  product.log.projections
    .episodes({ query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 200 })
    .rows.map(({ id }) => id);

/** Arm, task and seed of each episode that was not cut short. */
const runsOf = (run: string): string[] =>
  episodesOf(run).flatMap((id) => {
    const { started, ended } = product.log.record(id);
    if (ended?.outcome !== 'done' && ended?.outcome !== 'limit') return [];
    return [JSON.stringify([started?.bench?.arm, started?.scenario, started?.task_idx, started?.seed])];
  });

it('killed in the middle and begun again, it goes on with the very episodes that were open', async () => {
  const before = await openProduct();
  const begun = before.benches.run(HUMAN, { concurrency: 2 });
  const [asked] = await vi.waitUntil(
    () => {
      const { items } = before.log.projections.desk(1);
      return items.length > 0 ? items : null;
    },
    { timeout: 60_000 },
  );
  const folder = killedCopy(before.folder);
  await before.close();
  await begun;
  removeFolder(before.folder);

  const next = await openProduct(folder, {}, 'leave');
  const again = next.benches.run(HUMAN, { concurrency: 2 });
  const episode = asked?.episode ?? '';
  const { consultations, seq } = await next.until(episode, ({ restarts }) => restarts[0]?.wentOn);
  await next.as('seat-one')('desk.decline', {
    episode,
    consultation: consultations[0]?.id ?? '',
    reason: 'you know it',
    seen_seq: seq,
    timing: { first_seen_at: 1, active_ms: 1 },
  });
  await again;
  const { progress } = next.benches.show('people');
  const record = next.log.record(episode);
  const runs = next.log.projections.episodes({ ...EVERY, filter: { run: 'people' } }).total;
  await next.close();
  removeFolder(folder);

  expect(record.ended?.outcome).toBe('done');
  expect(progress).toMatchObject({ planned: 2, finished: 2 });
  expect(runs).toBe(2);
});

it('stopped in the middle, it goes on: no run is made twice and none is lost', async () => {
  await product.command('bench.start', { plan, concurrency: 2 });
  await untilOver(product, 'night', 2);
  await product.command('run.stop', { run: 'night' });
  const { state, summary, progress } = product.benches.show('night');
  expect({ state, summary }).toEqual({ state: 'stopped', summary: null });
  expect(progress.finished).toBeLessThan(6);

  await product.benches.run(plan, { concurrency: 2 });

  const runs = runsOf('night');
  expect(runs).toHaveLength(6);
  expect(new Set(runs)).toEqual(
    new Set(
      cellsOf(plan).map(({ arm, scenario, task_idx, seed }) =>
        JSON.stringify([arm, scenario, task_idx, seed]),
      ),
    ),
  );
  const shown = product.benches.show('night');
  expect(shown.state).toBe('complete');
  expect(shown.summary).toMatchObject({ is_complete: true, finished: 6, prompts: { is_only_tool: true } });
  expect(shown.summary?.arms[1]).toMatchObject({ label: 'model(scripted)', is_privileged: true });
});

it('what it compares is fixed before it runs: the same name with another plan is refused', () => {
  const other = { ...plan, seeds: [0, 1, 2, 3], primary: { first: 'model', second: 'none' } };

  expect(() => product.benches.run(other, { concurrency: 1 })).toThrow(
    'the bench night was planned with other primary comparison, runs of each task',
  );
});

it('that waits for people says for how many, and not when it will be over', async () => {
  const running = product.benches.run({ ...HUMAN, name: 'waits' }, { concurrency: 2 });
  await expect
    .poll(() => product.benches.show('waits').progress)
    .toMatchObject({
      finished: 1,
      running: 1,
      waiting: 1,
      eta_s: null,
    });
  await product.command('run.stop', { run: 'waits' });
  await running;
  expect(product.benches.show('waits').progress).toMatchObject({ running: 0, waiting: 0 });
});

const CHOICE = {
  name: 'chosen',
  environment: 'builtin',
  section: 'val' as const,
  arms: (['none', 'model'] as const).map((condition) => ({
    arm: condition,
    condition,
    agent: { policy: 'rehearsal' as const, protocol: 'native' as const, profile: null },
  })),
  primary: null,
  seeds: 2,
  first_seed: 0,
  max_tasks: null,
  order_seed: 0,
  is_privileged: true,
  turns: null,
  asks: null,
  hourly_minutes: null,
  deadline_ms: null,
  fallback: 'proceed' as const,
};
const MANIFEST = JSON.stringify({ meta: {}, train: [], val: TASKS });

it('a plan is made from a split and looked at before anything is written, then started and gone on with', async () => {
  const owner = product.as('seat-owner');
  const split = { text: MANIFEST };
  const { plan: made, episodes } = await owner('bench.plan', { choice: CHOICE, split });
  expect(episodes).toBe(4);
  expect(made).toMatchObject({ name: 'chosen', primary: { first: 'none', second: 'model' }, seeds: [0, 1] });
  expect((await owner('bench.list', {})).benches.map(({ name }) => name)).not.toContain('chosen');
  const unnamed = await owner('bench.plan', { choice: { ...CHOICE, name: null }, split });
  expect(unnamed.plan.name).toMatch(/^bench-[0-9a-f]{8}$/);

  const wrong = [
    owner('bench.plan', { choice: { ...CHOICE, section: 'train' }, split }),
    owner('bench.plan', { choice: CHOICE, split: { text: 'tasks' } }),
    owner('bench.plan', { choice: CHOICE, split: { name: 'nowhere' } }),
    owner('bench.plan', { choice: CHOICE, split: { text: '{"val": [["loomline_workflows", 99]]}' } }),
    owner('bench.plan', { choice: CHOICE, split: { text: JSON.stringify({ train: TASKS, val: TASKS }) } }),
    owner('bench.export', { name: 'chosen' }),
  ].map(async (asked) =>
    asked.then(() => 'answered').catch((thrown: unknown) => failureShape(thrown).message),
  );
  expect(await Promise.all(wrong)).toEqual([
    'the split lists no tasks under train',
    'this file is no split manifest',
    'there is no split nowhere in this data folder',
    'loomline_workflows has no task 99',
    'the split leaks: loomline_workflows 0 is in its val list and in its train list',
    'there is no bench chosen in this data folder',
  ]);

  await owner('bench.start', { plan: made, concurrency: 1 });
  await owner('run.stop', { run: 'chosen' });
  const stopped = await owner('bench.show', { name: 'chosen' });
  expect(stopped).toMatchObject({ state: 'stopped', summary: null });
  const early = await owner('bench.export', { name: 'chosen' }).catch(failureShape);
  expect(early).toMatchObject({ message: 'the bench chosen is not over' });
  await owner('bench.start', { name: 'chosen', concurrency: 4 });
  await expect.poll(() => product.benches.show('chosen').state).toBe('complete');

  const { folder, files } = await owner('bench.export', { name: 'chosen' });
  expect(files).toContain('results_summary.json');
  const written = readFileSync(join(folder, 'results_summary.json'), 'utf8');
  expect(JSON.parse(written)).toEqual(product.benches.show('chosen').summary);
});

it('the roster of experts is part of the plan: with another one it does not go on', async () => {
  const owner = product.as('seat-owner');
  const { seat } = (await owner('invites.create', { label: 'Priya' })).invite;
  const experts: Roster = {
    experts: [{ kind: 'person', name: 'Priya', skills: ['domain'], ask_for: 'what the shop wants', seat }],
    routes: DEFAULT_ROUTES,
    seat_first_s: 0,
  };
  await owner('settings.change', { roster: experts });
  const arms = CHOICE.arms.map((arm) =>
    arm.arm === 'model' ? { ...arm, arm: 'human', condition: 'human' as const } : arm,
  );
  // Nobody answers in time.
  const choice = { ...CHOICE, name: 'asked', arms, seeds: 1, deadline_ms: 1 };
  const { plan: made } = await owner('bench.plan', { choice, split: { text: MANIFEST } });
  expect(made.experts).toEqual(experts);

  await owner('settings.change', { roster: { ...experts, seat_first_s: 5 } });
  expect(() => product.benches.run(made, { concurrency: 1 })).toThrow(
    'the roster of experts is not the one that the bench asked was planned with',
  );
  expect(() => product.benches.show('asked')).toThrow('there is no bench asked');
  await owner('settings.change', { roster: experts });
  await product.benches.run(made, { concurrency: 2 });
  const { plan: changed } = await owner('settings.change', { roster: { ...experts, seat_first_s: 5 } }).then(
    () => owner('bench.plan', { choice, split: { text: MANIFEST } }),
  );
  expect(() => product.benches.run(changed, { concurrency: 1 })).toThrow('planned with other experts');
  await owner('settings.change', { roster: { ...experts, experts: [] } });

  const shown = await owner('bench.show', { name: 'asked' });
  expect(shown.summary?.plan.experts).toEqual(experts);
  expect(shown.report).toContain('- Priya (a person, seat ');
  const [asked] = episodesOf('asked').filter((id) => product.log.record(id).started?.condition === 'human');
  expect(product.log.record(asked ?? '').started?.experts).toEqual(experts);
});

it('nothing is drafted by who knows the answer, unless that is asked for', () => {
  const started = episodesOf('secret').length;
  expect(() =>
    product.benches.run({ ...plan, name: 'secret', is_privileged: false }, { concurrency: 1 }),
  ).toThrow(/nobody can draft advice for the arm model/);
  expect(episodesOf('secret')).toHaveLength(started);
});

// The rehearsal asks again after advice that names no call.
const BEFORE = 'list_workflows({"workspace_id": 1})';
const DURING = 'list_workflows({"workspace_id": 2})';

describe('a person who answers in a bench', () => {
  let asking = '';
  beforeAll(async () => {
    // Advice from before the bench, on the same task, and from within it.
    const owner = product.as('seat-owner');
    const before = await owner('episode.start', startInput({ condition: 'human' }));
    await answer(before.episodes[0] ?? '', BEFORE);
    await owner('bench.start', { plan: HUMAN, concurrency: 2 });
    await vi.waitFor(() => expect(episodesOf('people').some(asksIn)).toBe(true), { timeout: 60_000 });
    asking = episodesOf('people').find(asksIn) ?? '';
  });

  const asksIn = (id: string): boolean => product.log.record(id).consultations.length > 0;

  async function answer(episode: string, text: string, minutes = 1): Promise<void> {
    const record = await product.until(episode, ({ consultations }) => consultations.length > 0);
    await product.as('seat-owner')('desk.answer', {
      episode,
      consultation: record.consultations[0]?.id ?? '',
      text,
      draft: null,
      seen_seq: record.seq,
      timing: { first_seen_at: null, active_ms: minutes * 60_000 },
    });
    await product.ended(episode);
  }

  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'answered',
      (thrown: unknown) => failureShape(thrown).message,
    );

  it('is asked nothing more once the minutes of the hour are spent, and the arm says who answered', async () => {
    const owner = product.as('seat-owner');
    const spent = { ...HUMAN, name: 'spent', seeds: [0, 1], hourly_minutes: 90 };
    await owner('bench.start', { plan: spent, concurrency: 1 });
    await vi.waitFor(() => expect(episodesOf('spent').some(asksIn)).toBe(true), { timeout: 60_000 });
    await answer(episodesOf('spent').find(asksIn) ?? '', 'rename_workflow({"id": 2})', 90);
    await expect.poll(() => product.benches.show('spent').state).toBe('complete');

    const arm = product.benches.show('spent').summary?.arms[1];
    expect(arm).toMatchObject({ arm: 'human', episodes: 2, counted: 2 });
    expect(arm?.answered_by.human).toBe(1);
    expect(arm?.answered_by.nobody).toBeGreaterThan(0);
  });

  it('gets no answer key and tries no calls out', async () => {
    const owner = product.as('seat-owner');
    const tried = owner('preview.run', {
      episode: asking,
      turn: 0,
      call: null,
      calls: [{ tool_name: 'list_workflows', arguments: { workspace_id: 1 } }],
      with_verdict: false,
    });

    expect(await refusal(owner('answer_key.show', { episode: asking }))).toContain('belongs to a bench');
    expect(await refusal(tried)).toBe('calls are not tried out in a bench');
    expect(await owner('answer_key.describe', { episode: asking })).toMatchObject({ is_known: false });
  });

  it('is offered only answers from before the bench, and no figure before its end', async () => {
    const owner = product.as('seat-owner');
    const later = await owner('episode.start', startInput({ condition: 'human' }));
    await answer(later.episodes[0] ?? '', DURING);
    const consultation = product.log.record(asking).consultations[0]?.id ?? '';

    const { advice } = await owner('advice.similar', { episode: asking, consultation, limit: 20 });
    const shown = await owner('bench.show', { name: 'people' });

    expect(advice.map(({ text }) => text)).toEqual([BEFORE]);
    expect(shown).toMatchObject({ state: 'running', summary: null, report: null });
  });

  it('counts by seat, with their minutes, once it is over', async () => {
    await answer(asking, 'rename_workflow({"id": 2})');
    await expect.poll(() => product.benches.show('people').state).toBe('complete');

    const { summary } = product.benches.show('people');
    expect(summary?.arms[1]).toMatchObject({
      label: 'human',
      answered_by: { human: 1 },
      figures: { expert_minutes: 1 },
    });
    expect(summary?.seats).toMatchObject([{ seat: 'seat-owner', answers: 1, minutes: 1 }]);
  });
});

describe('an episode that ended otherwise than the agent ended it', () => {
  const cell = { arm: 'none', scenario: 'loomline_workflows', task_idx: 0, seed: 0 };
  const edges = { keepsPrompt: false, loadText: () => '' };
  const soloRecord = () =>
    episodesOf('night')
      .map((id) => product.log.record(id))
      .find(({ started, ended }) => started?.condition === 'none' && ended?.outcome === 'done')!;

  it('is left out where a person stepped into an arm without help', () => {
    const record = soloRecord();
    const touched = { ...record, counts: { ...record.counts, humanActs: 1 } };

    expect(observe(record, cell, edges).exclusion).toBeNull();
    expect(observe(touched, cell, edges).exclusion).toBe('step_in');
  });

  it.each([
    ['model_refused', 'the model stopped its answer: its content filter objected', 'content_filter'],
    ['env_unreachable', 'nobody answers', 'server_error'],
    ['reset_failed', 'could not reset', 'reset_error'],
    ['model_unavailable', 'the model answers 503', 'server_error'],
    // What the agent's model did by itself counts as not completed.
    ['model_refused', 'the model refused', null],
    ['model_empty', 'the model said nothing', null],
  ] as const)('%s (%s): %s', (code, message, exclusion) => {
    const record = soloRecord();
    const failed = { ...record.ended!, outcome: 'error' as const, failure: { code, message, next: null } };

    expect(observe({ ...record, ended: failed }, cell, edges).exclusion).toBe(exclusion);
  });

  it('of which no verifier said a word is left out, and one that was cut off is not over', () => {
    const record = soloRecord();
    const mute = { ...record, verified: null, ended: { ...record.ended!, reward_type: null } };
    const cut = { ...record, ended: { ...record.ended!, outcome: 'interrupted' as const } };

    expect(observe(mute, cell, edges).exclusion).toBe('no_verdict');
    expect(observe(cut, cell, edges).exclusion).toBe('not_finished');
  });
});
