// Episodes in the built-in world of actions, through the whole product: listed, played, with the rehearsal and a chat agent.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProduct, type Product, removeFolder, startInput } from '../support/product.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import type { Address } from '../../src/main/openenv/address.ts';
import { createFlow, spec } from '../support/flow.ts';
import { native, replies } from '../support/stepIn.ts';
import { serveWorlds } from '../support/worlds.ts';

const SCENARIO = 'dockside_thrusters';
let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product.close();
  removeFolder(product.folder);
});

const play = async (task_idx: number, seed = 0) => {
  const input = startInput({ scenario: SCENARIO, task_idx, seed, condition: 'model' });
  const { episodes } = await product.as('a')('episode.start', input);
  return product.ended(episodes[0] ?? '');
};

it('is listed with its description and tasks beside the worlds of tools', async () => {
  const { scenarios } = await product.as('a')('scenarios.list', { environment: 'builtin', is_fresh: false });
  const { tasks } = await product.as('a')('tasks.list', { environment: 'builtin', scenario: SCENARIO });

  expect(scenarios.map(({ name }) => name)).toEqual([
    'loomline_workflows',
    'maplecart_shop',
    'deskwren_helpdesk',
    'tallybrook_ledger',
    SCENARIO,
  ]);
  expect(scenarios.at(-1)?.description).toContain('thrusters');
  expect(tasks.map(({ is_ambiguous: isAmbiguous }) => isAmbiguous)).toEqual([false, false, true]);
});

it('lets the rehearsal err, ask and dock by the advice, with the sum of its rewards', async () => {
  const record = await play(1, 5);

  expect(record.reset?.task).toEqual(expect.anything());
  expect(record.ended).toMatchObject({ outcome: 'done', reason: 'the environment ended the episode' });
  expect(record.ended?.reward).toBeGreaterThan(0.9);
  const rewards = record.turns.flatMap(({ call }) => call?.returned?.reward ?? []);
  expect(rewards.length).toBe(11);
});

it('rewards the draft that leaves the sinking alone with nothing', async () => {
  const record = await play(2);

  expect(record.ended).toMatchObject({ outcome: 'done', reward: 0 });
});

it('gives the same episode for the same seed', async () => {
  const rewards = async () => (await play(0, 9)).turns.flatMap(({ call }) => call?.returned?.reward ?? []);

  expect(await rewards()).toEqual(await rewards());
});

it('is played by a chat agent through one tool, to the end that the world declares', async () => {
  const served = await serveWorlds();
  const commands = [
    { thruster: 1, mode: 'coarse' },
    ...[0, 0, 0, 0, 0, 2, 2, 0, 0].map((thruster) => ({ thruster, mode: 'fine' })),
  ];
  const policy = replies(...commands.map((command) => native('thruster_action', command)));
  const flow = createFlow({
    policy,
    briefing: null,
    described: (address: Address) => describeServer(address),
  });
  const one = spec(`${served.url}/worlds/${SCENARIO}`, { scenario: null, task_idx: null, condition: 'none' });
  const record = await flow.supervisor.start(one).ended;
  await served.close();

  expect(record.ended).toMatchObject({ outcome: 'done', reason: 'the environment ended the episode' });
  expect(record.ended?.reward).toBeGreaterThan(0.9);
});
