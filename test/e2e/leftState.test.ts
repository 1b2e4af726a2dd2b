import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { PACK, packsFolder, serveWorlds, type Served } from '../support/worlds.ts';
import { goTo, openPanel } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('the world of a server that is not ours', (app) => {
  let served: Served | null = null;
  afterEach(() => served?.close());

  it('is shown while it runs from a session of its own, and once it is over from what the server left', async () => {
    served = await serveWorlds();
    const { id: environment } = await app.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await app.ask({ environment, keeps_session: true });
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await openPanel(page, 'World');
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    const place = page.getByText(/After turn \d+, in a session of its own on the same server/);
    await place.waitFor();
    await page.getByText('Nothing was called since.').waitFor();

    await app.answer(id);
    await expect.poll(async () => (await app.server.record(id)).ended?.reward_type).toBe('complete');
    await openPanel(page, 'World');
    const world = page.getByRole('region', { name: 'State of the world' });
    await world.getByText('At the end, read from a copy of the server’s session folder').waitFor();
    await world.getByText(/rows? changed since the start/).waitFor();
    await world.getByRole('button', { name: 'workflows', exact: true }).click();
    await world.getByText('Invoice archive sync').first().waitFor();
  });

  it('says what would have helped where the server kept nothing and is gone', async () => {
    served = await serveWorlds();
    const { id: environment } = await app.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await app.play({ environment });
    await served.close();
    served = null;
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await openPanel(page, 'World');
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    await page.getByText('The server kept no session folder').waitFor();
    await page.getByText(/Start the episode with “Keep the server’s session folder”/).waitFor();
  });

  it('has no answer key where no data is known, and the cover says how to come by it', async () => {
    served = await serveWorlds({ packs: scenarioOfAnotherText() });
    const { id: environment } = await app.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await app.play({ environment, scenario: 'other_work' });
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await openPanel(page, 'Answer key');
    await page.getByText(/No answer key is known here/).waitFor();
    await page.getByText(/hf download Snowflake\/AgentWorldModel-1K/).waitFor();

    await app.server.call('settings.change', { awm: { data_folder: '/nowhere/at/all' } });
    await goTo(page, '#/setup/connect');
    await page.getByText(/\/nowhere\/at\/all holds no gen_verifier/).waitFor();
  });
});

/** A pack like ours under another name: nothing here knows its tasks. */
function scenarioOfAnotherText(): string {
  const folder = mkdtempSync(join(tmpdir(), 'packs-'));
  const pack = join(folder, 'other_work');
  cpSync(join(packsFolder, PACK), pack, { recursive: true });
  const file = join(pack, 'pack.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(PACK, 'other_work'));
  return folder;
}
