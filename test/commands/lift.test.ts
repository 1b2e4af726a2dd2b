// What answers were worth, end to end: a model with a planted need of advice asks, a person answers, and it is gone on
// from there with the answer and without.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textHead } from '../../src/shared/events/text.ts';
import { drawPoints } from '../../src/main/commands/lifts.ts';
import { veilFor } from '../../src/main/commands/veil.ts';
import { failureShape } from '../../src/shared/failure.ts';
import { cellsOfLift, liftCellKey, type LiftPlan, type LiftRequest } from '../../src/shared/lift/plan.ts';
import type { Recorded } from '../../src/shared/events/vocabulary.ts';
import { ASKS_AGAIN } from '../support/plantedWorld.ts';
import { makeRows } from '../support/exporting.ts';
import { ADVICE, liftRequest, openPlantedLift } from '../support/plantedLift.ts';
import { untilOver } from '../support/product.ts';

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
});
afterAll(() => planted.close());

/** Measures it to its end, or until so many continuations are over. */
async function measure(name: string, over: Partial<LiftRequest> = {}, until = Infinity): Promise<LiftPlan> {
  const { product } = planted;
  const asked = { name, request: liftRequest(over), concurrency: 4 };
  const { plan: fixed } = await product.command('lift.start', asked);
  await untilOver(product, name, until);
  if (until < Infinity) await product.command('run.stop', { run: name });
  return fixed;
}

const shown = (name: string) => planted.product.command('lift.show', { name });

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
    plan = await measure('worth', { k: 5 }, 9);
    const { progress, summary } = await shown('worth');
    expect(progress.finished).toBeLessThan(progress.planned);
    // Who looks early finds nothing, in the log as little as in the report.
    expect(summary).toBeNull();
    expect(asked.flatMap((id) => streamOf(`lift/${id}`))).toEqual([]);
    await measure('worth', { k: 5 });
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
    await measure('worth', { k: 5 });
    expect(idsOf('worth')).toHaveLength(before);
  });

  it('finds the lift that was planted, within what its interval says', async () => {
    const { summary } = await shown('worth');
    const { estimate, low, high, interventions, is_shown: isShown } = summary!.overall;

    expect(interventions).toBe(TASKS);
    const truth = CHANCES.aided - CHANCES.alone;
    expect(low).toBeLessThan(truth);
    expect(high).toBeGreaterThan(truth);
    expect(Math.abs((estimate ?? 0) - truth)).toBeLessThan(0.2);
    expect(isShown).toBe(true);
  });

  it('says what a recount of the raw events says', async () => {
    const { summary } = await shown('worth');
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
    const { summary } = await shown('worth');

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
    const { log } = planted.product;
    const { rows, dropped } = await makeRows(log, 'atif', { verdict: 'any' });
    const { interventions } = (await shown('worth')).summary!;

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
      drawPoints(planted.product.log, liftRequest({ seed, points: 4 })).points.map(({ episode }) => episode);
    expect(draw(5)).toEqual(draw(5));
    expect(new Set(draw(5)).size).toBe(4);
    expect([6, 7, 8].map(draw)).not.toEqual([draw(5), draw(5), draw(5)]);
  });

  it('leaves out continuations, and counts by cause what cannot be measured', async () => {
    const { product } = planted;
    const last = drawPoints(product.log, liftRequest({ run: null, last: 100 }));
    expect(last.points.map(({ episode }) => episode).toSorted()).toEqual(asked.toSorted());

    const [continuation = ''] = idsOf('worth');
    const refused = () => drawPoints(product.log, liftRequest({ run: null, episodes: [continuation] }));
    expect(refused).toThrow('there is no answered question to go on from (other_episode 1)');
  });

  it('is fixed before it runs: the same name with other flags is refused', async () => {
    await expect(measure('worth', { k: 6 })).rejects.toThrow('the lift worth was planned with other k');
  });
});

it('what is asked after the answer goes unanswered in both arms, and nobody is waited for', async () => {
  const { product } = planted;
  await planted.ask(ASKS_AGAIN, 'later');
  // Both its questions got advice: the first one is gone on from.
  const first = (seed: number): boolean =>
    drawPoints(product.log, liftRequest({ run: 'later', points: 1, seed })).points[0]?.turn === 2;
  const seed = [1, 2, 3, 4, 5, 6, 7, 8, 9].find(first) ?? 0;
  const lift = await measure('after', { run: 'later', k: 1, points: 1, seed });

  expect(lift).toMatchObject({ eligible: 2, points: [{}] });
  const later = idsOf('after').map((id) => product.log.record(id).consultations[1]);
  expect(later.map((one) => one?.delivered?.as)).toEqual(['nobody', 'nobody']);
  expect(later.map((one) => one?.drafts)).toEqual([[], []]);
  const { missed } = await product.as('seat-owner')('desk.missed', {
    lost_since: 0,
    within_ms: 86_400_000,
    limit: 200,
  });
  expect(missed).toEqual([]);
});

it('leaves a continuation out, by cause, where the environment does not replay', async () => {
  const { world } = planted;
  world.drift(true);
  try {
    await measure('drifting', { k: 1, points: 1 });
    const { summary } = await shown('drifting');

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

it('needs a model where a model is to go on', async () => {
  const noModel = measure('model-less', { agent: { policy: 'chat', model: null, profile: 'nobody' } });

  const { code } = failureShape(await noModel.catch((thrown: unknown) => thrown));
  expect(['model_not_configured', 'not_found']).toContain(code);
});
