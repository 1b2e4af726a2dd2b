// Characters that cannot be seen carry a mark wherever a person reads or writes; what is sent is what was marked.
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { card, decide, goTo, startEpisode, timeline, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import { shootSchemes } from './pictures.ts';
import type { Server } from './server.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const HIDDEN = 'Rename 101\u202E201\u202C, never\u200B the other \u{E0068}\u{E0069}\u{E0021}\u{E0021}';

describeConsole('what cannot be seen', (app) => {
  let page: Page;
  let server: Server;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });
  const marks = () => card(page).locator('.cm-invisible');
  const decided = async (id: string) => (await server.record(id)).consultations[0]?.decision;
  it('is marked in the editor, and sent exactly as it is marked', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, HIDDEN);

    await card(page).getByText('7 invisible characters are marked and would be sent.').waitFor();
    await expect.poll(() => marks().allTextContents()).toEqual(['RLO', 'PDF', 'ZWSP', '4 hidden: “hi!!”']);
    await shootSchemes(page, 'editor');
    await decide(page);

    await expect.poll(() => decided(id)).toMatchObject({ type: 'approved', text: HIDDEN });
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
      .poll(() => decided(id))
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

    await line.locator('[data-mark="RLO"]').first().waitFor();
    await line.locator('[data-row-head]').click();
    const whole = line.locator('pre').first();
    expect(await whole.evaluate((pre) => pre.textContent)).toBe(HIDDEN);
    await shootSchemes(page, 'timeline');
  });
});
