import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { actionServer } from '../support/actionServer.ts';
import { pngOf } from '../support/png.ts';
import { goTo, openDetails, openPanel, pressStart } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const expectFocus = (button: Locator): Promise<void> =>
  expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);

describeConsole('an environment of actions', (app) => {
  let grid: Awaited<ReturnType<typeof actionServer>>;
  let page: Page;
  beforeEach(async () => {
    grid = await actionServer({ image: pngOf(64, 48) });
    await app.server.call('environments.add', { name: 'Grid', url: grid.url });
    page = await app.open();
  });
  afterEach(() => grid.close());

  it('is played by a person from the form of its action, to the end it declares', async () => {
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Start an episode' });
    await dialog.getByLabel('Environment').selectOption({ label: `Grid, ${grid.url}` });
    await dialog.getByRole('radio', { name: /^A person/ }).check();
    await dialog.getByText('Options', { exact: true }).click();
    await dialog.getByLabel('Maximum turns').waitFor();
    expect(await dialog.getByLabel('Who may advise').count()).toBe(0);
    expect(await dialog.getByLabel('How it calls tools').count()).toBe(0);
    expect(await dialog.getByLabel('Which calls need approval').count()).toBe(0);
    const id = await pressStart(page);

    const move = page.getByRole('region', { name: 'Your move' });
    for (const [at, action] of ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'].entries()) {
      await move.getByLabel(/^action/).selectOption({ label: action });
      await page.keyboard.press('ControlOrMeta+Enter');
      if (at < 3) await move.getByText(`Turn ${String(at + 1)}: `).waitFor();
    }
    await page.getByText('played by a person', { exact: true }).waitFor();
    await expect.poll(async () => (await app.server.record(id)).ended?.reward).toBeCloseTo(0.25);
    // The end of the game stays in sight, and neither a database nor an earlier board is claimed.
    const last = page.getByRole('region', { name: 'Your last move' });
    await last.getByText('You are there.').waitFor();
    const header = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
    expect(await header.getByText('You are in the corner.').count()).toBe(0);
    expect(await last.getByText('You are in the corner.').count()).toBe(0);
    await openDetails(page);
    await header.getByText('How it began').waitFor();
    await header.getByText('You are in the corner.').waitFor();
    await openPanel(page, 'World');
    await page.getByText('This environment has no database to show').waitFor();
    const { turns } = await app.server.record(id);
    expect(turns.map(({ actor }) => actor.type)).toEqual(['human', 'human', 'human', 'human']);

    await openPanel(page, 'Rewards');
    const rewards = page.getByRole('table', { name: 'Reward by turn' });
    expect(await rewards.getByRole('row').allInnerTexts()).toEqual([
      'Turn\tReward\tSo far',
      '1\t−0.25\t−0.25',
      '2\t−0.25\t−0.5',
      '3\t−0.25\t−0.75',
      '4\t1\t0.25',
    ]);
  });

  it('is audited in the settings, each promise with its evidence', async () => {
    await goTo(page, '#/setup/connect');
    await page.getByRole('button', { name: 'Audit' }).click();
    const audit = page.getByRole('region', { name: 'Audit of Grid' });
    await audit.getByText('Everything was found in order').waitFor();
    await audit.getByText(/^\d+ passed · 0 warned · 0 failed · \d+ not tried$/).waitFor();
    expect((await audit.getByRole('rowheader').allInnerTexts()).slice(0, 4)).toEqual([
      'connection',
      'description',
      'scenarios',
      'reset',
    ]);
    await audit.getByText('are not seen in the other').waitFor();
  });

  it('gets headers and a longer reset in the settings, and the headers’ values never come back to the page', async () => {
    await goTo(page, '#/setup/connect');
    await page.getByRole('button', { name: 'Change Grid' }).click();
    const form = page.getByRole('form', { name: 'Change Grid' });
    await form.getByRole('button', { name: 'Add header' }).click();
    await form.getByLabel('Header', { exact: true }).fill('X Team');
    await form.getByLabel('Value', { exact: true }).fill('zq7-blue-1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('“X Team” is no name of a header').waitFor();
    await form.getByLabel('Header', { exact: true }).fill('X-Team');
    await form.getByLabel('Seconds a reset may take').fill('400');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 header · resets up to 400 s').waitFor();
    await page.getByRole('button', { name: 'Change Grid' }).click();
    expect(await form.getByLabel('Value', { exact: true }).inputValue()).toBe('');
    await form.getByText('The stored one unless set.').waitFor();
    const { environments } = await app.server.call('environments.list', {});
    const id = environments.at(-1)?.id ?? '';
    expect((await app.server.call('environment.read', { id })).connection).toEqual({
      headers: ['X-Team'],
      ca_file: null,
      reset_seconds: 400,
      transport: 'auto',
      goes_on: false,
    });
  });

  it('is watched while it is audited, and given up with a click', async () => {
    const stuck = await actionServer({ breaks: 'never_resets' });
    const broken = await actionServer({ breaks: 'reset' });
    try {
      await app.server.call('environments.add', { name: 'Stuck', url: stuck.url });
      await app.server.call('environments.add', { name: 'Broken', url: broken.url });
      await goTo(page, '#/setup/connect');
      const line = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      await line('Stuck').getByRole('button', { name: 'Audit' }).click();
      const audit = page.getByRole('region', { name: 'Audit of Stuck' });
      await audit.getByRole('rowheader', { name: 'reset' }).waitFor();
      await audit.getByText('Auditing').waitFor();
      await audit.getByRole('button', { name: 'Cancel' }).click();
      await audit.getByText('Cancelled after 3 checks').waitFor();
      expect(await audit.getByRole('rowheader').count()).toBe(3);
      await expectFocus(line('Stuck').getByRole('button', { name: 'Audit', exact: true }));

      await line('Broken').getByRole('button', { name: 'Audit' }).click();
      const failed = page.getByRole('region', { name: 'Audit of Broken' });
      await failed.getByText('An episode cannot run here').waitFor();
      await failed.getByText('the board is missing').waitFor();
    } finally {
      await stuck.close();
      await broken.close();
    }
  });

  it('is added while its server hangs, and the check of it given up with a click', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await goTo(page, '#/setup/connect');
    const environments = page.getByRole('region', { name: 'Environments' });
    await environments.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${String(port)}`);
    await environments.getByLabel('Name', { exact: true }).fill('Silent');
    await environments.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the check of Silent' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'Silent' });
    await expectFocus(line.getByRole('button', { name: 'Check', exact: true }));
    expect(await line.getByRole('button', { name: /^Cancel/ }).count()).toBe(0);
    silent.close();
  });

  it('shows what came back as it is: the board in rows, the image, and the parts of the reward', async () => {
    const { environments } = await app.server.call('environments.list', {});
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      environment: environments.find(({ name }) => name === 'Grid')?.id ?? '',
      scenario: null,
      task_idx: null,
      condition: 'none',
    });
    await app.ended(episodes[0] ?? '');
    await goTo(page, `#/episode/${episodes[0] ?? ''}`);
    await page.getByText('grid_world_action').first().click();
    const seen = page.getByRole('region', { name: 'Observation', exact: true });
    const image = seen.getByRole('img', { name: /^image, image\/png/ });
    await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(64);
    expect(await seen.locator('pre').first().innerText()).toBe('1 0 0\n0 0 0\n0 0 0');
    expect(await seen.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^step\s+−0.25$/),
      expect.stringMatching(/^goal\s+0$/),
      expect.stringMatching(/^together\s+−0.25$/),
    ]);
  });
});
