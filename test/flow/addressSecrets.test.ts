// An environment whose address holds credentials, over restarts.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';
import { openGuardedEnvironment, openGuardedModel } from '../support/secretsEnvironment.ts';

const ME = 'seat-one';
const CALL = { id: 'c1', type: 'function', function: { name: 'sign_in', arguments: '{}' } };
const SAYS = [
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'assistant', content: 'done' },
];
let folder = '';
let product: Product;
let environment: Awaited<ReturnType<typeof openGuardedEnvironment>>;
let model: Awaited<ReturnType<typeof openGuardedModel>>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-address-'));
  product = await openProduct(folder);
  environment = await openGuardedEnvironment({ user: 'ada', password: 'Zq7-env/pass', key: 'zq7envkey8815' });
  model = await openGuardedModel('', SAYS);
  product.settings.write({ agent: { base_url: `http://${model.host}/v1`, model: 'm' } });
});
afterEach(async () => {
  await product.close();
  environment.close();
  model.close();
  removeFolder(folder);
});

const play = async (id: string): Promise<string> => {
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };
  const over = { environment: id, scenario: null, agent, condition: 'none' as const };
  const { episodes } = await product.as(ME)('episode.start', startInput(over));
  const [episode = ''] = episodes;
  expect((await product.ended(episode)).ended?.outcome).toBe('done');
  return episode;
};
const restart = async (): Promise<void> => {
  await product.close();
  product = await openProduct(folder);
};

describe('an environment whose address holds credentials', () => {
  it('is forked after a restart with the credentials that are kept for it', async () => {
    const { id } = await product.as(ME)('environments.add', { name: 'guarded', url: environment.url });
    const episode = await play(id);

    await restart();
    const forked = await product.as(ME)('episode.fork', { episode, turn: 1 });

    const { ended } = await product.ended(forked.episode);
    expect(ended).toMatchObject({ outcome: 'done', failure: null, reward_type: 'complete' });
  });
});
