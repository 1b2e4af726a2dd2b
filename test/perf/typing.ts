// Owns: what a keystroke at the desk costs a person while 64 episodes are live, in a real browser: from the key's own
// time stamp to the frame that shows it.
import type { Page } from 'playwright-core';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { goTo, openConsole } from '../e2e/console.ts';
import { removeFolder, START, startServer, type Server } from '../e2e/server.ts';
import { startBusyModel } from './busyModel.ts';
import { listenToKeys } from './inPage.ts';

export type Typing = { waiting: number; running: number; eventsPerSecond: number; ms: number[] };

const LIVE = 64;
const KEYS = 300;
/** A fast typist's pause. */
const PAUSE_MS = 60;
const TEXT = 'Look the workflow up by its name first, then use the number it has. ';

/** Null where there is no browser. */
export async function measureTyping(): Promise<Typing | null> {
  const found = findDesktopBrowser();
  if (found === null) return null;
  const model = await startBusyModel();
  const env = {
    INTERJECT_AGENT_BASE_URL: model.url,
    INTERJECT_AGENT_API_KEY: 'none',
    INTERJECT_AGENT_MODEL: 'busy',
  };
  const server = await startServer({ env });
  const browser = await launch(found);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await openConsole(context, server);
    await startLive(server);
    await goTo(page, '#/desk');
    return await typeAtDesk(page, server);
  } finally {
    await browser.close();
    await server.kill();
    removeFolder(server.folder);
    model.close();
  }
}

async function startLive(server: Server): Promise<void> {
  const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'busy' };
  const limits = { turns: 10_000, stall_steps: 10_000 };
  await server.call('episode.start', { ...START, agent, limits, condition: 'human', repeats: LIVE });
}

const countOf = async (server: Server, status: 'running' | 'waiting'): Promise<number> =>
  (await server.call('episodes.page', { query: '', status, condition: null, offset: 0, limit: 1 })).total;

async function typeAtDesk(page: Page, server: Server): Promise<Typing> {
  const editor = page.getByRole('textbox', { name: 'Advice' });
  await editor.waitFor();
  while ((await countOf(server, 'waiting')) < LIVE / 2) await page.waitForTimeout(200);
  await page.waitForTimeout(3_000);
  await editor.click();
  await page.evaluate(listenToKeys);
  const before = await lastSeq(server);
  const startedAt = performance.now();
  for (let at = 0; at < KEYS; at += 1) {
    await page.keyboard.press(TEXT[at % TEXT.length] === ' ' ? 'Space' : (TEXT[at % TEXT.length] ?? 'a'));
    await page.waitForTimeout(PAUSE_MS);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const ms = await page.evaluate(() => (window as unknown as { painted: number[] }).painted);
  return {
    waiting: await countOf(server, 'waiting'),
    running: await countOf(server, 'running'),
    eventsPerSecond: ((await lastSeq(server)) - before) / seconds,
    ms,
  };
}

/** How far the log has got, as far as the rows say. */
async function lastSeq(server: Server): Promise<number> {
  const { rows } = await server.call('episodes.page', {
    query: '',
    status: null,
    condition: null,
    offset: 0,
    limit: LIVE,
  });
  return Math.max(0, ...rows.map(({ seq }) => seq));
}
