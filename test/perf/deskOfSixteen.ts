// How long a person's keys take to empty a desk on which sixteen drafted questions wait, in a real browser, and how
// evenly the console paints meanwhile.
import type { Page } from 'playwright-core';
import { goTo, openConsole } from '../e2e/console.ts';
import { removeFolder, START, startServer, type Server } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { ms, quantile } from './figures.ts';

const QUESTIONS = 16;
const WORLDS = ['loomline_workflows', 'maplecart_shop'];
/** More keys than this do not come from a desk that can be emptied. */
const KEYS_MAX = 200;
/** A person's eyes on a card before the next key; the deciding keys rest for most of it. */
const PAUSE_MS = 60;

export async function measureDeskOfSixteen(say: (what: string, figure: string) => void): Promise<void> {
  const found = findDesktopBrowser();
  if (found === null) return say('a desk of 16 questions emptied', 'not measured: no browser here');
  const server = await startServer();
  const browser = await launch(found);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await openConsole(context, server, [], 3_000);
    await ask(server);
    await goTo(page, '#/desk');
    await page.locator('[data-consultation]').waitFor();
    const frames = await startFrames(page);
    const { keys, took } = await emptyDesk(page, server);
    const painted = await frames();
    say(
      `a desk of ${String(QUESTIONS)} drafted questions emptied: keys, time`,
      `${String(keys)}, ${ms(took)}`,
    );
    say(
      'frames meanwhile: p50, p95, longest',
      [quantile(painted, 0.5), quantile(painted, 0.95), Math.max(...painted)].map(ms).join(', '),
    );
  } finally {
    await browser.close();
    await server.kill();
    removeFolder(server.folder);
  }
}

/** Resolves when every question waits with its draft. */
async function ask(server: Server): Promise<void> {
  for (let at = 0; at < QUESTIONS; at += 1) {
    const scenario = WORLDS[at % WORLDS.length] ?? null;
    await server.call('episode.start', { ...START, scenario, task_idx: Math.floor(at / WORLDS.length) });
  }
  const isReady = async (): Promise<boolean> => {
    const items = await server.desk();
    return items.length === QUESTIONS && items.every(({ draft }) => draft !== null);
  };
  while (!(await isReady())) await new Promise((done) => setTimeout(done, 100));
}

/** Presses `a` on each card as soon as its keys count, and `n` where the card stays in front afterwards. */
async function emptyDesk(page: Page, server: Server): Promise<{ keys: number; took: number }> {
  const startedAt = performance.now();
  let keys = 0;
  const answered = new Set<string>();
  while (answered.size < QUESTIONS && keys < KEYS_MAX) {
    const card = page.locator('[data-consultation]').first();
    const id = await card.getAttribute('data-consultation');
    const isFresh = (await card.getAttribute('data-fresh')) === 'true';
    if (id === null || isFresh) {
      await page.waitForTimeout(10);
      continue;
    }
    await page.keyboard.press(answered.has(id) ? 'n' : 'a');
    answered.add(id);
    keys += 1;
    await page.waitForTimeout(PAUSE_MS);
  }
  const took = performance.now() - startedAt;
  while ((await server.desk()).length > 0) await page.waitForTimeout(50);
  return { keys, took };
}

/** Notes the time between two frames until it is asked for them. */
async function startFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const note = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { frames });
  });
  return () => page.evaluate(() => (window as unknown as { frames: number[] }).frames);
}
