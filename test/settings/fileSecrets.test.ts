import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
const path = (): string => join(folder(), 'secrets.json');

describe('keys in a file', () => {
  it('can be read by their owner only', () => {
    createFileSecrets(folder()).write('agent.api_key', 'k');

    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('are closed to others again when somebody opened them, and the person hears of it', () => {
    const notices: string[] = [];
    createFileSecrets(folder()).write('agent.api_key', 'k');
    chmodSync(path(), 0o644);

    const secrets = createFileSecrets(folder(), (notice) => notices.push(notice));

    expect(secrets.read('agent.api_key')).toBe('k');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(notices).toEqual([expect.stringContaining('other users')]);
  });

  it('are apart by name, and gone when forgotten', () => {
    const secrets = createFileSecrets(folder());
    secrets.write('a', '1');
    secrets.write('b', '2');

    secrets.write('a', null);

    expect([secrets.read('a'), secrets.read('b'), secrets.read('toString')]).toEqual([null, '2', null]);
  });

  it.each(['agent.api_key = k', '', '[]', '{"agent.api_key": "k"'])(
    'in a file that cannot be read (%j) are an error with a next step, and the file is never rewritten',
    (text) => {
      writeFileSync(path(), text, { mode: 0o600 });
      const secrets = createFileSecrets(folder());

      expect(() => secrets.read('agent.api_key')).toThrow(/secrets\.json cannot be read/);
      expect(() => secrets.write('agent.api_key', 'new')).toThrow(
        expect.objectContaining({ code: 'data_corrupt', next: expect.stringContaining('backup') }),
      );

      expect(readFileSync(path(), 'utf8')).toBe(text);
      expect(readdirSync(folder())).toEqual(['secrets.json']);
    },
  );
});
