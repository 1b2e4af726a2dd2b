// The rehearsal in worlds whose tools fail for a moment: it carries the advice out to the end, repeated calls included.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProduct, type Product, removeFolder, startInput } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product.close();
  removeFolder(product.folder);
});

it.each([
  ['maplecart_shop', 2, 0, 1],
  ['maplecart_shop', 6, 0, 0],
  ['tallybrook_ledger', 3, 0, 1],
  ['tallybrook_ledger', 3, 1, 1],
  ['tallybrook_ledger', 3, 2, 1],
] as const)(
  'ends %s task %i, seed %i, by the advised plan with reward %i, whether a call falters or not',
  async (scenario, task_idx, seed, reward) => {
    const input = startInput({ scenario, task_idx, seed, condition: 'model' });
    const { episodes } = await product.as('a')('episode.start', input);
    const record = await product.ended(episodes[0] ?? '');

    expect(record.ended).toMatchObject({ outcome: 'done', reward });
  },
);
