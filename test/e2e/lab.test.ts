import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { goTo } from './console.ts';
import { withOne, type One } from './one.ts';
import { START } from './server.ts';

const found = findBrowser();
const number = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name });

/** A task done alone, and one that ends without anybody having done it. */
async function fill(one: One): Promise<void> {
  const { episodes: done } = await one.server.call('episode.start', {
    ...START,
    condition: 'none',
    task_idx: 0,
  });
  const short = { ...START, condition: 'none', task_idx: 0, limits: { turns: 1 } } as const;
  const { episodes: undone } = await one.server.call('episode.start', short);
  for (const id of [...done, ...undone])
    await expect.poll(async () => (await one.server.record(id)).ended, { timeout: 20_000 }).not.toBeNull();
}

describe.skipIf(found === null)('the reward lab', () => {
  const one = withOne(found);

  it('has nothing to score before an episode has ended', async () => {
    const page = await one.open();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'No episodes to score' }).waitFor();
    expect(await number(page, 'Solo').inputValue()).toBe('1');
  });

  it('shows what was verified, and tells a broken rule at its number without scoring by it', async () => {
    await fill(one);
    const page = await one.open();
    await goTo(page, '#/lab');
    await region(page, 'Verifier completion').getByText('of 2').waitFor();
    await page.getByText('No episode of 2 changes.').waitFor();

    // A rule that breaks is told at its number, and nothing is scored by it.
    await number(page, 'Blind').fill('5');
    await page.getByText('The order solo > recovery > blind does not hold.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as…' }).isDisabled()).toBe(true);
    await number(page, 'Blind').fill('-0.2');
    await number(page, 'Efficiency').fill('0.05');
    await page.getByText('0.1 too little').waitFor();
    await number(page, 'Primary objective').fill('0.5');
    await page.getByText('Sum of the weights: 1').waitFor();
  });
});
