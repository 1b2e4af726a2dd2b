// What keeps an episode from going on at the restart: servers that are full of the sessions that died, or refuse a reset for
// now, and a reset whose secret is gone. What waits at the desk is not lost by it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { brokeOffText, isBrokenOff } from '../../src/shared/episode/restarts.ts';
import { serveEnvironment, type Tool } from '../support/flow.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { ME, TIMING } from '../support/killed.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const ASK = { name: 'ask_expert', arguments: '{"context":"Which one?"}' };
/** So often the next resets fail, and how. */
let failing = 0;
let resets = 0;
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
  environment = await serveEnvironment({
    reset: () => {
      resets += 1;
      failing -= 1;
      return failing < 0 ? opened : how;
    },
  });
});
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
  environment.close();
  await model.close();
});

/** A question is open; the program is killed, and started again. */
async function killedWithQuestion(
  reset: Record<string, string> = {},
): Promise<{ product: Product; id: string }> {
  const first = await openProduct();
  products.push(first);
  folders.push(first.folder);
  const seat = first.as(ME);
  const added = await seat('environments.add', { name: 'Mine', url: environment.url });
  const usual = { ca_file: null, reset_seconds: null, transport: 'auto' as const, headers: [] };
  await seat('environment.change', { id: added.id, connection: { ...usual, goes_on: true } });
  const profile = { provider: 'openai' as const, base_url: model.url, model: 'm', api_version: null };
  await seat('settings.change', { profiles: { save: { name: 'local', ...profile } } });
  const agent = { policy: 'chat', protocol: 'native', model: 'm', profile: 'local' } as const;
  const input = startInput({ environment: added.id, scenario: 's_1', condition: 'human', agent, reset });
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
  product.continueEpisodes();
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
  product.continueEpisodes();

  const record = await product.until(id, isBrokenOff);

  expect(record.ended).toBeNull();
  expect(record.brokeOff?.failure?.code).toBe('reset_failed');
  expect(product.log.projections.desk(9).items).toMatchObject([{ episode: id }]);
  await answer(product, record);
  await product.as(ME)('episode.settle', { episode: id, act: 'go_on' });
  expect((await product.ended(id)).ended).toMatchObject({ outcome: 'done' });
  expect(model.requests.map((one) => JSON.stringify(one)).join()).toContain('The second.');
});

it('an episode whose reset was given a secret is not reset without it: it waits for a person and says why', async () => {
  const { product, id } = await killedWithQuestion({ api_key: 'Zq7-env-key-8815', region: 'north' });
  products.push(product);
  resets = 0;
  product.continueEpisodes();

  const record = await product.until(id, isBrokenOff);

  expect(isBrokenOff(record) && brokeOffText(record)).toContain('was given api_key, which no log holds');
  expect(product.log.projections.desk(9).items).toMatchObject([{ episode: id }]);
  await expect(product.as(ME)('episode.settle', { episode: id, act: 'go_on' })).rejects.toMatchObject({
    code: 'bad_input',
    next: 'Let it be, and start its task again with the secret.',
  });
  expect(resets).toBe(0);
});
