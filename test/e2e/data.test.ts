import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo } from './console.ts';
import { describeConsole, type ConsoleFixture } from './fixture.ts';

const root = resolve(import.meta.dirname, '../..');

const preview = (page: Page) => page.getByRole('region', { name: 'Preview', exact: true });
const rulesOf = (page: Page) => page.getByRole('region', { name: 'Rules', exact: true });
const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('radiogroup', { name: 'Format' }).getByText(name, { exact: true }).click();
/** Opens a section of the rules, which says what it leaves out until then. */
const unfold = (page: Page, section: string): Promise<void> =>
  rulesOf(page).getByText(section, { exact: true }).click();
const settle = (page: Page): Promise<void> =>
  preview(page)
    .getByText(/episodes? read/)
    .waitFor();
const writeButton = (page: Page) =>
  page.getByRole('region', { name: 'Write', exact: true }).getByRole('button', { name: /^Write/ });
const rowCount = async (page: Page): Promise<number> =>
  Number(/(\d+)/.exec(await preview(page).getByRole('region', { name: 'Counts' }).innerText())?.[1]);
const countOf = (page: Page, wanted: (rows: number) => boolean): Promise<void> =>
  expect.poll(async () => wanted(await rowCount(page).catch(() => Number.NaN))).toBe(true);

/** Ended episodes: one nobody helped, one whose draft was sent as it was, one whose draft a person changed. */
async function fill(app: ConsoleFixture, more = 'Read it back.'): Promise<string[]> {
  const alone = await app.play();
  const accepted = await app.ask({ task_idx: 2, limits: { consultations: 1 } });
  await app.answer(accepted);
  const changed = await app.ask({ task_idx: 3, limits: { consultations: 1 } });
  await app.answer(changed, (draft) => `${draft} ${more}`);
  for (const id of [accepted, changed]) await app.ended(id);
  return [alone, accepted, changed];
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

describeConsole('the data view', (app) => {
  it('says what to do where nothing is recorded', async () => {
    const page = await app.open();
    await goTo(page, '#/data');

    await page.getByRole('heading', { name: 'No ended episodes yet' }).waitFor();
    expect(await writeButton(page).isDisabled()).toBe(true);
  });

  it('shows what rules let in and what trains, leads to what was found, and writes what the command line does', async () => {
    const [, , changed = ''] = await fill(app);
    const page = await app.open();
    await goTo(page, '#/data');
    await settle(page);

    // A rule changes the counts, says what it left out, and is taken back.
    const before = await rowCount(page);
    expect(before).toBeGreaterThan(0);
    await unfold(page, 'Outcome');
    await rulesOf(page).getByLabel('What the verifier said').selectOption({ label: 'Any verdict or none' });
    await countOf(page, (rows) => rows > before);
    await unfold(page, 'Whose advice');
    await rulesOf(page).getByLabel('A rule or an answers file').check();
    await page.getByRole('heading', { name: 'No row passes the rules' }).waitFor();
    await rulesOf(page)
      .getByText(/^Left out: \d+ by this rule$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Include every author' }).first().click();
    await countOf(page, (rows) => rows > before);

    // What trains, in words; the next sample by key.
    const samples = page.getByRole('region', { name: 'Sample rows' });
    await samples.getByText(/^\d+ of \d+ messages? trains?$/).waitFor();
    await samples.getByRole('article').getByText('Trains', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Preview' }).click();
    await page.keyboard.press('.');
    await samples.getByText(/^Sample 2 of/).waitFor();

    // The format stands in the address; it and the rules survive a reload.
    // Formats asked for now and then are folded.
    const formats = page.getByRole('radiogroup', { name: 'Format' });
    expect(await formats.getByRole('radio', { name: 'Every event' }).count()).toBe(0);
    await formats.getByText('Hand to other tools').click();
    await formats.getByRole('radio', { name: 'Every event' }).waitFor();
    await choose(page, 'Preference pairs');
    await page.waitForURL((url) => url.hash === '#/data?format=preference');
    await page.reload();
    await settle(page);
    expect(await page.getByRole('radio', { name: 'Preference pairs' }).isChecked()).toBe(true);
    // The words that were added change no call, so that the draft completes the task as well: no pair, unless asked for.
    await page.getByRole('button', { name: 'Include contradicted rows' }).first().click();
    await samples.getByText(/^Sample 1 of/).waitFor();
    await samples.getByRole('link', { name: 'Its episode' }).click();
    await page.waitForURL((url) => url.hash.startsWith(`#/episode/${changed}`));
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
    await page.getByRole('button', { name: 'Command…' }).click();
    const command = await page.getByRole('dialog').locator('pre').first().innerText();
    const rules = await page.getByRole('dialog').locator('pre').nth(1).innerText();
    expect(command).toBe('interject export --format preference --rules rules.json --out preference-data');
    await page.keyboard.press('Escape');

    // From there on nothing is new.
    await page.getByRole('button', { name: 'Export what is new' }).click();
    await page.getByRole('heading', { name: 'No row passes the rules' }).waitFor();
    await unfold(page, 'Which episodes');
    await rulesOf(page)
      .getByText(/^Left out: \d+ by this rule$/)
      .first()
      .waitFor();

    await app.server.stop();
    const out = join(app.server.folder, 'by-command');
    const file = join(app.server.folder, 'rules.json');
    writeFileSync(file, rules);
    const flags = command.replace('rules.json', file).split(' ').slice(2, -1);
    const args = ['export', ...flags, out, '--data', app.server.folder];
    execFileSync(process.execPath, [join(root, 'bin/interject.mjs'), ...args], { cwd: root, stdio: 'pipe' });
    expect(filesIn(out)).toEqual(files);
  });

  it('stops at an error until a person takes it upon them by name, and leads to where it is', async () => {
    const [, , changed = ''] = await fill(app, 'Set {"session_dir": "run-7"} for it.');
    const page = await app.open();
    await goTo(page, '#/data?format=preference');
    await settle(page);
    await page.getByRole('button', { name: 'Include contradicted rows' }).first().click();

    const findings = page.getByRole('region', { name: 'Findings' });
    await findings.getByText('forbidden_fields', { exact: true }).first().waitFor();
    expect(await writeButton(page).isDisabled()).toBe(true);
    await page.getByText('Resolve this error first: forbidden fields').waitFor();
    // The row's place comes before the same field's place in events.jsonl.
    const place = findings.getByTitle(changed).first();
    // By the words of its task, not by its id.
    expect(await place.textContent()).toMatch(/^[A-Z][a-z]+ .*, event \d+$/);
    await place.click();
    await page.waitForURL((url) => url.hash.startsWith(`#/episode/${changed}?n=`));
    await page.goBack();
    await settle(page);
    await findings.getByRole('button', { name: 'Export anyway…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Write despite forbidden fields' }).click();
    await expect.poll(() => writeButton(page).isEnabled()).toBe(true);
    await writeButton(page).click();
    await page.getByRole('region', { name: 'Written', exact: true }).waitFor();
    const { exports } = await app.server.call('export.history', {});
    expect(readFileSync(join(exports[0]?.folder ?? '', 'README.md'), 'utf8')).toMatch(
      /refused it: forbidden/,
    );
  });
});
