import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { actionServer } from '../support/actionServer.ts';
import { waitForLive } from './console.ts';
import { describeConsole } from './fixture.ts';
import { shootSchemes } from './pictures.ts';

describeConsole('an environment of actions', (app) => {
  let grid: Awaited<ReturnType<typeof actionServer>>;
  let page: Page;
  beforeEach(async () => {
    grid = await actionServer();
    await app.server.call('environments.add', { name: 'Grid', url: grid.url });
    page = await app.open();
  });
  afterEach(() => grid.close());

  it('is played by a person from the form of its action, to the end it declares', async () => {
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Start an episode' });
    await dialog.getByLabel('Environment').selectOption({ label: `Grid, ${grid.url}` });
    await dialog.getByRole('radio', { name: /^A person/ }).check();
    await dialog.getByRole('radio', { name: /^Human with a draft/ }).waitFor({ state: 'detached' });
    await shootSchemes(page, 'start-person');
    await dialog.getByRole('button', { name: /^Start/ }).click();
    const id = await waitForLive(page);

    const move = page.getByRole('region', { name: 'Your move' });
    for (const [at, action] of ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'].entries()) {
      await move.getByLabel(/^action/).selectOption({ label: action });
      if (at === 2) await shootSchemes(page, 'play-person');
      await page.keyboard.press('ControlOrMeta+Enter');
      if (at < 3) await move.getByText(`Turn ${String(at + 1)}: `).waitFor();
    }
    await page.getByText('played by a person', { exact: true }).waitFor();
    await expect.poll(async () => (await app.server.record(id)).ended?.reward).toBeCloseTo(0.25);
    const { turns } = await app.server.record(id);
    expect(turns.map(({ actor }) => actor.type)).toEqual(['human', 'human', 'human', 'human']);
  });
});
