import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo, pressSequence, settle } from './console.ts';
import { describeConsole } from './fixture.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'first-episode.md');
const COMMAND = /^npm /;

type Token = { type: 'press' | 'type' | 'read'; text: string };

/** What a step of the page has a reader do: `press` keys, _type_ words, and see **words** on screen, in its order. */
const tokensOf = (step: string): Token[] =>
  [...step.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\b_([^_]+)_\b/g)].flatMap(([, key, words, typed]): Token[] => {
    if (key !== undefined) return COMMAND.test(key) ? [] : [{ type: 'press', text: key }];
    if (words !== undefined) return [{ type: 'read', text: words }];
    return typed === undefined ? [] : [{ type: 'type', text: typed }];
  });

const firstEpisode = (): string[] =>
  readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => /^\d+\. /.test(line));

async function press(page: Page, key: string): Promise<void> {
  const [first = '', second] = key.split(' ');
  if (second !== undefined) return pressSequence(page, first, second);
  if (first === 'a') {
    // A draft that is not on screen yet cannot be accepted.
    await expect.poll(() => page.getByRole('button', { name: /^Accept/ }).isEnabled()).toBe(true);
    await settle(page);
  }
  const start = page.getByRole('button', { name: /^Start Ctrl/ });
  if (first === 'Ctrl+Enter') await expect.poll(() => start.isEnabled()).toBe(true);
  await page.keyboard.press(first.replace('Ctrl', 'ControlOrMeta'));
}

/** The other ways to begin, each by its key; the console is back where it was afterwards. */
async function lookAtOtherWays(page: Page): Promise<void> {
  const ways = page.getByRole('heading', { name: 'How do you want to begin?' });
  await ways.waitFor();
  await page.keyboard.press('2');
  await page.getByRole('textbox', { name: 'Address' }).and(page.locator(':focus')).waitFor();
  await goTo(page, '#/desk');
  await ways.waitFor();
  await page.keyboard.press('3');
  await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor();
  await goTo(page, '#/desk');
  await ways.waitFor();
  await page.keyboard.press('4');
  await page.getByRole('menuitem', { name: 'Files…' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  // The library offers the same.
  await ways.waitFor();
  await goTo(page, '#/desk');
}

describeConsole('the first episode', (app) => {
  it('begins in one of four ways, and goes as its page says, key by key', async () => {
    const page = await app.open();
    const steps = firstEpisode();
    expect(steps.length).toBeGreaterThan(8);
    await lookAtOtherWays(page);
    for (const { type, text } of steps.flatMap(tokensOf)) {
      if (type === 'press') await press(page, text);
      else if (type === 'type') {
        await page.locator('input:focus').waitFor();
        await page.keyboard.insertText(text);
      } else await page.getByText(text).filter({ visible: true }).first().waitFor();
    }

    const { rows } = await app.server.call('episodes.page', {
      query: '',
      status: null,
      condition: null,
      offset: 0,
      limit: 10,
    });
    const tasks = rows.map(({ task_idx, reward_type }) => `${String(task_idx)} ${reward_type ?? 'asks'}`);
    expect(tasks.toSorted()).toEqual(['0 complete', '1 asks', '1 others']);
  });
});
