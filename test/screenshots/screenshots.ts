// Pictures of every view from a real run, in light and dark, at two sizes. Run with `npm run screenshots`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { goTo, openConsole } from '../e2e/console.ts';
import { removeFolder, startServer, type Server } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { writeContactSheet } from './contactSheet.ts';
import { emptyScenes, fullScenes, guideScenes, lostScenes, seatScenes, type Scene } from './scenes.ts';
import { fillStage } from './stage.ts';

const USAGE = `npm run screenshots [-- --out DIR] [--only TEXT] [--sizes LIST] [--of DIR] [--mask]

Takes pictures of every view from a run of the built product, in light and dark, at 1280x800 and 1920x1080.
--out DIR    the folder of the pictures and of index.html, which shows them all (out/screenshots by default)
--only TEXT  only scenes whose names fit this pattern
--sizes LIST widths and heights of the window (1280x800,1920x1080 by default)
--of DIR     another checkout, built, whose views are shown
--mask       hides what the clock says, so that two runs can be compared`;
/** A step of a scene that takes longer is told of, and the picture is taken as it is. */
const STEP_MS = 6_000;

/** A busy machine takes long over a picture. */
const PICTURE_MS = 60_000;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'out/screenshots' },
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '1280x800,1920x1080' },
    of: { type: 'string', default: '.' },
    mask: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);
const only = new RegExp(values.only);
const sizes = values.sizes.split(',').map(readSize);
const problems: string[] = [];

function readSize(text: string): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new Error(`${text} is no size such as 1280x800`);
  return { width: Number(width), height: Number(height) };
}

/** Resolves when nothing on the page has changed for a moment; a page that never rests is taken as it is. */
const rest = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let timer = setTimeout(finish, 250);
        const limit = setTimeout(finish, 3000);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(finish, 250);
        });
        function finish(): void {
          observer.disconnect();
          clearTimeout(limit);
          done();
        }
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  );

const isWanted = ({ name }: Scene): boolean => only.test(name);

async function takeAll(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await rest(page);
      await page.screenshot({
        path: join(out, `${name}-${String(size.width)}-${colorScheme}.png`),
        animations: 'disabled',
        timeout: PICTURE_MS,
        caret: 'hide',
        ...(values.mask ? { style: 'time, [data-clock] { color: transparent !important; }' } : {}),
      });
    }
  }
}

async function takeScene(page: Page, { name, hash, prepare }: Scene): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Escape');
  // What the last scene left open or wrote is gone; who is on seat stays.
  await page.evaluate(() => {
    const kept = Object.keys(localStorage).filter((key) => /library|data-|panes/.test(key));
    for (const key of kept) localStorage.removeItem(key);
  });
  await page.reload();
  await page.waitForFunction(() => document.title.endsWith(' · Interject'));
  await goTo(page, `#${hash}`);
  await rest(page);
  try {
    await prepare?.(page);
  } catch (thrown) {
    problems.push(
      `${name}: ${thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)}`,
    );
  }
  await takeAll(page, name);
}

async function takeScenes(page: Page, scenes: readonly Scene[]): Promise<void> {
  for (const scene of scenes.filter(isWanted)) {
    console.log(scene.name);
    await takeScene(page, scene);
  }
}

async function openPage(browser: Browser, server: Server): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(STEP_MS);
  return openConsole(context, server, problems);
}

/** Makes the project with the questions the dialog suggests. */
async function makeProject(page: Page): Promise<void> {
  await goTo(page, '#/review');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByRole('textbox', { name: 'Project name' }).fill('Why it fails');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function takeSeat(browser: Browser, server: Server, scenes: readonly Scene[]): Promise<void> {
  if (!scenes.some(isWanted)) return;
  const isGuide = scenes === guideScenes;
  const { token } = await server.call('invites.create', { label: isGuide ? 'Bo' : 'Ada' });
  const url = server.url.replace(/#.*$/, `#token=${token}`);
  const page = await openPage(browser, { ...server, url });
  if (!isGuide) await page.getByRole('button', { name: 'Skip' }).click();
  await takeScenes(page, scenes);
}

async function takePictures(browser: Browser): Promise<void> {
  const server = await startServer({ root: resolve(values.of) });
  try {
    const page = await openPage(browser, server);
    await takeScenes(page, emptyScenes);
    const stage = await fillStage(server, () => makeProject(page));
    await takeScenes(page, fullScenes(stage));
    await takeSeat(browser, server, seatScenes);
    await takeSeat(browser, server, guideScenes);
    await goTo(page, '#/episodes');
    await server.stop();
    for (const { name } of lostScenes.filter(isWanted)) await takeAll(page, name);
  } finally {
    await server.stop();
    removeFolder(server.folder);
  }
}

async function main(): Promise<void> {
  if (values.help) return console.log(USAGE);
  const found = findDesktopBrowser();
  if (found === null) throw new Error('no Chromium here: name one in CHROMIUM_PATH');
  mkdirSync(out, { recursive: true });
  rmSync(join(out, 'problems.txt'), { force: true });
  const browser = await launch(found);
  try {
    await takePictures(browser);
  } finally {
    await browser.close();
  }
  if (problems.length > 0) writeFileSync(join(out, 'problems.txt'), `${problems.join('\n')}\n`);
  for (const problem of problems) console.log(`Problem: ${problem}`);
  console.log(`Pictures: ${writeContactSheet(out)}`);
}

await main();
