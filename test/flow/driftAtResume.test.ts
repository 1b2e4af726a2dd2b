// An episode whose environment answers otherwise when it is resumed than the log says.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveEnvironment } from '../support/flow.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const call = (id: string, name: string, args: object) => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
});
let product: Product;
let model: OpenAiServer;
let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let owner = 'Ann';
/** It answers no call of `rename_workflow`: the connection is lost. */
let isBroken = true;
beforeEach(async () => {
  owner = 'Ann';
  isBroken = true;
  product = await openProduct();
  model = await startOpenAiServer([
    call('a', 'find_workflow', { id: 1 }),
    call('b', 'find_workflow', { id: 2 }),
    call('c', 'rename_workflow', { id: 2 }),
    { content: 'Renamed.' },
  ]);
  environment = await serveEnvironment({
    find_workflow: ({ id }) => ({
      observation: { reward_type: 'tool_call_ok', tool_result: `workflow ${String(id)} of ${owner}` },
    }),
    rename_workflow: () =>
      isBroken ? 'drop' : { observation: { reward_type: 'tool_call_ok', tool_result: 'renamed' } },
  });
  product.settings.write({ agent: { base_url: model.url, model: 'm' } });
});
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
  environment.close();
  await model.close().catch(() => undefined);
});

/** Two calls are answered, the third loses the connection. */
async function lost(): Promise<string> {
  const seat = product.as('seat-one');
  const { id } = await seat('environments.add', { name: 'Mine', url: environment.url });
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const input = startInput({ environment: id, scenario: 's_1', agent, condition: 'none' });
  const { episodes } = await seat('episode.start', input);
  const record = await product.ended(episodes[0] ?? '');
  expect(record.ended?.failure?.code).toBe('env_closed');
  isBroken = false;
  environment.calls.length = 0;
  return record.id;
}

it('is not resumed: no call is made after the first that differs, and both answers are recorded', async () => {
  const id = await lost();
  owner = 'Bob';

  const { episode } = await product.as('seat-one')('episode.resume', { episode: id });
  const record = await product.ended(episode);

  expect(environment.calls).toEqual([{ tool: 'find_workflow', args: { id: 1 } }]);
  expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'replay_drifted' } });
  expect(record.ended?.failure?.message).toContain('Mine answered turn 1 (find_workflow) otherwise');
  expect(record.forked).toMatchObject({
    why: 'resume',
    replayed: 1,
    drift: [{ turn: 1, logged: 'workflow 1 of Ann', again: 'workflow 1 of Bob' }],
  });
  expect(model.requests).toHaveLength(3);
});

it('goes on where a person says so knowingly, from the one that stopped, with all that differs recorded', async () => {
  const id = await lost();
  owner = 'Bob';
  const seat = product.as('seat-one');
  const stopped = await seat('episode.resume', { episode: id });
  await product.ended(stopped.episode);

  const { episode } = await seat('episode.resume', { episode: stopped.episode, accepts_drift: true });
  const record = await product.ended(episode);

  expect(record.ended?.outcome).toBe('done');
  expect(record.forked?.drift.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(record.forked).toMatchObject({ from: stopped.episode, replayed: 2 });
});

it('is resumed as ever once the environment answers as the log says', async () => {
  const id = await lost();
  owner = 'Bob';
  const seat = product.as('seat-one');
  const stopped = await seat('episode.resume', { episode: id });
  await product.ended(stopped.episode);
  owner = 'Ann';

  const { episode } = await seat('episode.resume', { episode: stopped.episode });
  const record = await product.ended(episode);

  expect(record.ended?.outcome).toBe('done');
  expect(record.forked?.drift).toEqual([]);
});
