import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCameWith, setAside } from '../../src/main/settings/cameWith.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const DEEP = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;

it.each([
  ['settings that nobody could write', DEEP, () => undefined, 'bad_input'],
  ['settings that are no JSON', '{', () => undefined, 'data_corrupt'],
  [
    'keys that cannot be taken',
    '{"desk": {"a": 1}}',
    () => {
      throw new Error('full');
    },
    undefined,
  ],
])(
  'takes nothing where it cannot take %s, and nothing is left after a no',
  (_what, settings, takeOver, code) => {
    writeFileSync(join(folder(), 'settings.json'), settings);
    writeFileSync(join(folder(), 'secrets.json'), '{"agent.api_key": "a-strangers"}');
    setAside(folder());
    const secrets = createFileSecrets(folder());
    const came = openCameWith({ folder: folder(), secrets, keys: { takeOver } });

    let failed: unknown = null;
    try {
      came.settle(true);
    } catch (thrown) {
      failed = thrown;
    }
    expect(failed).toMatchObject(code === undefined ? { message: 'full' } : { code });
    if (code !== undefined)
      expect(failed).toMatchObject({ next: expect.stringContaining('--no-keep-settings') });
    expect(secrets.read('agent.api_key')).toBeNull();
    expect(came.list()).not.toEqual([]);

    came.settle(false);
    for (const name of ['secrets.json', 'settings.json'])
      if (existsSync(join(folder(), name)))
        expect(readFileSync(join(folder(), name), 'utf8')).not.toMatch(/a-strangers|desk/);
  },
);
