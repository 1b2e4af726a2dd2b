import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo, settle, waitForDraft } from './console.ts';
import { describeConsole } from './fixture.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A row of the library holds a link for the mouse, to open it in another tab; keys open the row itself. */
const isEpisodeRow = (target: string): boolean => target.startsWith('#Episodes-');

/** What stands against the page as it is: the rule, and where. */
async function findings(page: Page, options: RunOptions): Promise<string[]> {
  const violations = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run: (on: Document, by: unknown) => Promise<AxeResults> } };
    return (await axe.run(document, given)).violations;
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => !(id === 'nested-interactive' && isEpisodeRow(String(target[0]))))
      .map(({ target, html }) => `${id}: ${String(target[0])} ${html.slice(0, 120)}`),
  );
}

const EVERYTHING: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOURS: RunOptions = {
  resultTypes: ['violations'],
  runOnly: { type: 'rule', values: ['color-contrast'] },
};
const THEMES = ['light', 'dark', 'contrast'] as const;

const setTheme = (page: Page, theme: (typeof THEMES)[number]): Promise<void> =>
  page.evaluate((chosen) => {
    const root = document.documentElement;
    delete root.dataset['theme'];
    delete root.dataset['contrast'];
    if (chosen === 'contrast') root.dataset['contrast'] = 'more';
    else root.dataset['theme'] = chosen;
  }, theme);

/** Resolves when nothing on the page still says that it loads, and nothing moves. */
const isQuiet = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('main [aria-label^="Loading"]') === null);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
};

describeConsole('axe finds nothing against', (app) => {
  const walk = async (page: Page, places: readonly (readonly [string, () => Promise<unknown>])[]) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(axeSource);
    const found: string[] = [];
    for (const [name, open] of places) {
      await open();
      await isQuiet(page);
      for (const theme of THEMES) {
        await setTheme(page, theme);
        await isQuiet(page);
        const here = await findings(page, theme === 'light' ? EVERYTHING : COLOURS);
        found.push(...here.map((one) => `${name}, ${theme}: ${one}`));
      }
    }
    return found;
  };

  it('any view, dialog or open state of the owner’s console, light, dark and in high contrast', async () => {
    const ended = await app.play();
    const asking = await app.ask({ task_idx: 7 });
    const page = await app.open();
    await waitForDraft(page);
    const open = (hash: string) => () => goTo(page, hash);
    const dialog = () => page.getByRole('dialog').waitFor();
    const overlay = (key: string) => async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press(key);
      await dialog();
    };

    const found = await walk(page, [
      ['desk with a question', () => settle(page)],
      ['episode beside the question', () => page.keyboard.press('o')],
      ['live', open(`#/live/${asking}`)],
      ['wall', open('#/wall')],
      ['library', open('#/library')],
      ['replay', open(`#/replay/${ended}`)],
      ['annotate', open('#/annotate')],
      ['data', open('#/data')],
      ['rewards', open('#/lab')],
      ['groups', open('#/groups')],
      ['training', open('#/training')],
      ['benches', open('#/bench')],
      ['new bench', open('#/bench?new')],
      ['connect', open('#/connect')],
      ['settings', open('#/settings')],
      ['drafts and advice', open('#/decisions')],
      ['keys', overlay('?')],
      ['palette', overlay('ControlOrMeta+k')],
      ['start', overlay('s')],
    ]);

    expect(found).toEqual([]);
  });

  it('the console of an invited expert', async () => {
    await app.ask();
    const page = await app.openSeat('Ada');
    const open = (hash: string) => () => goTo(page, hash);

    const found = await walk(page, [
      ['desk', () => waitForDraft(page)],
      ['live', open('#/live')],
      ['my answers', open('#/answers')],
    ]);

    expect(found).toEqual([]);
  });
});
