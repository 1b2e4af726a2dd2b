import { expect, it } from 'vitest';
import { specsOf, startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';

let product: Product;
productPerTest((opened) => (product = opened));

it('what a run says stands over its environment’s setting, and that over the settings', async () => {
  const call = product.as('seat-one');
  const { id } = await call('environments.add', { name: 'Shop', url: 'http://127.0.0.1:9' });
  const modes = (said?: 'code' | 'sql'): unknown[] =>
    specsOf(
      product,
      startInput({ environment: id, ...(said === undefined ? {} : { verifier_mode: said }) }),
    ).map(({ verifierMode }) => verifierMode);
  expect((await call('environment.read', { id })).verifier).toEqual({ own: null, usual: 'code' });
  expect(modes()).toEqual([null]);

  await call('environment.change', { id, verifier: 'sql' });
  await call('environments.add', { name: 'The shop', url: 'http://127.0.0.1:9' });

  expect((await call('environment.read', { id })).verifier).toEqual({ own: 'sql', usual: 'code' });
  expect([modes(), modes('code')]).toEqual([['sql'], ['code']]);
  await call('environment.change', { id, verifier: null });
  expect(modes()).toEqual([null]);
});
