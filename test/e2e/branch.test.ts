import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { decide, goTo, startEpisode, timeline, verdict, waitForDraft, waitForLive } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('going on from a place of an episode', (app) => {
  let page: Page;
  beforeEach(async () => {
    page = await app.open();
  });

  it('forks a finished episode with one key: same past, a rebuilt world, and an end of its own', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await decide(page, 'a');
    await verdict(page).filter({ hasText: 'Complete reward 1' }).waitFor();
    const first = await app.server.record(id);
    await goTo(page, `#/replay/${id}?n=${String(first.n)}`);
    await page.getByRole('button', { name: /^Fork after turn/ }).waitFor();

    await page.keyboard.press('f');
    const fork = await waitForLive(page, id);
    await timeline(page).getByText('Continues another episode').waitFor();
    await verdict(page).filter({ hasText: 'Complete reward 1' }).waitFor();

    const record = await app.server.record(fork);
    expect(record.forked).toMatchObject({ from: id, why: 'fork', drift: [] });
    expect(record.turns.filter(({ isCopied }) => isCopied).length).toBeGreaterThan(4);
  });
});
