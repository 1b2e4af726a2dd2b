// How long after its address was entered the console can be used: until a key acts on the question that waits. With an
// empty cache, over a line of 1.6 Mbit/s and 300 ms there and back; the browser's own throttle holds up each request, the
// line of our own each connection too.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { removeFolder, START, startServer, type Server } from '../e2e/server.ts';
import { findBrowser, launch } from '../support/browser.ts';
import { median, ms } from './figures.ts';
import { openSlowLine, type Line } from './slowLine.ts';

const LINE: Line = { roundTripMs: 300, bitsPerSecond: 1_600_000 };
const RUNS = 5;
const ASSETS = join(import.meta.dirname, '../../out/renderer/assets');

type Say = (what: string, figure: string) => void;
type Timeline = { files: string[]; usable: number };

export async function measureFirstUse(say: Say): Promise<void> {
  say('the console’s first script, gzipped', firstScript());
  const found = findBrowser();
  if (found === null) return say('first use over a slow line', 'not measured: no browser here');
  const server = await startServer();
  const browser = await launch(found);
  const { port, close } = await openSlowLine(Number(new URL(server.url).port), LINE);
  const shaped = new URL(server.url);
  shaped.port = String(port);
  try {
    await ask(server);
    const throttled = await repeat(browser, server.url, throttle);
    const carried = await repeat(browser, shaped.href, () => Promise.resolve());
    tell(say, 'first use, throttled by the browser', throttled);
    tell(say, 'first use, over a line with handshakes', carried);
    for (const file of throttled.at(-1)?.files ?? []) console.log(`  ${file}`);
  } finally {
    await browser.close();
    await server.stop();
    removeFolder(server.folder);
    close();
  }
}

function tell(say: Say, what: string, runs: readonly Timeline[]): void {
  const took = runs.map(({ usable }) => usable);
  say(`${what}: middle, best of ${String(RUNS)}`, `${ms(median(took))}, ${ms(Math.min(...took))}`);
}

function firstScript(): string {
  const name = readdirSync(ASSETS).find((file) => /^index-.*\.js$/.test(file)) ?? '';
  return `${(gzipSync(readFileSync(join(ASSETS, name))).length / 1000).toFixed(0)} kB`;
}

/** A question with its draft waits. */
async function ask(server: Server): Promise<void> {
  await server.call('episode.start', START);
  while (!(await server.desk()).some(({ draft }) => draft !== null))
    await new Promise((done) => setTimeout(done, 100));
}

async function throttle(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  const bytes = LINE.bitsPerSecond / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.roundTripMs,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  });
}

type Prepare = (context: BrowserContext, page: Page) => Promise<void>;

async function repeat(browser: Browser, url: string, prepare: Prepare): Promise<Timeline[]> {
  const runs: Timeline[] = [];
  for (let at = 0; at < RUNS; at += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await prepare(context, page);
    await page.addInitScript(noteUsable);
    await page.goto(url, { waitUntil: 'commit' });
    const usable = await page.waitForFunction(() => (window as unknown as { usable?: number }).usable, null, {
      polling: 50,
    });
    runs.push({ usable: (await usable.jsonValue()) ?? 0, files: await page.evaluate(filesOf) });
    // A key does act: this one only opens a field.
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: /^Why are you declining/ }).waitFor();
    await context.close();
  }
  return runs;
}

/** In the page: notes in `usable` when the keys of the question count and its draft could be accepted. */
function noteUsable(): void {
  const look = (): void => {
    const isDeciding = document.querySelector('[data-fresh="false"]') !== null;
    const isEnabled = [...document.querySelectorAll('button')].some(
      (button) => button.textContent.startsWith('Accept') && !button.disabled,
    );
    if (isDeciding && isEnabled) Object.assign(window, { usable: performance.now() });
    else setTimeout(look, 4);
  };
  look();
}

/** In the page: what was fetched, from when to when, and its size on the line. */
function filesOf(): string[] {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .map(
      ({ name, startTime, responseEnd, transferSize }) =>
        `${startTime.toFixed(0).padStart(6)} ${responseEnd.toFixed(0).padStart(6)} ms ${String(transferSize).padStart(8)} B ${name.slice(name.lastIndexOf('/') + 1)}`,
    );
}
