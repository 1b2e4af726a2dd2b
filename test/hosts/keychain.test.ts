// The desktop's keys: Electron's safeStorage is scripted, the files and what else lies in them are real.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKeychain, type Keychain } from '../../src/main/desktop/keychain.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { openKeys } from '../../src/main/settings/keys.ts';
import type { Secrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings } from '../../src/main/settings/settings.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const cipher = {
  encryptStringAsync: async (text: string) =>
    Buffer.concat([Buffer.from('v10'), Buffer.from(text).toReversed()]),
  decryptStringAsync: async (data: Buffer) => {
    if (data.toString('latin1', 0, 3) !== 'v10') throw new Error('not encrypted by this user');
    return { result: Buffer.from(data.subarray(3).toReversed()).toString() };
  },
};
const HOSTS: Record<string, (folder: string) => Promise<Secrets>> = {
  desktop: (folder) => openKeychain(folder, cipher),
  server: async (folder) => createFileSecrets(folder),
};
const world = { id: 'builtin', name: 'Built-in worlds', url: 'http://127.0.0.1:1', builtin: true };
const trainer = {
  name: 'trainer',
  scopes: ['expert' as const],
  environment: null,
  per_minute: null,
  at_once: null,
};

const folder = folderPerTest();

/** What a start of the product opens, in its order. */
async function start(host: string) {
  const secrets = await (HOSTS[host] as (folder: string) => Promise<Secrets>)(folder());
  const settings = createSettings({ folder: folder(), environment: {}, secrets });
  const keys = openKeys({
    file: (name) => join(folder(), name),
    secrets,
    clock: () => 1,
    monotonic: () => 1,
    schedule: () => () => undefined,
  });
  // What an end of the product waits for.
  const saved = async (): Promise<void> => ('saved' in secrets ? (secrets as Keychain).saved() : undefined);
  return { secrets, settings, keys, saved };
}

describe.each(Object.keys(HOSTS))('on the %s', (host) => {
  it('model keys, gateway keys and the console’s token are all there after two restarts, whichever was saved last', async () => {
    const first = await start(host);
    first.secrets.write('agent.api_key', 'sk-agent');
    const { secret } = first.keys.create(trainer);
    first.keys.ensureDefaults([world]);
    const token = first.settings.ownerToken();
    const defaults = first.keys.defaults();
    expect(defaults).toHaveLength(1);
    await first.saved();

    const second = await start(host);
    second.secrets.write('expert.api_key', 'sk-expert');
    second.keys.create({ ...trainer, name: 'second' });
    await second.saved();

    const { secrets, keys, settings } = await start(host);
    expect(secrets.read('agent.api_key')).toBe('sk-agent');
    expect(secrets.read('expert.api_key')).toBe('sk-expert');
    expect(keys.find(secret)).toMatchObject({ name: 'trainer' });
    expect(keys.list().map(({ name }) => name)).toEqual(expect.arrayContaining(['trainer', 'second']));
    expect(keys.defaults()).toEqual(defaults);
    expect(settings.ownerToken()).toBe(token);
  });
});

describe('the keychain’s file', () => {
  it('keeps a value it cannot decrypt, and reads it as absent', async () => {
    const foreign = Buffer.from('of another user').toString('base64');
    writeFileSync(join(folder(), 'keychain.json'), JSON.stringify({ 'agent.api_key': foreign }), {
      mode: 0o600,
    });

    const { secrets, saved } = await start('desktop');
    secrets.write('expert.api_key', 'sk-expert');
    await saved();

    expect([secrets.read('agent.api_key'), secrets.read('expert.api_key')]).toEqual([null, 'sk-expert']);
    expect(readFileSync(join(folder(), 'keychain.json'), 'utf8')).toContain(foreign);
  });

  it('that cannot be read is an error, is never rewritten, and is readable by its owner only', async () => {
    writeFileSync(join(folder(), 'keychain.json'), '{"agent.api_key": "djEw', { mode: 0o644 });

    await expect(openKeychain(folder(), cipher)).rejects.toMatchObject({
      code: 'data_corrupt',
      message: expect.stringMatching(/keychain\.json cannot be read/) as string,
    });

    expect(readFileSync(join(folder(), 'keychain.json'), 'utf8')).toBe('{"agent.api_key": "djEw');
    if (process.platform !== 'win32')
      expect(statSync(join(folder(), 'keychain.json')).mode & 0o777).toBe(0o600);
  });

  it('says that a key could not be saved, and keeps it until the end', async () => {
    const told: string[] = [];
    const locked = {
      ...cipher,
      encryptStringAsync: () => Promise.reject(new Error('the keychain is locked')),
    };
    const secrets = await openKeychain(folder(), locked, (notice) => told.push(notice));
    secrets.write('agent.api_key', 'sk-agent');

    await expect(secrets.saved()).rejects.toThrow('the keychain is locked');
    expect(told).toEqual(['A key could not be saved: Error: the keychain is locked']);
    expect(secrets.read('agent.api_key')).toBe('sk-agent');
  });
});

describe('a keychain that is locked for a while', () => {
  it('costs no key: others are stored meanwhile, and one that failed is stored at the end', async () => {
    let isLocked = true;
    const told: string[] = [];
    const locking = {
      ...cipher,
      encryptStringAsync: (text: string) =>
        isLocked ? Promise.reject(new Error('locked')) : cipher.encryptStringAsync(text),
    };
    const secrets = await openKeychain(folder(), locking, (notice) => told.push(notice));
    secrets.write('agent.api_key', 'sk-agent');
    await expect(secrets.saved()).rejects.toThrow('locked');
    isLocked = false;
    secrets.write('expert.api_key', 'sk-expert');
    await secrets.saved();

    const later = (await start('desktop')).secrets;
    expect([later.read('agent.api_key'), later.read('expert.api_key')]).toEqual(['sk-agent', 'sk-expert']);
    expect(told).toEqual(['A key could not be saved: Error: locked']);
  });

  it('is asked to encrypt anew what it says it has a newer key for', async () => {
    const first = await openKeychain(folder(), cipher);
    first.write('agent.api_key', 'sk-agent');
    await first.saved();
    const before = readFileSync(join(folder(), 'keychain.json'), 'utf8');
    const newer = {
      encryptStringAsync: async (text: string) => Buffer.from(`v11${text.toUpperCase()}`),
      decryptStringAsync: async (data: Buffer) => ({
        ...(await cipher.decryptStringAsync(data)),
        shouldReEncrypt: true,
      }),
    };

    const second = await openKeychain(folder(), newer);
    await second.saved();

    expect(second.read('agent.api_key')).toBe('sk-agent');
    const { 'agent.api_key': stored } = JSON.parse(
      readFileSync(join(folder(), 'keychain.json'), 'utf8'),
    ) as Record<string, string>;
    expect(before).not.toContain(stored);
    expect(Buffer.from(stored ?? '', 'base64').toString()).toBe('v11SK-AGENT');
  });
});

describe('the file of gateway keys', () => {
  it.each(['not JSON', '{"keys": {"id": "one"}}', ''])(
    'that cannot be read (%j) stops the start with a next step and is not replaced by fresh keys',
    async (text) => {
      writeFileSync(join(folder(), 'keys.json'), text, { mode: 0o600 });

      await expect(start('server')).rejects.toMatchObject({ code: 'data_corrupt' });

      expect(readFileSync(join(folder(), 'keys.json'), 'utf8')).toBe(text);
    },
  );
});
