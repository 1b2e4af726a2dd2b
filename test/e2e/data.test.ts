import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { goTo } from './console.ts';
import { withOne, type One } from './one.ts';
import { START } from './server.ts';

const found = findBrowser();
const root = resolve(import.meta.dirname, '../..');
const shots = process.env['INTERJECT_SHOTS'];

/** Pictures for people to look at, where a folder is named. */
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  for (const [size, width, height, scheme] of [
    ['1280-light', 1280, 800, 'light'],
    ['1280-dark', 1280, 800, 'dark'],
    ['1920', 1920, 1080, 'light'],
    // A window of 1280 by 800 at 200 %.
    ['zoom', 640, 400, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(100);
    await page.screenshot({ path: join(shots, `${name}-${size}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview', exact: true });
const rulesOf = (page: Page) => page.getByRole('region', { name: 'Rules', exact: true });
const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('radiogroup', { name: 'Format' }).getByText(name, { exact: true }).click();
const settle = (page: Page): Promise<void> =>
  preview(page)
    .getByText(/episodes? read/)
    .waitFor();
const writeButton = (page: Page) =>
  page.getByRole('region', { name: 'Write', exact: true }).getByRole('button', { name: /^Write/ });
const rowCount = async (page: Page): Promise<number> =>
  Number(/(\d+)/.exec(await preview(page).getByRole('region', { name: 'Counts' }).innerText())?.[1]);
const countOf = (page: Page, wanted: (rows: number) => boolean): Promise<void> =>
  expect
    .poll(async () => wanted(await rowCount(page).catch(() => Number.NaN)), { timeout: 20_000 })
    .toBe(true);

/** Ended episodes: one nobody helped, one whose draft was sent as it was, one whose draft a person changed. */
async function fill(one: One, more = 'Read it back.'): Promise<string[]> {
  const { episodes } = await one.server.call('episode.start', { ...START, condition: 'none' });
  const ids = [episodes[0] ?? ''];
  for (const [task, added] of [
    [2, ''],
    [3, ` ${more}`],
  ] as const) {
    const asked = await one.ask({ task_idx: task, limits: { consultations: 1 } });
    const waiting = async () => {
      const items = await one.server.desk();
      return items.find(({ episode, draft }) => episode === asked && draft !== null);
    };
    await expect.poll(async () => (await waiting())?.draft?.text ?? null).not.toBeNull();
    const item = await waiting();
    const draft = item?.draft?.text ?? '';
    await one.server.call('desk.answer', {
      episode: asked,
      consultation: item?.consultation ?? '',
      text: `${typeof draft === 'string' ? draft : ''}${added}`,
      draft: item?.draft?.id ?? null,
      seen_seq: item?.seq ?? 0,
      timing: { first_seen_at: null, active_ms: 1000 },
    });
    ids.push(asked);
  }
  for (const id of ids)
    await expect.poll(async () => (await one.server.record(id)).ended, { timeout: 20_000 }).not.toBeNull();
  return ids;
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

describe.skipIf(found === null)('the data view', () => {
  const one = withOne(found);

  it('says what to do where nothing is recorded', async () => {
    const page = await one.open();
    await goTo(page, '#/data');

    await page.getByRole('heading', { name: 'No ended episodes yet' }).waitFor();
    expect(await writeButton(page).isDisabled()).toBe(true);
    await shoot(page, 'empty');
  });

  it('shows what rules let in and what trains, leads to what was found, and writes what the command line does', async () => {
    const [, , changed = ''] = await fill(one);
    const page = await one.open();
    await goTo(page, '#/data');
    await settle(page);
    await shoot(page, 'loaded');

    // A rule changes the counts, says what it left out, and is taken back.
    const before = await rowCount(page);
    expect(before).toBeGreaterThan(0);
    await rulesOf(page).getByLabel('What the verifier said').selectOption({ label: 'Any verdict or none' });
    await countOf(page, (rows) => rows > before);
    await rulesOf(page).getByLabel('Minimum reward').fill('5');
    await page.getByRole('heading', { name: 'No row passes the rules' }).waitFor();
    await rulesOf(page).getByText('Left out: 3 by this rule').waitFor();
    await shoot(page, 'nothing');
    await page.getByRole('button', { name: 'Include any reward' }).first().click();
    await countOf(page, (rows) => rows > before);

    // What trains, in words; the next sample by key.
    const samples = page.getByRole('region', { name: 'Sample rows' });
    await samples.getByText(/^\d+ of \d+ messages? trains?$/).waitFor();
    await samples.getByRole('article').getByText('Trains', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Preview' }).click();
    await page.keyboard.press('.');
    await samples.getByText(/^Sample 2 of/).waitFor();
    await shoot(page, 'loose');

    // The format stands in the address; it and the rules survive a reload.
    await choose(page, 'Preference pairs');
    await page.waitForURL((url) => url.hash === '#/data?format=preference');
    await page.reload();
    await settle(page);
    expect(await page.getByRole('radio', { name: 'Preference pairs' }).isChecked()).toBe(true);
    // The words that were added change no call, so that the draft completes the task as well: no pair, unless asked for.
    await page.getByRole('button', { name: 'Include contradicted rows' }).first().click();
    await samples.getByText(/^Sample 1 of/).waitFor();
    await shoot(page, 'preference');
    await samples.getByRole('link', { name: 'Its episode' }).click();
    await page.waitForURL((url) => url.hash.startsWith(`#/replay/${changed}`));
    await page.goBack();
    await settle(page);

    // Written by key; the same bytes from the command line.
    await expect.poll(() => writeButton(page).isEnabled()).toBe(true);
    await page.keyboard.press('ControlOrMeta+Enter');
    const written = page.getByRole('region', { name: 'Written', exact: true });
    await written
      .getByRole('status')
      .getByText(/rows? written/)
      .waitFor();
    const folder = await written.locator('code').first().innerText();
    const files = filesIn(folder);
    expect(Object.keys(files).toSorted()).toEqual(
      (await written.getByRole('list', { name: 'Files' }).locator('code').allInnerTexts()).toSorted(),
    );
    await shoot(page, 'written');
    await page.getByRole('button', { name: 'Command…' }).click();
    const command = await page.getByRole('dialog').locator('pre').first().innerText();
    await shoot(page, 'command');
    expect(command).toBe('interject export --format preference --any --contrary --out preference-data');
    await page.keyboard.press('Escape');

    // From there on nothing is new.
    await page.getByRole('button', { name: 'Export what is new' }).click();
    await page.getByRole('heading', { name: 'No row passes the rules' }).waitFor();
    await rulesOf(page)
      .getByText(/^Left out: \d+ by this rule$/)
      .waitFor();

    await one.server.stop();
    const out = join(one.server.folder, 'by-command');
    const args = ['export', ...command.split(' ').slice(2, -1), out, '--data', one.server.folder];
    execFileSync(process.execPath, [join(root, 'bin/interject.mjs'), ...args], { cwd: root, stdio: 'pipe' });
    expect(filesIn(out)).toEqual(files);
  });

  it('stops at an error until a person takes it upon them by name, and leads to where it is', async () => {
    const [, , changed = ''] = await fill(one, 'Use the key sk-abcdefghijklmnopqrstuvwxyz012345 for it.');
    const page = await one.open();
    await goTo(page, '#/data?format=preference');
    await settle(page);
    await page.getByRole('button', { name: 'Include contradicted rows' }).first().click();

    const findings = page.getByRole('region', { name: 'Findings' });
    await findings.getByText('secrets', { exact: true }).waitFor();
    await shoot(page, 'error');
    expect(await writeButton(page).isDisabled()).toBe(true);
    await page.getByText('Resolve this error first: secrets').waitFor();
    // The row's place comes before the same key's place in events.jsonl.
    await findings
      .getByRole('link', { name: new RegExp(`^${changed}`) })
      .first()
      .click();
    await page.waitForURL((url) => url.hash.startsWith(`#/replay/${changed}?n=`));
    await page.goBack();
    await settle(page);
    await findings.getByRole('button', { name: 'Export anyway…' }).click();
    await shoot(page, 'despite');
    await page.getByRole('dialog').getByRole('button', { name: 'Write despite secrets' }).click();
    await expect.poll(() => writeButton(page).isEnabled()).toBe(true);
    await writeButton(page).click();
    await page.getByRole('region', { name: 'Written', exact: true }).waitFor();
    const { exports } = await one.server.call('export.history', {});
    expect(readFileSync(join(exports[0]?.folder ?? '', 'README.md'), 'utf8')).toMatch(/refused it: secrets/);
  });
});
