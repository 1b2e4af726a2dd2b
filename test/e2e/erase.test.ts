import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectNoFindings } from './axePage.ts';
import { goTo } from './console.ts';
import { describeConsole, type ConsoleFixture } from './fixture.ts';

const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the episode' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Erase from the log' });
const logOf = async (app: ConsoleFixture, id: string): Promise<string> =>
  JSON.stringify(await app.server.events(id));

describeConsole('a finished episode', (app) => {
  it('loses one selected text everywhere, on screen and in the log, once a reason is given', async () => {
    const id = await app.play();
    const task = (await app.server.record(id)).reset?.task;
    const words = (typeof task === 'string' ? task : '').slice(0, 20);
    expect(await logOf(app, id)).toContain(words);
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await steps(page).waitFor();

    // What is selected on the page stands in the dialog.
    await page.evaluate((begin) => {
      const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, 4);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(begin) ?? -1;
        if (at === -1) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + begin.length);
        window.getSelection()?.removeAllRanges();
        window.getSelection()?.addRange(range);
        return;
      }
    }, words);
    await page.keyboard.press('E');
    await dialog(page).waitFor();
    await expectNoFindings(page, 'what to erase');
    await expect.poll(() => dialog(page).getByLabel('The exact text').inputValue()).toBe(words);
    await dialog(page)
      .getByText(/^The log, (less than 1|\d+) MB, is rewritten/)
      .waitFor();
    const go = dialog(page).getByRole('button', { name: 'Erase the text' });
    expect(await go.isDisabled()).toBe(true);
    await dialog(page).getByLabel('Why').fill('a name in it');
    await go.click();

    await page.getByText(/^Erased: \d+ events changed/).waitFor();
    expect(await logOf(app, id)).not.toContain(words);
    await steps(page).waitFor();
    await expect.poll(() => page.locator('body').innerText()).not.toContain(words);
  });

  it('loses every text, a step’s own texts being offered one by one, and no export takes it', async () => {
    const id = await app.play();
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await steps(page).waitFor();
    await steps(page).locator('[data-row-head]').nth(4).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    await dialog(page).getByLabel('One text, wherever it appears in the episode').check();
    const offered = dialog(page).getByRole('group', { name: 'Texts of this step' }).getByRole('button');
    await offered.first().click();
    await expect.poll(() => dialog(page).getByLabel('The exact text').inputValue()).toMatch(/.{6}/);

    await dialog(page).getByLabel('All text of the episode').check();
    await dialog(page).getByLabel('Why').fill('the customer asked for it');
    await dialog(page).getByRole('button', { name: 'Erase the episode' }).click();
    await page.getByText(/^Erased: \d+ events changed/).waitFor();
    const record = await app.server.record(id);
    expect(record.reset?.task).toMatch(/^\[erased sha256:/);
    expect(record.erased).toMatchObject({ what: 'episode', reason: 'the customer asked for it' });
    await steps(page).waitFor();
  });
});
