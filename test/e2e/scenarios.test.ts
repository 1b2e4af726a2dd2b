import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { generatedScenarios } from '../support/scenarioList.ts';
import { scenarioServer } from '../support/scenarioServer.ts';
import { describeConsole } from './fixture.ts';

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? '');

/** The name of a scenario's row and the words of the task that was found in it. */
async function readRow(row: Locator): Promise<{ name: string; task: string }> {
  const [, name = '', task = ''] = /^(\S+)\s+([^]+)$/.exec(await row.innerText()) ?? [];
  return { name, task: task.trim() };
}

describeConsole('choosing one of ten thousand tasks', (app) => {
  it('is done by typing and arrows, and forgets what the server does not list any more', async () => {
    const server = await scenarioServer(generatedScenarios());
    try {
      const { id } = await app.server.call('environments.add', { name: 'Thousand', url: server.url });
      const page = await app.open();
      await page.keyboard.press('s');
      const dialog = page.getByRole('dialog', { name: 'Start an episode' });
      await dialog.getByLabel('Environment').selectOption(id);
      const search = dialog.getByRole('searchbox', { name: 'Find scenarios and tasks' });
      await dialog.getByText('1,000 scenarios').waitFor();
      const rows = dialog.getByRole('radiogroup', { name: 'Scenario' }).getByRole('radio');
      expect(await rows.count()).toBeLessThan(60);
      expect(await rows.first().getAttribute('aria-setsize')).toBe('1000');

      await search.fill('etsy shipment tomás');
      await dialog.getByText(/^\d+ of 1,000$/).waitFor();
      await expect.poll(() => rows.first().getAttribute('aria-checked')).toBe('true');
      const starts = dialog.getByRole('contentinfo').getByRole('status');
      const isNamed = async (row: Locator): Promise<void> => {
        const { name, task } = await readRow(row);
        await starts.getByText(`${name}, task `).waitFor();
        await starts.getByText(task, { exact: true }).waitFor();
      };
      await isNamed(rows.first());
      await page.keyboard.press('PageDown');
      const second = rows.nth(1);
      await expect.poll(() => second.getAttribute('aria-checked')).toBe('true');
      expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(await second.locator('mark').count()).toBeGreaterThan(0);
      await isNamed(second);
      const { task } = await readRow(second);
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedText(page)).toContain(task);
      await page.keyboard.press('Home');
      await expect.poll(() => focusedText(page)).toMatch(/ Task \d/);

      await search.fill('');
      await dialog.getByText('1,000 scenarios').waitFor();
      await dialog.getByRole('radiogroup', { name: 'Scenario' }).focus();
      await page.keyboard.press('End');
      await dialog.getByRole('radio', { name: /_999 / }).waitFor();
      await expect
        .poll(() => dialog.getByRole('radio', { name: /_999 / }).getAttribute('aria-checked'))
        .toBe('true');

      server.list([{ name: 'the_new_one', description: '', tasks: ['Do it.', 'Do it again.'] }]);
      await dialog.getByRole('button', { name: 'Read the scenarios again' }).click();
      await dialog.getByText('1 scenario', { exact: true }).waitFor();
      await expect
        .poll(() => dialog.getByRole('radio', { name: /^the_new_one/ }).getAttribute('aria-checked'))
        .toBe('true');
      await search.fill('nothing like it');
      await dialog.getByText('No scenario or task matches.').waitFor();
      await dialog.getByText('Nothing to start: no scenario or task matches the search.').waitFor();
      expect(await dialog.getByRole('button', { name: /^Start/ }).isDisabled()).toBe(true);
      await page.keyboard.press('Control+Enter');
      expect(await dialog.isVisible()).toBe(true);

      await server.close();
      await dialog.getByRole('button', { name: 'Read the scenarios again' }).click();
      await dialog.getByText('Could not read the scenarios').waitFor();
    } finally {
      await server.close();
    }
  });
});
