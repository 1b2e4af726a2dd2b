// What the episodes of a run may take together, where the program is killed. The second road to the same result is the
// run that nobody kills: it takes as much, and ends at the same limit.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunBudgets } from '../../src/main/episode/budget.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { spendingOf } from '../../src/shared/episode/spending.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { openLog, started } from '../support/log.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, specsOf, startInput, type Product } from '../support/product.ts';

const usage = { prompt_tokens: 1000, completion_tokens: 100 };
const LOOK = { toolCalls: [{ id: 'a', name: 'list_tags', arguments: '{"workspace_id":1}' }], usage };
const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
const LIMIT = { name: 'tokens', of: 'run', value: 4000, from: 'start' };

let model: OpenAiServer;
/** After so many replies of it the first episode is over; the second never ends by itself. */
let isFirst = true;
const folders: string[] = [];
beforeAll(async () => {
  model = await startOpenAiServer(({ messages }) => {
    const said = (messages as { role: string }[]).filter(({ role }) => role === 'assistant').length;
    return isFirst && said === 1 ? { content: 'Done.', usage } : LOOK;
  });
});
afterAll(async () => {
  folders.forEach(removeFolder);
  await model.close();
});

const tokensOf = (record: EpisodeRecord): number => {
  const { input_tokens: input = 0, output_tokens: output = 0 } = spendingOf(record) ?? {};
  return input + output;
};

/** Plays one episode to its end and another up to the budget of both, killed after each commit of the second. */
async function play(product: Product, run?: string) {
  product.settings.write({ agent: { base_url: model.url, model: 'm' } });
  const input = startInput({ agent, condition: 'none', repeats: 2, ...(run === undefined ? {} : { run }) });
  const [one, two] = specsOf(product, input);
  if (one === undefined || two === undefined) throw new Error('two episodes were asked for');
  const runBudget = product.runBudgets.open({ limits: { tokens: 4000 }, from: { tokens: 'start' } }, run);
  isFirst = true;
  const first = await product.supervisor.start({ ...one, runBudget }).ended;
  isFirst = false;
  const second = product.supervisor.start({ ...two, runBudget });
  const killed: string[] = [];
  product.log.subscribe((recorded, record) => {
    const isAnswered = recorded.event.kind === 'turn.generated' || recorded.event.kind === 'call.returned';
    if (isAnswered && record.counts.turns === 1) killed.push(killedCopy(product.folder));
  }, second.id);
  const last = await second.ended;
  folders.push(...killed, product.folder);
  return { first, last, killed };
}

it('a run that goes on after a kill counts what all its episodes spent before, and takes no more than one that nobody kills', async () => {
  const product = await openProduct();
  const { first, last, killed } = await play(product);
  await product.close();
  expect(last.ended).toMatchObject({ outcome: 'limit', reason: 'budget', limit: LIMIT });
  expect(tokensOf(first) + tokensOf(last)).toBe(4400);

  expect(killed).toHaveLength(2);
  for (const folder of killed) {
    const next = await openProduct(folder);
    const record = await next.ended(last.id);

    expect(record.restarts).toHaveLength(1);
    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'budget', limit: LIMIT });
    expect(tokensOf(record)).toBe(tokensOf(last));
    await next.close();
  }
});

it('a named run that is begun again goes on counting, in a process of its own too', async () => {
  const product = await openProduct();
  await play(product, 'night');
  await product.close();
  const next = await openProduct(product.folder);

  const limits = { tokens: 4000 };
  expect(next.runBudgets.open({ limits, from: {} }, 'night').reached()).toMatchObject({ reason: 'budget' });
  expect(next.runBudgets.open({ limits, from: {} }, 'other').reached()).toBeNull();
  expect(next.runBudgets.open({ limits, from: {} }).reached()).toBeNull();
  await next.close();
});

it('the time of a run goes on from where it was, and the time that nothing ran counts nowhere', () => {
  const log = openLog();
  let now = 1_000_000;
  const edges = { log, monotonic: () => now, newId: () => 'shared' };
  const budget = createRunBudgets(edges).open({ limits: { time_ms: 10_000 }, from: {} });
  budget.join('one');
  log.append('one', SYSTEM, started({ run_budget: budget.shared }));
  now += 6_000;
  budget.note(log.record('one'));

  // Another process, whose clock has nothing to do with the first one's.
  now = 5;
  const again = createRunBudgets(edges).again(log.record('one'));

  now += 3_999;
  expect(again?.reached()).toBeNull();
  now += 1;
  expect(again?.reached()).toMatchObject({ limit: { name: 'time_ms', of: 'run', value: 10_000 } });
  log.close();
});
