import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillHeavy } from '../support/heavyEpisode.ts';
import { goTo, openDetails, openPanel, timeline } from './console.ts';
import { describeConsole, describeConsoleWith, type ConsoleFixture } from './fixture.ts';
import { newFolder } from './server.ts';

/** An episode in which a person sent a draft with a change. */
async function helped(app: ConsoleFixture, text: string): Promise<string> {
  const id = await app.ask({ limits: { consultations: 1 } });
  await app.answer(id, () => text);
  await app.ended(id);
  return id;
}

describeConsole('a replay', (app) => {
  it('is walked by its outline and marks, and a step is taken along as Markdown', async () => {
    const id = await helped(app, 'Look again, the name is spelt otherwise.');
    const page = await app.open();
    await app.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo(page, `#/episode/${id}`);
    await openPanel(page, 'Outline');
    const outline = page.getByRole('listbox', { name: 'Outline' });
    await outline.getByText('Draft edited').waitFor();

    const placeIn = (): number => Number(new URL(page.url()).hash.split('n=')[1]);
    const { length } = await app.server.events(id);
    await expect.poll(placeIn).toBe(length);
    await outline.getByRole('option').nth(1).click();
    await expect.poll(placeIn).toBeLessThan(length);
    const early = placeIn();
    // Here the episode is not running: the replay stands at an earlier event of one that is over.
    const header = page.getByRole('main').locator('header').first();
    await header.getByText(`Replay at event ${String(early)} of ${String(length)}`).waitFor();
    expect(await header.getByText('Running').count()).toBe(0);
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy the episode as Markdown' }).click();
    await expect.poll(copied).toMatch(/- Outcome: Failed[^]*Look again, the name is spelt otherwise/);
    await page.getByRole('button', { name: 'Copy up to here as Markdown' }).click();
    await expect.poll(copied).toContain(`- Up to: event ${String(early)} of ${String(length)}`);
    await page.keyboard.press('>');
    await expect.poll(placeIn).toBeGreaterThan(early);

    const steps = page.getByRole('list', { name: 'Steps of the episode' });
    await steps.locator('[data-row-head]').nth(3).click();
    await page.getByRole('button', { name: 'Copy this step as Markdown' }).first().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^(## |\*)/);
  });
});

const withHeavy = async () => {
  const folder = newFolder();
  fillHeavy(join(folder, 'interject.db'), 'heavy', 1_500);
  return Promise.resolve({ folder });
};

describeConsoleWith({ serverOptions: withHeavy }, 'a replay of more text than a page keeps', (app) => {
  it('is searched, opened and taken along whole', async () => {
    await app.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await app.open();
    await goTo(page, '#/episode/heavy');
    await timeline(page).locator('[data-row-head]').first().waitFor();
    await page.getByText(/^Reading the rest/).waitFor({ state: 'detached' });

    // Words from the middle of a late result, and how that result ends.
    await page.getByRole('searchbox', { name: 'Find in this episode' }).fill('Order 1371-23"');
    await page.getByText('1 found').waitFor();
    await page.getByRole('button', { name: 'Next match' }).click();
    const step = timeline(page).locator('[data-row-head]', { hasText: /page\s*1371/ });
    await step.click();
    const result = timeline(page).getByRole('region', { name: 'Result' });
    await result.getByRole('button', { name: 'Verbatim' }).click();
    await result.getByRole('button', { name: 'Show all' }).click();
    await result.getByText('"next":1372}').waitFor();

    await page.getByRole('button', { name: 'Copy the episode as Markdown' }).click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(async () => (await copied()).length).toBeGreaterThan(5_000_000);
    const text = await copied();
    expect(text).toContain('"next":1372}');
    expect(text).toContain('"next":1501}');
    expect(text).not.toContain('the beginning of');
  });
});

describeConsole('two episodes', (app) => {
  it('stand side by side from the library, their steps aligned, what differs told apart', async () => {
    const plain = await app.play();
    const other = await helped(app, 'Look again, the name is spelt otherwise.');
    const page = await app.open();
    await goTo(page, '#/episodes');
    const rows = page.getByRole('grid', { name: 'Episodes' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('c');

    await page.waitForURL((url) => url.hash === `#/compare/${other}/${plain}`);
    await page.getByText(/First \d+ steps? in common/).waitFor();
    const pairs = page.getByRole('grid', { name: 'Steps side by side' }).getByRole('row');
    await pairs.first().waitFor();
    await pairs.first().locator('button').first().click();
    await page.keyboard.press('d');
    await page.getByRole('button', { name: /Show all steps/ }).waitFor();
    expect(await pairs.getByText('same', { exact: true }).count()).toBe(0);
    await page.keyboard.press('v');
    await page.waitForURL((url) => url.hash === `#/compare/${plain}/${other}`);
  });

  it('are a fork and its original, one link apart', async () => {
    const id = await app.play();
    const { episode } = await app.server.call('episode.fork', { episode: id, turn: 1 });
    await app.ended(episode);
    const page = await app.open();
    await goTo(page, `#/episode/${episode}`);
    await openDetails(page);
    await page.getByRole('link', { name: 'Compare with the original' }).click();
    await page.waitForURL((url) => url.hash === `#/compare/${id}/${episode}`);
    await page.getByText(/in common · nothing differs/).waitFor();
  });
});
