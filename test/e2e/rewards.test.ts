import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';

const form = (page: Page) => page.getByRole('form', { name: 'Reward profile' });
const number = (page: Page, name: string) => form(page).getByRole('spinbutton', { name, exact: true });
/** Opens a group of numbers, which says its values until then. */
const unfold = (page: Page, group: string): Promise<void> => form(page).getByText(group).first().click();

describeConsole('reward profiles', (app) => {
  it('are edited in the settings, told where they break a rule, and shown as columns of the library', async () => {
    await app.play();
    const page = await app.open();
    await goTo(page, '#/setup/rewards');
    await page.getByText('solo 1 · recovery 0.3 · blind −0.2').waitFor();
    for (const group of ['Added on completion', 'By the verifier’s label', 'Weights'])
      await unfold(page, group);
    await form(page).getByLabel('Name').fill('generous');
    const save = form(page).getByRole('button', { name: 'Save the profile' });

    await number(page, 'Blind').fill('5');
    await page.getByText('The order solo > recovery > blind does not hold.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await number(page, 'Blind').fill('-0.2');
    await number(page, 'Efficiency').fill('0.05');
    await page.getByText('0.1 too little').waitFor();
    await number(page, 'Efficiency').fill('0.15');
    await number(page, 'Incomplete').fill('0.25');
    await number(page, 'Anything else').fill('0.25');
    await save.click();
    await page.getByText('Saved generous, version 1').first().waitFor();

    // Nobody completed the task: both profiles pay for that, the new one more.
    await goTo(page, '#/episodes');
    for (const column of ['Shaped, default', 'Shaped, generous']) {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemradio', { name: column }).click();
    }
    const list = page.getByRole('grid', { name: 'Episodes' });
    await list.getByRole('gridcell', { name: '0.25', exact: true }).waitFor();

    await goTo(page, '#/setup/rewards');
    await form(page).waitFor();
    await page.getByLabel('Profile', { exact: true }).selectOption('generous');
    await form(page).getByRole('button', { name: 'Remove generous' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    const names = async () =>
      (await app.server.call('settings.read', {})).reward_profiles.map(
        ({ name, version }) => `${name} ${String(version)}`,
      );
    await expect.poll(names).toEqual(['default 0', 'generous 2']);
  });
});
