// Owns: a test file that needs one server and one page: opened before each test, closed and looked over after it.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import { launch, type FoundBrowser } from '../support/browser.ts';
import { openConsole } from './console.ts';
import { removeFolder, START, startServer, type Server } from './server.ts';

export type One = {
  browser: Browser;
  server: Server;
  context: BrowserContext;
  complaints: string[];
  /** Another page of the same browser. */
  open: (takeBackMs?: number) => Promise<Page>;
  /** Starts an episode as the product's own API does, and waits until it asks. */
  ask: (over?: Partial<StartEpisode>) => Promise<string>;
};

/** Call it inside a `describe`; what it returns is filled before each test. */
export function withOne(found: FoundBrowser | null): One {
  const one = {} as One;
  beforeAll(async () => {
    if (found !== null) one.browser = await launch(found);
  });
  afterAll(() => one.browser.close());
  beforeEach(async () => {
    one.complaints = [];
    one.server = await startServer();
    one.context = await one.browser.newContext({ viewport: { width: 1280, height: 800 } });
    one.open = (takeBackMs = 0) => openConsole(one.context, one.server, one.complaints, takeBackMs);
    one.ask = async (over = {}) => {
      const { episodes } = await one.server.call('episode.start', { ...START, ...over });
      const [id = ''] = episodes;
      const asks = async (): Promise<number> => (await one.server.record(id)).consultations.length;
      await expect.poll(asks, { timeout: 10_000 }).toBeGreaterThan(0);
      return id;
    };
  });
  afterEach(async () => {
    await one.context.close();
    await one.server.stop();
    removeFolder(one.server.folder);
    expect(one.complaints).toEqual([]);
  });
  return one;
}

/** Runs a task without an expert to its end; the episode's id. */
export async function playAlone(server: Server, task: number): Promise<string> {
  const { episodes } = await server.call('episode.start', { ...START, task_idx: task, condition: 'none' });
  const [id = ''] = episodes;
  await expect.poll(async () => (await server.record(id)).ended?.outcome, { timeout: 20_000 }).toBe('done');
  return id;
}
