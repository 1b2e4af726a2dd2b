import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import {
  decide,
  goTo,
  openConsole,
  startEpisode,
  stepNames,
  timeline,
  verdict,
  waitForDraft,
} from './console.ts';
import { removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null)('reading an episode', () => {
  let browser: Browser;
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  let id: string;
  let complaints: string[];

  beforeAll(async () => {
    if (found !== null) browser = await launch(found);
    server = await startServer();
    const maker = await openConsole(await browser.newContext(), server);
    id = await startEpisode(maker, 0, 'Human with a draft');
    await waitForDraft(maker);
    await decide(maker, 'a');
    await verdict(maker).waitFor();
    await maker.context().close();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    removeFolder(server.folder);
  });
  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await openConsole(context, server, complaints);
    await goTo(page, `#/live/${id}`);
    await timeline(page).getByText('Started').waitFor();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  it('can be done with the keyboard alone: from step to step, to the next error, open and closed', async () => {
    await page.keyboard.press('x');
    const focused = page.locator('[data-row-head]:focus');
    await expect.poll(() => focused.innerText()).toMatch(/server_error|tool_not_found|invalid_args/);
    await page.keyboard.press('Enter');
    await timeline(page).getByRole('region', { name: 'Error' }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused.innerText()).toMatch(/^Turn\s2\s/);
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await expect.poll(() => focused.innerText()).toContain('Started');
  });

  it('finds words in results and arguments, and goes from one to the next', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('Priya');
    await page.keyboard.press('Enter');
    await page.getByText(/^1 of \d+$/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText(/^\d+ of \d+$/).count()).toBe(0);
  });

  it('shows only calls when asked to, but never hides what the person did', async () => {
    await page.getByRole('button', { name: 'Calls', exact: true }).click();

    await expect.poll(() => stepNames(page)).not.toContain('Started');
    expect(await stepNames(page)).toEqual(expect.arrayContaining(['set_workflow_status', 'Draft accepted']));
  });

  it('shows the conversation as the agent read it, and the tools with what they take', async () => {
    await page.getByRole('tab', { name: 'Conversation' }).click();
    const conversation = page.getByRole('list', { name: 'What the agent reads' });
    await conversation.getByText(/The agent read: system prompt/).waitFor();

    await page.getByRole('tab', { name: 'Tools' }).click();
    await page
      .getByRole('textbox', { name: 'Search tools' })
      .or(page.getByRole('searchbox', { name: 'Search tools' }))
      .fill('subscribe_user');
    await page.getByText('subscribe_user', { exact: true }).last().click();
    await page.getByText('required').first().waitFor();
  });

  it('fits at 200 %: nothing is out of reach sideways', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    for (const hash of [`#/live/${id}`, `#/replay/${id}`, '#/desk']) {
      await goTo(page, hash);
      await page.waitForTimeout(200);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, hash).toBeLessThanOrEqual(0);
    }
  });
});
