// Characters that cannot be seen carry a mark wherever a person reads or writes; what is sent is what was marked.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import { card, decide, goTo, openConsole, startEpisode, timeline, waitForDraft, write } from './console.ts';
import { removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();
const TIMING = { first_seen_at: null, active_ms: null };
const HIDDEN = 'Rename 101\u202E201\u202C, never\u200B the other \u{E0068}\u{E0069}\u{E0021}\u{E0021}';
const SHOTS = process.env['INTERJECT_SHOTS'];

describe.skipIf(found === null)('what cannot be seen', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let server: Server;
  let complaints: string[];
  beforeAll(async () => {
    if (found !== null) browser = await launch(found);
    server = await startServer();
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
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  const marks = () => card(page).locator('.cm-invisible');
  const decided = async (id: string) => (await server.record(id)).consultations[0]?.decision;
  async function shoot(name: string): Promise<void> {
    if (SHOTS === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png` });
    }
  }

  it('is marked in the editor, and sent exactly as it is marked', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, HIDDEN);

    await card(page).getByText('7 invisible characters are marked and would be sent.').waitFor();
    expect(await marks().allTextContents()).toEqual(['RLO', 'PDF', 'ZWSP', '4 hidden: “hi!!”']);
    await shoot('editor');
    await decide(page);

    await expect
      .poll(() => decided(id), { timeout: 30_000 })
      .toMatchObject({ type: 'approved', text: HIDDEN });
  });

  it('goes with one key, and comes back with an undo', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, HIDDEN);
    await marks().first().waitFor();
    await page.keyboard.press('Alt+i');
    await expect.poll(() => marks().count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => marks().count()).toBe(4);
    await page.keyboard.press('Alt+i');
    await expect.poll(() => marks().count()).toBe(0);
    await decide(page);

    await expect
      .poll(() => decided(id), { timeout: 30_000 })
      .toMatchObject({ type: 'approved', text: 'Rename 101201, never the other ' });
  });

  it('is marked where a text is read, which stays what it is', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await server.call('note.send', { episode: id, text: HIDDEN, timing: TIMING });
    await server.call('episode.stop', { episode: id, reason: null });
    await goTo(page, `#/live/${id}`);
    const line = timeline(page).locator('article', { hasText: 'Rename 101' }).first();
    await line.waitFor();

    expect(
      await line.locator('[data-mark]').evaluateAll((all) => all.map((one) => one.dataset['mark'])),
    ).toContain('RLO');
    await line.locator('[data-row-head]').click();
    const whole = line.locator('pre').first();
    expect(await whole.evaluate((pre) => pre.textContent)).toBe(HIDDEN);
    await shoot('timeline');
  });
});
