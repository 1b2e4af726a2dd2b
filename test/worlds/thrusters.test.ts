import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/main/worlds/thrusters/flight.ts';
import {
  breakdownOf,
  fly,
  REWARD_COLUMNS,
  scoreOf,
  TICKS_MAX,
} from '../../src/main/worlds/thrusters/flight.ts';
import { flightBriefing, NAME, openFlight, TASKS } from '../../src/main/worlds/thrusters/tasks.ts';
import { readActionSpace } from '../../src/main/openenv/actionSpace.ts';
import { type Served, serveWorlds, type Talk } from '../support/worlds.ts';

let served: Served;
beforeAll(async () => {
  served = await serveWorlds();
});
afterAll(() => served.close());

const start = (task_idx: number, seed = 0) => {
  const flight = openFlight(task_idx, seed);
  if (flight === null) throw new Error(`no task ${String(task_idx)}`);
  return flight;
};
const flown = (task_idx: number, commands: readonly Command[], seed = 0) =>
  commands.reduce(fly, start(task_idx, seed));
const plan = (task_idx: number, which: 'reference' | 'draft' = 'reference'): Command[] =>
  (flightBriefing(task_idx)?.[which] ?? []).map(({ args }) => args as Command);
const times = (count: number, command: Command): Command[] => Array.from({ length: count }, () => command);

describe.each(TASKS.map((_, at) => at))('approach %i', (task_idx) => {
  it('docks by its reference plan whatever the seed, and is worth more than any cheap way', () => {
    const scores = Array.from({ length: 60 }, (_, seed) => flown(task_idx, plan(task_idx), seed)).map(
      (flight) => ({
        outcome: flight.outcome,
        isHigh: scoreOf(flight) > 0.9,
      }),
    );

    expect(scores).toEqual(scores.map(() => ({ outcome: 'docked', isHigh: true })));
  });

  it('is done within the turns an agent has after trying and asking', () => {
    expect(plan(task_idx).length).toBeLessThanOrEqual(12);
  });

  it.each([
    ['to do nothing', times(TICKS_MAX, { thruster: 0, mode: 'fine' }), 0.3],
    ['to ram the dock', times(TICKS_MAX, { thruster: 1, mode: 'coarse' }), 0],
    ['to turn in place for the sake of good commands', times(TICKS_MAX, { thruster: 7, mode: 'fine' }), 0.2],
    ['to fly away', times(TICKS_MAX, { thruster: 2, mode: 'coarse' }), 0],
  ] as const)('gains nothing worth having for the one whose way is %s', (_way, commands, most) => {
    let flight = start(task_idx);
    for (const command of commands) if (flight.outcome === null) flight = fly(flight, command);

    expect(flight.outcome).not.toBe('docked');
    expect(scoreOf(flight)).toBeLessThanOrEqual(most);
  });
});

it('collides by the draft that leaves the sinking alone', () => {
  expect(flown(2, plan(2, 'draft')).outcome).toBe('collided');
  expect(flightBriefing(2)?.draft_note).toContain('collides');
});

it('keeps every part of the reward between 0 and 1 on arbitrary flights', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    let flight = start(seed % 3, seed);
    for (let tick = 0; flight.outcome === null; tick += 1) {
      flight = fly(flight, {
        thruster: (seed * 7 + tick * (seed + 3)) % 13,
        mode: tick % seed === 0 ? 'coarse' : 'fine',
      });
      for (const name of REWARD_COLUMNS) {
        const part = breakdownOf(flight)[name];
        expect(part >= 0 && part <= 1).toBe(true);
      }
    }
  }
});

/** What a frame of this world holds. */
const frame = ({ data }: Awaited<ReturnType<Talk['say']>>) => ({
  observation: data.observation,
  reward: data.reward,
  done: data.done,
});
const socket = () => served.talk(`/worlds/${NAME}/ws`);

describe('the world of thrusters, over the wire', () => {
  it('gives equal first observations for equal seeds, others for others, and the same rewards again', async () => {
    const client = await socket();
    const first = frame(await client.reset({ seed: 3, task_idx: 1 }));
    const step = frame(await client.say({ type: 'step', data: { thruster: 3 } }));
    const again = frame(await client.reset({ seed: 3, task_idx: 1 }));
    const stepAgain = frame(await client.say({ type: 'step', data: { thruster: 3 } }));
    const other = frame(await client.reset({ seed: 4, task_idx: 1 }));

    expect([again, stepAgain]).toEqual([first, step]);
    expect(other).not.toEqual(first);
    expect(first).toMatchObject({ reward: null, done: false });
  });

  it('says what each part of the reward is worth after every step, and its rewards add up to the score', async () => {
    const client = await socket();
    await client.reset({ task_idx: 0 });
    const steps = [];
    for (const command of plan(0)) steps.push(frame(await client.say({ type: 'step', data: command })));

    for (const { observation, reward } of steps) {
      expect(observation['reward_columns']).toEqual([...REWARD_COLUMNS]);
      expect(Object.keys(observation['reward_breakdown'] as object)).toEqual([...REWARD_COLUMNS]);
      expect(Number.isFinite(reward)).toBe(true);
    }
    const sum = steps.reduce((total, { reward }) => total + Number(reward), 0);
    expect(sum).toBeCloseTo(scoreOf(flown(0, plan(0))), 10);
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, at) => at === steps.length - 1));
    expect(steps.at(-1)?.observation['message']).toBe('Docked.');
  });

  it.each([
    [{ thruster: 13 }, 'less_than_equal', ['thruster']],
    [{ thruster: -1 }, 'greater_than_equal', ['thruster']],
    [{ thruster: 1.5 }, 'int_type', ['thruster']],
    [{}, 'missing', ['thruster']],
    [{ thruster: 1, mode: 'fast' }, 'literal_error', ['mode']],
    [{ thruster: 1, power: 2 }, 'extra_forbidden', ['power']],
  ])('refuses %j by %s and flies on', async (action, type, loc) => {
    const client = await socket();
    await client.reset({});
    const { data } = await client.say({ type: 'step', data: action });

    expect(data.code).toBe('VALIDATION_ERROR');
    expect(data.errors).toEqual([expect.objectContaining({ type, loc })]);
    expect(await client.steps()).toBe(0);
    expect(frame(await client.say({ type: 'step', data: { thruster: 0 } })).observation['tick']).toBe(1);
  });

  it('says that nothing flies before a reset, and that there are no tools', async () => {
    const client = await socket();
    const early = await client.say({ type: 'step', data: { thruster: 1 } });
    const tools = await client.say({ type: 'mcp', data: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });

    expect(early.data).toMatchObject({ code: 'EXECUTION_ERROR', message: 'Nothing flies yet: reset first' });
    expect(tools.data).toMatchObject({ error: { message: 'Environment does not support MCP' } });
  });

  it('answers over HTTP what OpenEnv’s server answers, each request in a flight of its own', async () => {
    const at = (path: string, body?: object) =>
      fetch(
        `${served.url}/worlds/${NAME}${path}`,
        body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
      );
    const json = async (path: string, body?: object): Promise<Record<string, unknown>> =>
      (await (await at(path, body)).json()) as Record<string, unknown>;

    expect(await json('/health')).toEqual({ status: 'healthy' });
    expect(await json('/metadata')).toMatchObject({ name: NAME });
    expect(await json('/reset', { seed: 1 })).toMatchObject({ reward: null, done: false });
    expect(await json('/step', { action: { thruster: 1 } })).toMatchObject({
      done: false,
      observation: { tick: 1 },
    });
    const refused = await at('/step', { action: { thruster: 99 } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ detail: [{ loc: ['body', 'action', 'thruster'] }] });
    const space = readActionSpace((await json('/schema'))['action']);
    expect(space?.types.map(({ tool }) => tool.name)).toEqual(['thruster_action']);
    expect((await at('/nothing')).status).toBe(404);
  });
});
