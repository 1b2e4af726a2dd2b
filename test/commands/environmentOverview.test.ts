// What the console shows of an environment: its own lists, and the log counted in another way.
import { expect, it } from 'vitest';
import { isToolError, normalizeScenario } from '../../src/shared/wire.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

const overviewOf = (id: string) => product.as('seat-one')('environments.overview', { id });

it('counts tools as the events do, and completed alone only where nobody could help', async () => {
  const call = product.as('seat-one');
  const alone = await call('episode.start', startInput({ repeats: 2, condition: 'none' }));
  const helped = await call('episode.start', startInput({ condition: 'model' }));
  const ids = [...alone.episodes, ...helped.episodes];
  for (const id of ids) await product.ended(id);

  const { scenarios, tools, episodes } = await overviewOf('builtin');

  const events = ids.flatMap((id) => product.log.read(id).map(({ event }) => event));
  const sent = new Map(events.flatMap((one) => (one.kind === 'call.sent' ? [[one.call, one] as const] : [])));
  const failed = events.filter(
    (one) => one.kind === 'call.returned' && isToolError(one.error, one.reward_type),
  );
  const total = (of: (tool: (typeof tools)[number]) => number): number =>
    tools.reduce((sum, tool) => sum + of(tool), 0);
  expect(total(({ calls }) => calls)).toBe(events.filter(({ kind }) => kind === 'call.sent').length);
  expect(total((tool) => tool.failed)).toBe(failed.length);
  expect(new Set(tools.map(({ name }) => name))).toEqual(
    new Set([...sent.values()].map(({ tool_name: tool }) => tool)),
  );
  expect(episodes).toEqual({ read: 3, total: 3 });

  const { scenario } = product.log.record(ids[0] ?? '').started ?? {};
  const [first] = scenarios;
  expect(first?.name).toBe(normalizeScenario(scenario ?? ''));
  const complete = alone.episodes.filter((id) => product.log.record(id).ended?.reward_type === 'complete');
  expect(first).toMatchObject({ solo_runs: 2, solo_completed: complete.length });
  const { tasks } = await call('tasks.list', { environment: 'builtin', scenario: scenario ?? '' });
  const easy = tasks.filter(({ difficulty }) => difficulty === 'easy').length;
  expect(first).toMatchObject({ tasks: tasks.length, difficulty: { easy } });
});

it('of an environment that is down shows why it lists nothing, and what the log has of it', async () => {
  const { id } = await product.as('seat-one')('environments.add', {
    name: 'Shop',
    url: 'http://127.0.0.1:9',
  });

  expect(await overviewOf(id)).toMatchObject({
    scenarios: [],
    tools: [],
    episodes: { read: 0, total: 0 },
    failure: { code: 'env_unreachable' },
  });
});
