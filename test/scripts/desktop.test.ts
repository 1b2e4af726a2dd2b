import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { noSandboxReason, sandboxRemedy } from '../../scripts/parts/chromiumSandbox.mjs';
import { electronToPackage } from '../../scripts/package.mjs';
import {
  earlierFailure,
  electronBinary,
  fetchElectron,
  installerVariables,
} from '../../scripts/parts/desktop.mjs';
import { fetchMeanwhile, runDesktop } from '../../scripts/start.mjs';
import { folderPerTest } from '../support/temporaryFolder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = folderPerTest();

describe('the sandbox of the desktop app', () => {
  const free = {
    canMake: true,
    maxNamespaces: 1000,
    mayClone: 1,
    isRestrictedByAppArmor: false,
    hasProfile: false,
    helper: { uid: 1000, mode: 0o755 },
  };

  it('works where every user may make namespaces, and where root owns the helper', () => {
    const owned = { uid: 0, mode: 0o4755 };

    expect(noSandboxReason(free)).toBeNull();
    expect(noSandboxReason({ ...free, canMake: null, mayClone: null, helper: null })).toBeNull();
    expect(noSandboxReason({ ...free, canMake: false, maxNamespaces: 0, helper: owned })).toBeNull();
    expect(noSandboxReason({ ...free, isRestrictedByAppArmor: true, hasProfile: true })).toBeNull();
  });

  it('does not where the system forbids namespaces, and it is said who does', () => {
    expect(noSandboxReason({ ...free, maxNamespaces: 0 })).toContain('lets no user make');
    expect(noSandboxReason({ ...free, mayClone: 0 })).toContain('lets no user make');
    expect(noSandboxReason({ ...free, isRestrictedByAppArmor: true })).toContain('AppArmor');
    expect(noSandboxReason({ ...free, canMake: false })).toContain('cannot be made here');
    expect(noSandboxReason({ ...free, maxNamespaces: 0, helper: { uid: 0, mode: 0o755 } })).not.toBeNull();
  });

  it('has a remedy that names the helper and a profile for this very binary', () => {
    const remedy = sandboxRemedy('/opt/electron/electron').join('\n');

    expect(remedy).toContain("chmod 4755 '/opt/electron/chrome-sandbox'");
    expect(remedy).toContain('profile interject "/opt/electron/electron" flags=(unconfined)');
  });

  it.skipIf(spawnSync('unshare', ['--user', '--map-root-user', 'true']).status !== 0)(
    'is found wanting by the kernel’s own word where it allows no namespaces',
    () => {
      const part = pathToFileURL(join(root, 'scripts/parts/chromiumSandbox.mjs')).href;
      const script = `import { sandboxProblem } from ${JSON.stringify(part)};
        console.log(JSON.stringify(sandboxProblem(process.execPath)?.reason ?? null));`;
      const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" --input-type=module -e "$1"';
      const { stdout } = spawnSync(
        'unshare',
        ['--user', '--map-root-user', 'sh', '-c', forbid, process.execPath, script],
        { encoding: 'utf8' },
      );

      expect(JSON.parse(stdout)).toContain('lets no user make');
    },
  );
});

describe('fetching Electron', () => {
  it('goes through a proxy where one is named, and says nothing of one where none is', () => {
    expect(installerVariables({ HTTPS_PROXY: 'http://proxy:3128' })).toMatchObject({
      ELECTRON_GET_USE_PROXY: '1',
    });
    expect(
      installerVariables({ https_proxy: 'http://proxy:3128', ELECTRON_GET_USE_PROXY: '' }),
    ).toMatchObject({
      ELECTRON_GET_USE_PROXY: '',
    });
    expect(installerVariables({ PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });

  it('asks the proxy for Electron’s host, and remembers what came of it until it works', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url ?? '');
      socket.end('HTTP/1.1 503 Out of order\r\n\r\n');
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    for (const name of ['node_modules', '.cache']) mkdirSync(join(folder(), name));
    symlinkSync(join(root, 'node_modules/electron'), join(folder(), 'node_modules/electron'));
    const { port } = proxy.address() as AddressInfo;
    const address = `http://127.0.0.1:${String(port)}`;
    const proxies = { HTTPS_PROXY: address, https_proxy: address, NO_PROXY: '', no_proxy: '' };
    const variables = { ...proxies, electron_config_cache: join(folder(), 'cache') };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    try {
      const failed = await fetchElectron(folder(), () => undefined);

      expect(asked).toContain('github.com:443');
      expect(failed).toContain('its download failed');
      expect(earlierFailure(folder())).toBe(failed);
    } finally {
      // Not another object in its place: the tests of other files would go on with what it held.
      vi.unstubAllEnvs();
      proxy.close();
    }
  });

  it('forgets an earlier failure once it is there', async () => {
    mkdirSync(join(folder(), 'node_modules/electron'), { recursive: true });
    mkdirSync(join(folder(), '.cache'));
    writeFileSync(join(folder(), '.cache/electron-failed'), 'its host could not be reached');
    writeFileSync(join(folder(), 'node_modules/electron/install.js'), '');
    expect(earlierFailure(folder())).toBe('its host could not be reached');

    expect(await fetchElectron(folder(), () => undefined)).toBeNull();

    expect(earlierFailure(folder())).toBeNull();
    expect(existsSync(join(folder(), '.cache/electron-download'))).toBe(false);
  });
});

describe('an Electron that was missing', () => {
  const installer = (code: string): void => {
    mkdirSync(join(folder(), 'node_modules/electron'), { recursive: true });
    mkdirSync(join(folder(), '.cache'));
    writeFileSync(join(folder(), 'node_modules/electron/install.js'), code);
  };

  it('is there for the next start once it was fetched beside the browser console', async () => {
    installer(
      `const { mkdirSync, writeFileSync } = require('node:fs');
       mkdirSync(__dirname + '/dist');
       for (const name of ['path.txt', 'dist/electron']) writeFileSync(__dirname + '/' + name, 'electron');`,
    );
    const said: string[] = [];

    await fetchMeanwhile(folder(), (line) => said.push(line));

    expect(said).toEqual(['Electron is here now: the next `npm start` opens the desktop app.']);
    expect(electronBinary(folder(), {})).toBe(join(folder(), 'node_modules/electron/dist/electron'));
  });

  it('is tried again by the next start where it could not be fetched', async () => {
    installer(`console.error('getaddrinfo ENOTFOUND its.host'); process.exit(1);`);
    const said: string[] = [];

    await fetchMeanwhile(folder(), (line) => said.push(line));

    expect(said).toEqual([
      'Electron could not be fetched: its download failed (getaddrinfo ENOTFOUND its.host). The next start tries again.',
    ]);
    expect(earlierFailure(folder())).not.toBeNull();
  });

  it('is not fetched for a package either where ELECTRON_OVERRIDE_DIST_PATH names one', () => {
    const before = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = folder();
    try {
      expect(() => electronToPackage(undefined)).toThrow(`${folder()} is no unpacked Electron.`);
      writeFileSync(join(folder(), 'version'), '45.0.0\n');
      expect(electronToPackage(undefined)).toEqual({ dist: folder(), version: '45.0.0' });
    } finally {
      if (before === undefined) delete process.env['ELECTRON_OVERRIDE_DIST_PATH'];
      else process.env['ELECTRON_OVERRIDE_DIST_PATH'] = before;
    }
  });
});

describe.skipIf(process.platform === 'win32')('a desktop app that ends at once', () => {
  const app = (code: number): string => {
    const file = join(folder(), 'electron');
    writeFileSync(file, `#!/bin/sh\nexit ${String(code)}\n`, { mode: 0o755 });
    return file;
  };

  it('without a word is followed by the browser console', async () => {
    expect(await runDesktop(app(1), [])).toBe('Electron ended at once (exit code 1)');
  });

  it('after it said in a window why it cannot start is followed by nothing', async () => {
    const before = process.exitCode;
    try {
      expect(await runDesktop(app(78), [])).toBeNull();
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = before;
    }
  });
});
