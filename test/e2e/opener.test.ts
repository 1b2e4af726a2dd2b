// `interject serve` opens the person's browser: a script stands in the opener's place, and Chromium opens what it was given.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import { newFolder, removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null || process.platform !== 'linux')('the browser that serve opens', () => {
  const folder = newFolder();
  const told = join(folder, 'told');
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    if (found !== null) browser = await launch(found);
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const opener = `#!/bin/sh\n{ tr '\\0' '\\n' < /proc/$$/cmdline; env; } > ${told}.part\nmv ${told}.part ${told}\n`;
    writeFileSync(join(bin, 'xdg-open'), opener);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':9' };
    server = await startServer({ folder: join(folder, 'home'), env, opens: true });
    await vi.waitFor(() => expect(existsSync(told)).toBe(true), 20_000);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    removeFolder(folder);
  });

  it('reaches the desk by a page of the owner’s, with no token in any argument or variable', async () => {
    const heard = readFileSync(told, 'utf8');
    const page = heard.split('\n').find((line) => line.endsWith('.html')) ?? '';

    expect(heard).not.toContain(server.token);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(statSync(page).uid).toBe(process.getuid?.());

    const tab = await browser.newPage();
    await tab.goto(pathToFileURL(page).href);
    await tab.getByText('How do you want to begin?').waitFor();
    expect(tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(tab.url()).not.toContain(server.token);

    await server.stop();
    expect(existsSync(page)).toBe(false);
  });
});
