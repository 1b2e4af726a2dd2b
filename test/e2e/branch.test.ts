import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import { decide, goTo, openConsole, startEpisode, timeline, verdict, waitForDraft } from './console.ts';
import { freePort, newFolder, removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null)('going on from a place of an episode', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let server: Server;
  let port: number;
  let folder: string;

  beforeEach(async () => {
    folder = newFolder();
    if (found !== null) browser = await launch(found);
    port = await freePort();
    server = await startServer({ folder, port });
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await openConsole(context, server);
  });
  afterEach(async () => {
    await browser.close();
    await server.stop();
    removeFolder(folder);
  });

  it('forks a finished episode with one key: same past, a rebuilt world, and an end of its own', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await decide(page, 'a');
    await verdict(page).getByText('Complete, reward 1').waitFor();
    const first = await server.record(id);
    await goTo(page, `#/replay/${id}?n=${String(first.n)}`);
    await page.getByRole('button', { name: /^Fork after turn/ }).waitFor();

    await page.keyboard.press('f');
    await timeline(page).getByText('Continues another episode').waitFor();
    await verdict(page).getByText('Complete, reward 1').waitFor();

    const fork = /#\/live\/([^?]+)/.exec(page.url())?.[1] ?? '';
    const record = await server.record(fork);
    expect(record.forked).toMatchObject({ from: id, why: 'fork', drift: [] });
    expect(record.turns.filter(({ isCopied }) => isCopied).length).toBeGreaterThan(4);
  });

  it('resumes an episode that a killed server had left open, up to its end', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await server.kill();
    server = await startServer({ folder, port });
    await expect.poll(async () => (await server.record(id)).ended?.outcome).toBe('interrupted');
    await goTo(page, `#/replay/${id}`);

    await page.getByRole('button', { name: 'Resume' }).click();
    await waitForDraft(page);
    await decide(page, 'a');
    await verdict(page).getByText('Complete, reward 1').waitFor();

    const resumed = /#\/live\/([^?]+)/.exec(page.url())?.[1] ?? '';
    expect((await server.record(resumed)).forked).toMatchObject({ from: id, why: 'resume', drift: [] });
  });
});
