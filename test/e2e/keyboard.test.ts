import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, decide, pressSequence, taskOption, timeline, waitForDraft, watchLink } from './console.ts';
import { describeConsole } from './fixture.ts';

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

describeConsole('without a mouse', (app) => {
  it('an episode is started, its question answered in changed words, its end read and looked into', async () => {
    const page = await app.open();
    await page.keyboard.press('s');
    await page.getByRole('radio', { name: /^loomline_workflows/ }).waitFor();
    await tabTo(page, /^Scenario +loomline_workflows/);
    await page.keyboard.press('Home');
    await taskOption(page.getByRole('dialog', { name: 'Start an episode' }), 0).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, / Task 0( |$)/);
    await tabTo(page, /^(Human|No expert|Model)/);
    for (let tries = 0; tries < 5; tries += 1) {
      if (await page.getByRole('radio', { name: /^Human with a draft/ }).isChecked()) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ControlOrMeta+Enter');
    // Who starts from the desk stays there.
    const id = (await watchLink(page).getAttribute('href'))?.split('/').at(-1) ?? '';
    await page.getByRole('main', { name: 'Desk' }).waitFor();
    await waitForDraft(page);
    await page.keyboard.press('e');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n\nPriya is in workspace 1.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await decide(page);
    await page.getByText('Edited draft sent').waitFor();
    await expect.poll(async () => (await app.server.record(id)).ended?.outcome).toBe('done');
    expect((await app.server.record(id)).consultations[0]?.decision).toMatchObject({ act: 'edit' });

    await pressSequence(page, 'g', 'l');
    await page.getByRole('main', { name: 'Live' }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').or(page.getByRole('combobox')).first().waitFor();
    await page.keyboard.press('Escape');
    await pressSequence(page, 'g', 'b');
    await page.getByRole('main', { name: 'Library' }).getByText('loomline_workflows #0').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await timeline(page).waitFor();
    await page.keyboard.press('G');
    await page.keyboard.press('z');
    await timeline(page).getByText('The verifier says complete').first().waitFor();
  });

  it('two questions are answered one after the other, one accepted, one declined with its reason', async () => {
    const first = await app.ask();
    const second = await app.ask({ task_idx: 7 });
    const page = await app.open();
    await waitForDraft(page);
    await page.getByRole('link', { name: 'Desk, 2 waiting', exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+b');
    await page.getByRole('button', { name: 'Hide the names' }).waitFor();
    expect(await card(page).getAttribute('data-consultation')).toContain(first);
    await decide(page, 'a');
    await page.keyboard.press('n');
    await expect.poll(() => card(page).getAttribute('data-consultation')).toContain(second);
    await waitForDraft(page);
    await page.keyboard.press('r');
    await page.keyboard.type('Ask your own team first');
    await decide(page);
    await card(page).getByText('Declined; the agent reads your reason').waitFor();
    await page.keyboard.press('n');
    await page.getByText('You’re all caught up').waitFor();
    // A screen reader hears how the episodes went, without having been asked.
    await page
      .locator('[data-news]')
      .filter({ hasText: /^[A-Z0-9].*(: At Harbor|episodes ended)/ })
      .waitFor({ state: 'attached' });
    await page.reload();
    await page.getByRole('button', { name: 'Hide the names' }).waitFor();

    const decisionOf = async (id: string) => (await app.server.record(id)).consultations[0]?.decision;
    expect(await decisionOf(first)).toMatchObject({ type: 'approved', act: 'accept' });
    expect(await decisionOf(second)).toMatchObject({ type: 'declined', reason: 'Ask your own team first' });
  });
});
