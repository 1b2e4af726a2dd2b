// Owns: what a long replay with heavy texts costs the page that shows it: time to its first lines, and what stays in
// memory when all of it was read.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { goTo, openConsole } from '../e2e/console.ts';
import { newFolder, removeFolder, startServer } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { fillHeavy } from '../support/heavyEpisode.ts';
import { heapOf, openReplay } from './inPage.ts';
import type { Say } from './library.ts';

const STEPS = 10_000;

/** Opens it in a real browser; null without one. */
export async function measureReplayMemory(say: Say): Promise<void> {
  const found = findDesktopBrowser();
  if (found === null) return say('memory of a long replay', 'not measured: no browser here');
  const folder = newFolder();
  const bytes = fillHeavy(join(folder, 'interject.db'), 'heavy', STEPS);
  const server = await startServer({ folder });
  const browser = await launch(found);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await openConsole(context, server);
    await goTo(page, '#/library');
    await page.getByRole('grid', { name: 'Episodes' }).getByRole('row').first().waitFor();
    const before = await heapOf(page);
    const { first, all } = await page.evaluate(openReplay, 'heavy');
    const read = await heapOf(page);
    const walking = performance.now();
    await walk(page);
    const walkMs = performance.now() - walking;
    const walked = await heapOf(page);
    const found = await find(page, 'Order 9871-3"');
    const searched = await heapOf(page);
    const mb = (value: number): string => `${String(Math.round(value / 1_000_000))} MB`;
    say(
      `open a replay of ${STEPS.toLocaleString('en')} steps, ${mb(bytes)}: first rows, all of it; page memory before, read, walked, searched`,
      `${first.toFixed(0)} ms, ${all.toFixed(0)} ms; ${[before, read, walked, searched].map(mb).join(', ')}; walked in ${walkMs.toFixed(0)} ms, found in ${found.toFixed(0)} ms`,
    );
  } finally {
    await browser.close();
    await server.kill();
    removeFolder(folder);
  }
}

/** Opens every step and looks at 25 places all over the episode. */
async function walk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Expand all steps' }).click();
  await page.evaluate(async () => {
    const list = document.querySelector('[role="list"][aria-label="Steps of the episode"]');
    if (list === null) return;
    for (let at = 0; at <= 24; at += 1) {
      list.scrollTop = (list.scrollHeight * at) / 24;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  });
  await page.getByRole('button', { name: 'Collapse all steps' }).click();
}

/** Looks for words that stand in one result; how long until they are found. */
async function find(page: Page, words: string): Promise<number> {
  const from = performance.now();
  await page.getByRole('searchbox', { name: 'Find in this episode' }).fill(words);
  await page.getByText(/^(1 found|1 of 1)$/).waitFor({ timeout: 120_000 });
  return performance.now() - from;
}
