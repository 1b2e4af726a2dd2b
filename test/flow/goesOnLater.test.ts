// Servers that cannot serve an episode at the restart: full of the sessions that died, slow, or refusing a reset for now.
// What waits at the desk is not lost by it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { isBrokenOff } from '../../src/shared/episode/restarts.ts';
import { serveEnvironment, type Tool } from '../support/flow.ts';
import { killedCopy, ME, TIMING } from '../support/killed.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const ASK = { name: 'ask_expert', arguments: '{"context":"Which one?"}' };
/** So often the next resets fail, and how. */
let failing = 0;
let how: ReturnType<Tool> = { error: { code: 'CAPACITY_REACHED', message: 'no free session' } };
let model: OpenAiServer;
let environment: Awaited<ReturnType<typeof serveEnvironment>>;
const products: Product[] = [];
const folders: string[] = [];
beforeEach(async () => {
  failing = 0;
  model = await startOpenAiServer(({ messages }) =>
    (messages as unknown[]).length > 3
      ? { content: 'Done.' }
      : { content: 'I ask.', toolCalls: [{ id: 'a', ...ASK }] },
  );
  const opened: ReturnType<Tool> = { observation: { reward_type: 'reset_ok', task: 'Rename it.' } };
  environment = await serveEnvironment({ reset: () => ((failing -= 1) < 0 ? opened : how) });
});
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
  environment.close();
  await model.close();
});

/** A question is open; the program is killed, and started again. */
async function killedWithQuestion(): Promise<{ product: Product; id: string }> {
  const first = await openProduct();
  products.push(first);
  folders.push(first.folder);
  const seat = first.as(ME);
  const added = await seat('environments.add', { name: 'Mine', url: environment.url });
  const usual = { ca_file: null, reset_seconds: null, transport: 'auto' as const, headers: [] };
  await seat('environments.set_connection', { id: added.id, ...usual, goes_on: true });
  const profile = { provider: 'openai' as const, base_url: model.url, model: 'm', api_version: null };
  await seat('profiles.save', { name: 'local', ...profile });
  const agent = { policy: 'chat', protocol: 'native', model: 'm', profile: 'local' } as const;
  const input = startInput({ environment: added.id, scenario: 's_1', condition: 'human', agent });
  const id = (await seat('episode.start', input)).episodes[0] ?? '';
  await first.until(id, ({ consultations }) => consultations.length > 0);
  const folder = killedCopy(first.folder);
  folders.push(folder);
  return { product: await openProduct(folder, {}, 'leave', { sleep: () => Promise.resolve() }), id };
}

const answer = (product: Product, { id, seq, consultations }: EpisodeRecord): Promise<unknown> =>
  product.as(ME)('desk.answer', {
    episode: id,
    consultation: consultations[0]?.id ?? '',
    text: 'The second.',
    draft: null,
    seen_seq: seq,
    timing: TIMING,
  });

it('an episode whose server is full at the restart is tried again, and goes on by itself', async () => {
  const { product, id } = await killedWithQuestion();
  products.push(product);
  failing = 1;
  product.goOn();
  const record = await product.until(id, ({ restarts }) => restarts[0]?.wentOn);

  await answer(product, record);

  expect((await product.ended(id)).ended).toMatchObject({ outcome: 'done' });
  expect(product.log.read(id).filter(({ event }) => event.kind === 'start.retried')).toHaveLength(1);
});

it('an episode whose server refuses it for longer waits for a word, and its question stays open', async () => {
  const { product, id } = await killedWithQuestion();
  products.push(product);
  failing = 3;
  how = { observation: { reward_type: 'reset_error', error: 'the world did not start' } };
  product.goOn();

  const record = await product.until(id, isBrokenOff);

  expect(record.ended).toBeNull();
  expect(record.brokeOff?.failure?.code).toBe('reset_failed');
  expect(product.log.projections.desk(9).items).toMatchObject([{ episode: id }]);
  await answer(product, record);
  await product.as(ME)('episode.go_on', { episode: id });
  expect((await product.ended(id)).ended).toMatchObject({ outcome: 'done' });
  expect(model.requests.map((one) => JSON.stringify(one)).join()).toContain('The second.');
});
