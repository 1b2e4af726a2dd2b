import { afterEach, expect, it } from 'vitest';
import { serveWorlds, type Served } from '../support/worlds.ts';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('the world of a server that is not ours', (app) => {
  let served: Served | null = null;
  afterEach(() => served?.close());

  it('is said to be readable once the episode is over, and is read then from what the server left', async () => {
    served = await serveWorlds();
    const { id: environment } = await app.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await app.ask({ environment, keeps_session: true });
    const page = await app.open();
    await goTo(page, `#/live/${id}`);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    await page.getByText('This server’s state can be read once the episode is over').waitFor();

    await app.answer(id);
    await expect.poll(async () => (await app.server.record(id)).ended?.reward_type).toBe('complete');
    await page.getByRole('tab', { name: 'World' }).click();
    const world = page.getByRole('region', { name: 'State of the world' });
    await world.getByText('At the end, read from a copy of the server’s session folder').waitFor();
    await world.getByText(/rows? changed since the start/).waitFor();
    await world.getByRole('button', { name: 'workflows', exact: true }).click();
    await world.getByText('Invoice archive sync').first().waitFor();
  });

  it('says what would have helped where the server kept nothing', async () => {
    served = await serveWorlds();
    const { id: environment } = await app.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await app.play({ environment });
    const page = await app.open();
    await goTo(page, `#/live/${id}`);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    await page.getByText('The server kept no session folder').waitFor();
    await page.getByText(/Start the episode with “Keep the server’s session folder”/).waitFor();
  });
});
