import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProduct, type Product } from '../support/product.ts';

let folder: string;
let product: Product;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-names-'));
  product = await openProduct(folder);
});
afterEach(async () => {
  await product.close();
  rmSync(folder, { recursive: true, force: true });
});

it('gives no two environments one name, and still renames one', async () => {
  const call = product.as('seat-one');
  await call('environments.add', { name: 'Maze', url: 'http://127.0.0.1:1' });
  const second = call('environments.add', { name: 'Maze', url: 'http://127.0.0.1:2' });
  await expect(second).rejects.toMatchObject({ code: 'bad_input', message: /another environment/ });

  await call('environments.add', { name: 'Maze', url: 'http://127.0.0.1:1' });
  await call('environments.add', { name: 'The maze', url: 'http://127.0.0.1:1' });
  const { environments } = await call('environments.list', {});
  expect(environments.slice(1).map(({ name }) => name)).toEqual(['The maze']);
});

it('saves no model profile whose address is none', async () => {
  const call = product.as('seat-one');
  const profile = { name: 'own', provider: 'openai' as const, model: 'm', api_version: null };
  for (const base_url of ['not a url', 'ftp://127.0.0.1']) {
    const saved = call('settings.change', { profiles: { save: { ...profile, base_url } } });
    await expect(saved).rejects.toMatchObject({ code: 'bad_input', next: /https:/ });
  }
  await call('settings.change', { profiles: { save: { ...profile, base_url: 'http://127.0.0.1:1/v1' } } });
  await call('settings.change', { profiles: { save: { ...profile, name: 'theirs', base_url: null } } });
  expect((await call('settings.read', {})).profiles.map(({ name }) => name)).toEqual(['own', 'theirs']);
});
