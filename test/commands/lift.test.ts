// What answers were worth, end to end: a model with a planted need of advice asks, a person answers, and it is gone on
// from there with the answer and without.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textHead } from '../../src/shared/events/text.ts';
import { veilFor } from '../../src/main/commands/veil.ts';
import { failureShape } from '../../src/shared/failure.ts';
import { cellsOfLift, liftCellKey, type LiftPlan } from '../../src/shared/lift/plan.ts';
import type { Recorded } from '../../src/shared/events/vocabulary.ts';
import { ASKS_AGAIN } from '../support/plantedWorld.ts';
import { makeRows } from '../support/exporting.ts';
import { ADVICE, liftRequest, openPlantedLift } from '../support/plantedLift.ts';

const CHANCES = { aided: 0.85, alone: 0.25 };
const NEVER = { aided: 0, alone: 0 };
const TASKS = 8;

let planted: Awaited<ReturnType<typeof openPlantedLift>>;
let plan: LiftPlan;
let asked: string[];
beforeAll(async () => {
  planted = await openPlantedLift((task) => (task.includes('again') ? NEVER : CHANCES));
  asked = [];
  for (let task = 0; task < TASKS; task += 1) asked.push(await planted.ask(task));
  plan = planted.product.lifts.plan('worth', liftRequest({ k: 5 }));
});
afterAll(() => planted.close());

const idsOf = (run: string): string[] =>
  planted.product.log.projections
    .episodes({ query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 200 })
    .rows.map(({ id }) => id);
const streamOf = (id: string): Recorded[] => planted.product.log.read(id);
const kindsOf = (id: string): string[] => streamOf(id).map(({ event }) => event.kind);
/** What the agent read in answer to its first question. */
const answerIn = (id: string): string => {
  const { messages } = planted.product.log.record(id);
  return (
    messages.flatMap(({ role, content, turn }) =>
      role === 'tool' && turn === 2 ? [textHead(content)] : [],
    )[0] ?? ''
  );
};

describe('stopped in the middle', () => {
  beforeAll(async () => {
    const { lifts } = planted.product;
    let count = 0;
    const first = lifts.run(plan, {
      concurrency: 4,
      onEnded: () => {
        count += 1;
        if (count === 9) first.stop();
      },
    });
    await first.ended;
    const { progress, summary } = lifts.show('worth');
    expect(progress.finished).toBeLessThan(progress.planned);
    // Who looks early finds nothing, in the log as little as in the report.
    expect(summary).toBeNull();
    expect(asked.flatMap((id) => streamOf(`lift/${id}`))).toEqual([]);
    await lifts.run(plan, { concurrency: 4 }).ended;
  });

  it('goes on: no continuation is made twice, and none is lost', async () => {
    const done = idsOf('worth').flatMap((id) => {
      const { started, ended } = planted.product.log.record(id);
      const { consultation = '', arm = 'with', number = 0 } = started?.lift ?? {};
      return ended?.outcome === 'done' ? [liftCellKey(consultation, arm, number)] : [];
    });
    const cells = cellsOfLift(plan).map(({ point, arm, number }) =>
      liftCellKey(point.consultation, arm, number),
    );
    expect(done.toSorted()).toEqual(cells.toSorted());

    const before = idsOf('worth').length;
    await planted.product.lifts.run(plan, { concurrency: 4 }).ended;
    expect(idsOf('worth')).toHaveLength(before);
  });

  it('finds the lift that was planted, within what its interval says', () => {
    const { summary } = planted.product.lifts.show('worth');
    const { estimate, low, high, interventions, is_shown: isShown } = summary!.overall;

    expect(interventions).toBe(TASKS);
    const truth = CHANCES.aided - CHANCES.alone;
    expect(low).toBeLessThan(truth);
    expect(high).toBeGreaterThan(truth);
    expect(Math.abs((estimate ?? 0) - truth)).toBeLessThan(0.2);
    expect(isShown).toBe(true);
  });

  it('says what a recount of the raw events says', () => {
    const { summary } = planted.product.lifts.show('worth');
    const counts = new Map<string, [number, number]>();
    for (const id of idsOf('worth')) {
      const events = streamOf(id).map(({ event }) => event);
      const [started, ended] = [events[0], events.at(-1)];
      if (started?.kind !== 'episode.started' || ended?.kind !== 'episode.ended') throw new Error(id);
      if (ended.outcome !== 'done') continue;
      const key = `${started.lift?.consultation ?? ''} ${started.lift?.arm ?? ''}`;
      const [all, complete] = counts.get(key) ?? [0, 0];
      counts.set(key, [all + 1, complete + Number(ended.reward_type === 'complete')]);
    }
    for (const one of summary!.interventions) {
      expect(counts.get(`${one.consultation} with`)).toEqual([one.with.counted, one.with.complete]);
      expect(counts.get(`${one.consultation} without`)).toEqual([one.without.counted, one.without.complete]);
    }
  });

  it('writes what each answer was worth beside its episode, once, and the owner alone reads it', () => {
    const noted = asked.map((id) => streamOf(`lift/${id}`).map(({ event }) => event));
    expect(noted.map((events) => events.map(({ kind }) => kind))).toEqual(asked.map(() => ['lift.measured']));
  });
});

describe('in the library', () => {
  const page = { query: '', status: null, condition: null, offset: 0, limit: 200 } as const;
  const order = { by: 'lift', is_ascending: false } as const;

  it('each episode has its lift, and the list is ordered by it with the rest at the end', async () => {
    const owner = planted.product.as('seat-owner');
    const { rows } = await owner('episodes.page', { ...page, order });
    const { summary } = planted.product.lifts.show('worth');

    const estimates = rows.map(({ lift }) => lift?.estimate ?? null);
    const measured = estimates.filter((one) => one !== null);
    expect(measured).toEqual(
      summary!.interventions.map(({ estimate }) => estimate).toSorted((a, b) => b! - a!),
    );
    expect(estimates.slice(TASKS).every((one) => one === null)).toBe(true);
    // Upwards what was not measured comes last as well.
    const upwards = await owner('episodes.page', { ...page, order: { ...order, is_ascending: true } });
    expect(upwards.rows.slice(0, TASKS).map(({ lift }) => lift?.estimate)).toEqual(measured.toReversed());
  });

  it('continuations stand under their origin: the list shows them where they are asked for', async () => {
    const owner = planted.product.as('seat-owner');
    const armsIn = async (over: object): Promise<number> => {
      const { rows } = await owner('episodes.page', { ...page, ...over });
      return rows.filter(({ lift_arm: arm }) => arm !== undefined).length;
    };
    const [origin = ''] = asked;

    expect((await owner('episodes.page', page)).total).toBe(TASKS);
    expect(await armsIn({})).toBe(0);
    expect(await armsIn({ query: origin })).toBeGreaterThanOrEqual(10);
    expect(await armsIn({ filter: { run: 'worth' } })).toBe(idsOf('worth').length);
  });

  it('its detail is told to the owner, and neither is told to an expert', async () => {
    const { product } = planted;
    const [episode = ''] = asked;
    const { lifts } = await product.as('seat-owner')('lift.read', { episode });
    expect(lifts).toMatchObject([{ lift: 'worth', agent: 'planted', measured: { kind: 'causal' } }]);

    const expert = { seat: 'seat-guest', invite: 'invite-1' };
    const { rows } = await product.as('seat-owner')('episodes.page', { ...page, order });
    expect(rows.some((row) => 'lift' in row)).toBe(true);
    expect(
      veilFor(product.log, expert)
        .rows(rows)
        .some((row) => 'lift' in row),
    ).toBe(false);
    await expect(product.route('lift.read', { episode }, expert)).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});

describe('in an export', () => {
  it('an intervention says what it was worth, and a continuation is no row', async () => {
    const { log, lifts } = planted.product;
    const { rows, dropped } = await makeRows(log, 'atif', { verdict: 'any' });
    const { interventions } = lifts.show('worth').summary!;

    expect(dropped['continuation']).toBe(idsOf('worth').length);
    expect(rows).toHaveLength(TASKS);
    const told = rows.flatMap((row) => {
      const { interventions: own } = (row as { extra: { interventions: Record<string, unknown>[] } }).extra;
      return own.map(({ lift }) => lift);
    });
    const found = interventions.map(({ estimate, low, high }) => {
      return { estimate, low, high, k_with: 5, k_without: 5, kind: 'causal' };
    });
    expect(told).toEqual(expect.arrayContaining(found));
    const { rows: trained } = await makeRows(log, 'sft', { verdict: 'any' });
    const continuations = new Set(idsOf('worth'));
    expect(trained.some((row) => continuations.has(String(row['episode'])))).toBe(false);
  });
});

describe('a continuation', () => {
  const oneOf = (arm: 'with' | 'without'): string =>
    idsOf('worth').find((id) => planted.product.log.record(id).started?.lift?.arm === arm) ?? '';

  it('begins with what its episode had said and read, word for word, up to the answer', () => {
    for (const arm of ['with', 'without'] as const) {
      const record = planted.product.log.record(oneOf(arm));
      const source = planted.product.log.record(record.started?.lift?.episode ?? '');
      const upTo = record.messages.findIndex(({ role, turn }) => role === 'tool' && turn === 2);
      const texts = (messages: typeof record.messages) =>
        messages.slice(0, upTo).map(({ content }) => content);
      expect(texts(record.messages)).toEqual(texts(source.messages));
      expect(record.forked).toMatchObject({ from: source.id, replayed: 1, drift: [] });
    }
    expect(answerIn(oneOf('with'))).toBe(ADVICE);
    expect(answerIn(oneOf('without'))).toMatch(/^No advice: no expert is there to answer\./);
  });

  it('is budgeted and offered the same in both arms, and drawn with seeds of their own', () => {
    const records = idsOf('worth').map((id) => planted.product.log.record(id));
    const started = records.flatMap((one) => (one.ended?.outcome === 'done' ? [one.started!] : []));
    expect(new Set(started.map(({ seed }) => seed)).size).toBe(started.length);
    const conditions = started.map(({ limits, condition, agent, environment }) =>
      JSON.stringify({ limits, condition, agent, environment }),
    );
    expect(new Set(conditions).size).toBe(1);
  });

  it('is nobody’s work: no minutes, no past advice', () => {
    const { product } = planted;
    const records = idsOf('worth').map((id) => product.log.record(id));
    expect(records.map(({ counts }) => counts.humanActs)).toEqual(records.map(() => 0));
    expect(product.log.projections.activeMinutes(0)).toBe(TASKS);
    const past = product.log.projections.similar(['finish'], 200);
    expect(past.length).toBeGreaterThan(0);
    expect(asked).toEqual(expect.arrayContaining(past.map(({ episode }) => episode)));
  });
});

describe('what is drawn', () => {
  it('is the same for the same seed, at most one per episode, and another for another seed', () => {
    const draw = (seed: number): string[] =>
      planted.product.lifts
        .plan(`draw-${String(seed)}`, liftRequest({ seed, points: 4 }))
        .points.map(({ episode }) => episode);
    expect(draw(5)).toEqual(draw(5));
    expect(new Set(draw(5)).size).toBe(4);
    expect([6, 7, 8].map(draw)).not.toEqual([draw(5), draw(5), draw(5)]);
  });

  it('leaves out continuations, and counts by cause what cannot be measured', async () => {
    const { product } = planted;
    const last = product.lifts.plan('newest', liftRequest({ run: null, last: 100 }));
    expect(last.points.map(({ episode }) => episode).toSorted()).toEqual(asked.toSorted());

    const [continuation = ''] = idsOf('worth');
    const refused = () => product.lifts.plan('none', liftRequest({ run: null, episodes: [continuation] }));
    expect(refused).toThrow('there is no answered question to go on from (other_episode 1)');
  });

  it('is fixed before it runs: the same name with other flags is refused', () => {
    const other = () => planted.product.lifts.plan('worth', liftRequest({ k: 6 }));
    expect(other).toThrow('the lift worth was planned with other k');
  });
});

it('what is asked after the answer goes unanswered in both arms, and nobody is waited for', async () => {
  const { product } = planted;
  await planted.ask(ASKS_AGAIN, 'later');
  const lift = product.lifts.plan('after', liftRequest({ run: 'later', k: 1, points: 1, seed: 3 }));
  // Both its questions got advice: the first one is gone on from.
  const points = lift.points.map((point) => ({ ...point, turn: 2, consultation: `${point.episode}:c1` }));
  await product.lifts.run({ ...lift, points }, { concurrency: 2 }).ended;

  expect(lift).toMatchObject({ eligible: 2, points: [{}] });
  const later = idsOf('after').map((id) => product.log.record(id).consultations[1]);
  expect(later.map((one) => one?.delivered?.as)).toEqual(['nobody', 'nobody']);
  expect(later.map((one) => one?.drafts)).toEqual([[], []]);
  const { missed } = await product.as('seat-owner')('desk.missed', { within_ms: 86_400_000, limit: 200 });
  expect(missed).toEqual([]);
});

it('leaves a continuation out, by cause, where the environment does not replay', async () => {
  const { product, world } = planted;
  world.drift(true);
  try {
    const drifting = product.lifts.plan('drifting', liftRequest({ k: 1, points: 1 }));
    await product.lifts.run(drifting, { concurrency: 1 }).ended;
    const { summary } = product.lifts.show('drifting');

    expect(summary?.excluded).toEqual({ with: { drifted: 1 }, without: { drifted: 1 } });
    expect(summary?.interventions[0]).toMatchObject({ kind: 'descriptive', estimate: null });
    // It was not gone on from a state that is not the same.
    const turns = idsOf('drifting').map(
      (id) => kindsOf(id).filter((kind) => kind === 'turn.generated').length,
    );
    expect(turns).toEqual([2, 2]);
  } finally {
    world.drift(false);
  }
});

it('needs a model where a model is to go on', () => {
  const noModel = liftRequest({ agent: { policy: 'chat', model: null, profile: 'nobody' } });
  const lift = planted.product.lifts.plan('model-less', noModel);
  let code = '';
  try {
    planted.product.lifts.run(lift, { concurrency: 1 });
  } catch (thrown) {
    ({ code } = failureShape(thrown));
  }
  expect(['model_not_configured', 'not_found']).toContain(code);
});
