// Where pip cannot do it. That it does, and what verifiers make of it, the peers' tests show with the real packages.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { installedPackagesPath, packagesFolderPath } from '../../src/main/hosts/paths.ts';

let folder = '';
let said = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-packages-'));
  said = '';
  vi.stubEnv('XDG_CACHE_HOME', folder);
  vi.stubEnv('INTERJECT_PYTHON_PACKAGES', '');
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A Python that has pip, or none, and answers an install in the words of the real one. */
function usePython({ hasPip, error }: { hasPip: boolean; error: string }): void {
  const path = join(folder, 'python');
  const version = `case "$*" in --version) exit 0;; "-m pip --version") exit ${hasPip ? '0' : '1'};; esac`;
  writeFileSync(path, `#!/bin/sh\n${version}\ncat >&2 <<'END'\n${error}\nEND\nexit 1\n`, { mode: 0o755 });
  vi.stubEnv('INTERJECT_PYTHON', path);
}

describe.runIf(process.platform === 'linux')('interject verify --install-packages', () => {
  it('says so where there is no Python, and what to do', async () => {
    vi.stubEnv('INTERJECT_PYTHON', join(folder, 'nowhere'));
    expect(await main(['verify', '--install-packages'])).toBe(1);
    expect(said).toContain(`there is no Python at ${join(folder, 'nowhere')}`);
    expect(said).toContain('Install Python 3 with pip, name another Python in INTERJECT_PYTHON, or set');
  });

  it('says so where Python has no pip', async () => {
    usePython({ hasPip: false, error: '' });
    expect(await main(['verify', '--install-packages'])).toBe(1);
    expect(said).toContain('python has no pip');
  });

  it.each([
    [
      'reaches no package index',
      'WARNING: Retrying\nERROR: No matching distribution found for six==1.17.0',
      'pip says: ERROR: No matching distribution found for six==1.17.0',
    ],
    [
      'is given a file with another checksum',
      'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.',
      'is not the one with our checksum',
    ],
  ])('leaves nothing behind where pip %s, and says which of the two it was', async (_what, error, why) => {
    usePython({ hasPip: true, error });
    expect(await main(['verify', '--install-packages'])).toBe(1);
    expect(said).toContain(why);
    expect(said).toContain('see that this machine reaches it');
    expect(readdirSync(join(folder, 'interject'))).toEqual([]);
    expect(packagesFolderPath()).toBeNull();
  });

  it('is found by verifiers once it was done; a folder that is named wins', () => {
    expect(packagesFolderPath()).toBeNull();
    mkdirSync(installedPackagesPath(), { recursive: true });
    expect(packagesFolderPath()).toBe(installedPackagesPath());
    vi.stubEnv('INTERJECT_PYTHON_PACKAGES', folder);
    expect(packagesFolderPath()).toBe(folder);
  });
});
