import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo, pressSequence } from './console.ts';
import { describeConsole, type ConsoleFixture } from './fixture.ts';

const number = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
/** Opens a group of numbers, which says its values until then. */
const unfold = (page: Page, group: string): Promise<void> =>
  page.getByRole('complementary', { name: 'Reward settings' }).getByText(group, { exact: true }).click();
const region = (page: Page, name: string) => page.getByRole('region', { name });

/** Two tasks that end without anybody having done them, one of them after its second turn, whose call is well formed. */
async function fill(app: ConsoleFixture): Promise<void> {
  await app.play();
  await app.play({ limits: { turns: 2 } });
}

describeConsole('the reward lab', (app) => {
  it('has nothing to score before an episode has ended', async () => {
    const page = await app.open();
    await pressSequence(page, 'g', 'r');
    await page.getByRole('heading', { name: 'No episodes to score' }).waitFor();
    // An example instead, by the numbers on screen.
    await page.getByRole('row', { name: 'Complete, alone 2.000' }).waitFor();
    await unfold(page, 'Added on completion');
    await number(page, 'Solo').fill('3');
    await page.getByRole('row', { name: 'Complete, alone 4.000' }).waitFor();
  });

  it('shows what other numbers would do, keeps a profile, brings a removed one back, and stores scores', async () => {
    await fill(app);
    const page = await app.open();
    await goTo(page, '#/lab');
    await region(page, 'Verifier completion').getByText('of 2').waitFor();
    await page.getByText('None of 2 episodes change.').waitFor();

    await page.getByText('solo 1 · recovery 0.3 · blind −0.2').waitFor();
    for (const group of ['Added on completion', 'Weights']) await unfold(page, group);
    // A rule that breaks is told at its number, and nothing is scored by it.
    await number(page, 'Blind').fill('5');
    await page.getByText('The order solo > recovery > blind does not hold.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as…' }).isDisabled()).toBe(true);
    await number(page, 'Blind').fill('-0.2');
    await number(page, 'Efficiency').fill('0.05');
    await page.getByText('0.1 too little').waitFor();
    // Neither was completed: what form earns more of, both get without having earned it.
    await number(page, 'Format compliance').fill('0.3');
    await page.getByRole('button', { name: 'Rubric', exact: true }).click();
    await page.getByText('2 of 2 episodes rise').first().waitFor();
    await region(page, 'Reward without completion').getByText('Gains without completion').first().waitFor();

    await page.getByRole('button', { name: 'Save as…' }).click();
    await page.keyboard.type('verdict first');
    await page.keyboard.press('Enter');
    await page.getByText('Saved verdict first, version 1').first().waitFor();
    await page.getByRole('button', { name: 'Store 2 scores by verdict first' }).click();
    await page.getByText('Stored 2 scores by verdict first').first().waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('verdict first');

    await page.getByRole('button', { name: 'Profiles' }).click();
    await page.getByRole('menuitem', { name: 'Remove verdict first' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    const names = async () =>
      (await app.server.call('rewards.profiles', {})).profiles.map(
        ({ name, version }) => `${name} ${String(version)}`,
      );
    await expect.poll(names).toEqual(['default 0', 'verdict first 2']);

    // What is typed stays over a reload.
    await page.reload();
    await unfold(page, 'Weights');
    await expect.poll(() => number(page, 'Efficiency').inputValue()).toBe('0.05');
    await page.getByRole('region', { name: 'Reward without completion' }).waitFor();
  });
});
