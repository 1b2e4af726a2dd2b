import { afterEach, describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { serveWorlds, type Served } from '../support/worlds.ts';
import { goTo } from './console.ts';
import { withOne } from './one.ts';
import { START } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null)('the world of a server that is not ours', () => {
  const one = withOne(found);
  let served: Served | null = null;
  afterEach(() => served?.close());

  it('is said to be readable once the episode is over, and is read then from what the server left', async () => {
    served = await serveWorlds();
    const { id: environment } = await one.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const id = await one.ask({ environment, keeps_session: true });
    const page = await one.open();
    await goTo(page, `#/live/${id}`);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    await page.getByText('This server’s state can be read once the episode is over').waitFor();

    const record = await one.server.record(id);
    const [asked] = record.consultations;
    await one.server.call('desk.answer', {
      episode: id,
      consultation: asked?.id ?? '',
      text: typeof asked?.draft?.text === 'string' ? asked.draft.text : '',
      draft: asked?.draft?.id ?? null,
      seen_seq: record.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await expect
      .poll(async () => (await one.server.record(id)).ended?.reward_type, { timeout: 15_000 })
      .toBe('complete');
    await page.getByRole('tab', { name: 'World' }).click();
    const world = page.getByRole('region', { name: 'State of the world' });
    await world.getByText('At the end, read from a copy of the server’s session folder').waitFor();
    await world.getByText(/rows? changed since the start/).waitFor();
    await world.getByRole('button', { name: 'workflows', exact: true }).click();
    await world.getByText('Invoice archive sync').first().waitFor();
  });

  it('says what would have helped where the server kept nothing', async () => {
    served = await serveWorlds();
    const { id: environment } = await one.server.call('environments.add', {
      name: 'theirs',
      url: served.url,
    });
    const { episodes } = await one.server.call('episode.start', {
      ...START,
      environment,
      condition: 'none',
    });
    const [id = ''] = episodes;
    await expect
      .poll(async () => (await one.server.record(id)).ended?.outcome, { timeout: 15_000 })
      .toBe('done');
    const page = await one.open();
    await goTo(page, `#/live/${id}`);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: /^Show the state of the world/ }).click();
    await page.getByText('The server kept no session folder').waitFor();
    await page.getByText(/Start the episode with “Keep the server’s session folder”/).waitFor();
  });
});
