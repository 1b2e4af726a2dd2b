import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { goTo, openPanel, pressSequence, stepNames, timeline } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('reading an episode', (app) => {
  let page: Page;
  let id: string;
  beforeEach(async () => {
    id = await app.ask();
    await app.answer(id);
    await app.ended(id);
    page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await timeline(page).getByText('Started').waitFor();
  });

  it('can be done with the keyboard alone: from step to step, to the next error, open and closed', async () => {
    await page.keyboard.press('X');
    const focused = page.locator('[data-row-head]:focus');
    await expect.poll(() => focused.innerText()).toMatch(/Failed:/);
    await page.keyboard.press('Enter');
    await timeline(page).getByRole('region', { name: 'Error' }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focused.innerText()).toMatch(/^Turn\s2\s/);
    await pressSequence(page, 'g', 'g');
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
    await expect
      .poll(() => stepNames(page))
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/^Set the state of workflow/), 'Draft accepted']),
      );
  });

  it('shows what the agent read first, the events of a step as recorded, and the tools with what they take', async () => {
    await timeline(page).getByText('Started', { exact: true }).click();
    await timeline(page).getByText('What the agent read first').click();
    await timeline(page)
      .getByText(/The agent read: system prompt/)
      .waitFor();
    await timeline(page).getByText('Events as recorded').first().click();
    await timeline(page).getByText('episode.started').first().waitFor();

    await openPanel(page, 'Tools');
    await page
      .getByRole('textbox', { name: 'Search tools' })
      .or(page.getByRole('searchbox', { name: 'Search tools' }))
      .fill('subscribe_user');
    await page.getByText('subscribe_user', { exact: true }).last().click();
    await page.getByText('required').first().waitFor();
  });

  it('fits at 200 %: nothing is out of reach sideways', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    const steps = timeline(page).locator('[data-row-head]').first();
    const views = [
      [`#/episode/${id}`, steps],
      [`#/episode/${id}`, steps],
      ['#/desk', page.getByText('You’re all caught up')],
    ] as const;
    for (const [hash, content] of views) {
      await goTo(page, hash);
      await content.waitFor();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, hash).toBeLessThanOrEqual(0);
    }
  });
});
