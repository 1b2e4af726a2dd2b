import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import {
  decide,
  editor,
  editorText,
  openConsole,
  startEpisode,
  stepNames,
  waitForDraft,
  write,
} from './console.ts';
import { freePort, newFolder, removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null)('a server that dies', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let server: Server;
  let port: number;
  const folder = newFolder();

  beforeEach(async () => {
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

  it('right after "send" has lost nothing: the advice is in the log, the episode shows as interrupted', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    const answered = answerHeard(server, id);
    await decide(page, 'a');
    await answered;
    await server.kill();

    server = await startServer({ folder, port });
    await expect.poll(async () => (await server.record(id)).ended?.outcome).toBe('interrupted');
    const record = await server.record(id);
    expect(record.consultations[0]?.decision).toMatchObject({ type: 'approved', act: 'accept' });
    await page.getByText('Interrupted').first().waitFor();
    expect(await stepNames(page)).toEqual(expect.arrayContaining(['Draft accepted', 'Interrupted']));
  });

  it('while a person writes keeps their words, and the page finds the server again by itself', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, 'Written before the crash');
    await server.kill();
    await page
      .getByText(/^No connection/)
      .first()
      .waitFor();
    await page.keyboard.type(', and after it');

    server = await startServer({ folder, port });
    await page.getByText('Interrupted').first().waitFor();
    await editor(page).waitFor();
    expect(await editorText(page)).toContain('Written before the crash, and after it');
    await page.getByText(/Your answer was not sent/).waitFor();
  });
});

/** Resolves as soon as the answer is in the log, before the agent has had time for a turn. */
async function answerHeard(server: Server, episode: string): Promise<void> {
  for (;;) {
    const events = await server.events(episode);
    if (events.some(({ event }) => event.kind === 'advice.approved')) return;
  }
}
