import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decide, editor, editorText, pressSequence, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';

const built = resolve(import.meta.dirname, '../../out/renderer');

/** Kilobytes of the scripts of the build with these names, as gzip sends them. */
const gzipped = (paths: readonly string[]): number =>
  paths.map((path) => gzipSync(readFileSync(join(built, path))).length).reduce((sum, size) => sum + size, 0) /
  1000;
const chunk = (name: string): string => {
  const found = readdirSync(join(built, 'assets')).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.js'),
  );
  return join('assets', found ?? '');
};

it('what a browser has to fetch is less than 210 kB of script before the console draws, and 285 kB before a question can be decided', () => {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const initial = [...page.matchAll(/src="\.\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');

  expect(initial).toContain('early.js');
  expect(gzipped(initial)).toBeLessThan(210);
  expect(gzipped([...initial, chunk('card')])).toBeLessThan(285);
  // The page itself names it, so that it comes beside the console and not after it.
  expect(page).toMatch(/<link rel="modulepreload"[^>]* href="\.\/assets\/card-/);
});

describeConsole('over a slow line', (app) => {
  it('a draft that is shown as steps can be accepted before the editor of text is there', async () => {
    const asking = await app.ask();
    // Never answered.
    await app.context.route(/\/assets\/AdviceEditor-/, () => undefined);
    const page = await app.open();
    await waitForDraft(page);

    await expect.poll(() => page.getByRole('button', { name: /^Accept/ }).isEnabled()).toBe(true);
    await decide(page, 'a');

    await expect
      .poll(async () => (await app.server.record(asking)).consultations[0]?.decision)
      .toMatchObject({ act: 'accept' });
  });
});

describeConsole('after an upgrade of the server', (app) => {
  it('an open page says that a view is gone, and brings it after a reload with the unsent words kept', async () => {
    await app.ask();
    let isUpgraded = true;
    await app.context.route(/\/assets\/(DataView|ReviewView)-/, (route) =>
      isUpgraded ? route.fulfill({ status: 404, body: 'not found' }) : route.continue(),
    );
    const page = await app.open();
    await waitForDraft(page);
    await write(page, 'Ask the owner of the flow first.');
    await page.keyboard.press('Escape');

    await pressSequence(page, 'g', 'x');
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('This part of the console could not be loaded.').waitFor();
    // Other views work on.
    await pressSequence(page, 'g', 's');
    await page.getByRole('main', { name: 'Setup' }).getByRole('heading').first().waitFor();
    await pressSequence(page, 'g', 'x');
    await alert.getByRole('button', { name: 'Reload' }).waitFor();
    isUpgraded = false;
    await alert.getByRole('button', { name: 'Reload' }).click();

    await page.getByRole('main', { name: 'Data' }).getByRole('heading').first().waitFor();
    await pressSequence(page, 'g', 'd');
    await editor(page).waitFor();
    expect(await editorText(page)).toBe('Ask the owner of the flow first.');
  });
});
