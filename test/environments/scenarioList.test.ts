import { afterEach, beforeEach, expect, it } from 'vitest';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { generatedScenarios } from '../support/scenarioList.ts';
import { scenarioServer } from '../support/scenarioServer.ts';

const LIST = generatedScenarios(3, 2);
let server: Awaited<ReturnType<typeof scenarioServer>>;
beforeEach(async () => {
  server = await scenarioServer(LIST);
});
afterEach(() => server.close());

const environment = () =>
  openEnvServer(serverSpec('env-1', 'Mine', server.url), {
    workingAddress: (address) => address,
    ...askServers(),
    seed: async () => null,
    taskSecrets: async () => ({ secrets: null, missing: { message: '', next: null } }),
  });

it('shows what the server lists now, also to a run that starts afterwards, when a person asks anew', async () => {
  const mine = environment();
  expect(await mine.scenarios()).toEqual(LIST);
  server.list([{ name: 'other', description: '', tasks: ['Do it.'] }]);

  expect(await mine.scenarios()).toEqual(LIST);
  expect((await mine.scenarios(true)).map(({ name }) => name)).toEqual(['other']);
  expect((await mine.scenarios()).map(({ name }) => name)).toEqual(['other']);
  expect(await mine.tasks('Other')).toMatchObject([{ task_idx: 0, task: 'Do it.' }]);
});

it('keeps the list it has while a server of one session plays an episode', async () => {
  const mine = environment();
  await mine.scenarios();
  server.fill(true);

  expect(await mine.scenarios(true)).toEqual(LIST);
});

it('says that a full server cannot list anything where nothing is known of it', async () => {
  server.fill(true);

  await expect(environment().scenarios(true)).rejects.toMatchObject({ code: 'env_capacity' });
});

it('shows no list of a server that is gone', async () => {
  const mine = environment();
  await mine.scenarios();
  await server.close();

  await expect(mine.scenarios(true)).rejects.toMatchObject({ code: 'env_unreachable' });
});
