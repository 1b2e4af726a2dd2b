import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finished, installed, npx, product } from './installed.ts';

describe('the product that npm installed into an empty folder', () => {
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'interject-installed-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

  it('serves the console with `npx interject serve`, and ends on SIGTERM with its folder let go', async () => {
    const child = npx(home, ['serve', '--port', '0', '--no-open']);
    const ending = finished(child);
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      const read = (chunk: Buffer): void => {
        said += String(chunk);
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said);
        if (found !== null) resolve(found[0]);
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      void ending.then(({ code }) => reject(new Error(`ended with ${String(code)}: ${said}`)));
    });

    const page = await (await fetch(new URL('/', address))).text();
    expect(page).toContain('<div id="root">');
    const script = /src="(\.\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await fetch(new URL(script, address))).headers.get('content-type')).toContain('javascript');

    if (process.platform === 'win32') {
      // It knows no signals: a program is ended with those that it started.
      spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
      await ending;
      return;
    }
    child.kill('SIGTERM');
    await ending;
    await expect.poll(() => existsSync(join(home, 'interject.lock')), { timeout: 20_000 }).toBe(false);
  });

  it('plays a task of a built-in world to its verdict with `npx interject run`', async () => {
    const flags = [
      '--world',
      'loomline_workflows',
      '--task',
      '0',
      '--agent',
      'rehearsal',
      '--condition',
      'model',
    ];
    const { code, out, err } = await finished(npx(home, ['run', ...flags, '--json']));

    expect({ code, err }).toMatchObject({ code: 0 });
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.at(-1)).toMatchObject({ type: 'episode', reward_type: 'complete', reward: 1 });
  });

  it('finds nothing amiss with itself', async () => {
    const { code, out } = await finished(npx(home, ['doctor', '--json']));

    const checks = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; status: string });
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(code).toBe(0);
  });

  it('holds what runs and nothing else, and brings no tool of its makers', () => {
    const files = readdirSync(product, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
    expect(files.filter((name) => /^(src|test|docs|\.ci|\.github)(\/|$)|\.map$|\.tsx?$/.test(name))).toEqual(
      [],
    );
    expect(files.filter((name) => /^scripts\/.*\.mjs$/.test(name)).toSorted()).toEqual([
      'scripts/parts/entry.mjs',
      'scripts/parts/node.mjs',
      'scripts/parts/processes.mjs',
    ]);

    const brought = readdirSync(join(installed, 'node_modules'));
    const tools = /^(@sparticuz|electron.*|vite.*|vitest|typescript|react.*|playwright-core|ox.*|prettier)$/;
    expect(brought.filter((name) => tools.test(name))).toEqual([]);
    expect(brought).toContain('better-sqlite3');
  });
});
