import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { card, decide, timeline, waitForDraft } from './console.ts';
import { withOne } from './one.ts';

const found = findBrowser();

/** Presses Tab until the focus stands on something that is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (element === null) return '';
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const words = labels.map((label) => label.innerText).join(' ');
      return `${element.getAttribute('aria-label') ?? ''} ${words} ${element.textContent ?? ''}`.trim();
    });
  for (let tries = 0; tries < 60; tries += 1) {
    if (name.test(await focused())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${String(name)}; it stands on ${await focused()}`);
}
const episodeOf = (page: Page): string => decodeURIComponent(page.url().split('#/live/')[1] ?? '');

describe.skipIf(found === null)('without a mouse', () => {
  const one = withOne(found);

  it('an episode is started, its question answered in changed words, its end read and looked into', async () => {
    const page = await one.open();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Start an episode' }).waitFor();
    await tabTo(page, /^workflow_automation_1/);
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /^Task 0 / }).waitFor();
    await tabTo(page, /^Task 0/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^(Human|No expert|Model)/);
    for (let tries = 0; tries < 5; tries += 1) {
      if (await page.getByRole('radio', { name: /^Human with a draft/ }).isChecked()) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForURL((url) => url.hash.startsWith('#/live/'));
    const id = episodeOf(page);

    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await waitForDraft(page);
    await page.keyboard.press('e');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\nPriya is in workspace 1.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await decide(page);
    await page.getByText('Edited draft sent').waitFor();
    await expect
      .poll(async () => (await one.server.record(id)).ended?.outcome, { timeout: 20_000 })
      .toBe('done');
    expect((await one.server.record(id)).consultations[0]?.decision).toMatchObject({ act: 'edit' });

    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').or(page.getByRole('combobox')).first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByText('workflow_automation_1 #0').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await timeline(page).waitFor();
    await page.keyboard.press('G');
    await page.keyboard.press('z');
    await timeline(page).getByText('The verifier says complete').first().waitFor();
  });

  it('two questions are answered one after the other, one accepted, one declined with its reason', async () => {
    const first = await one.ask();
    const second = await one.ask({ task_idx: 7 });
    const page = await one.open();
    await waitForDraft(page);
    expect(await card(page).getAttribute('data-consultation')).toContain(first);
    await decide(page, 'a');
    await expect.poll(() => card(page).getAttribute('data-consultation')).toContain(second);
    await waitForDraft(page);
    await page.keyboard.press('r');
    await page.keyboard.type('Ask your own team first');
    await decide(page);
    await page.getByText('You’re all caught up').waitFor();

    const decisionOf = async (id: string) => (await one.server.record(id)).consultations[0]?.decision;
    expect(await decisionOf(first)).toMatchObject({ type: 'approved', act: 'accept' });
    expect(await decisionOf(second)).toMatchObject({ type: 'declined', reason: 'Ask your own team first' });
  });
});
