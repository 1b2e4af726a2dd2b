import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { decide, editorText, goTo, waitForDraft, write } from './console.ts';
import { withOne } from './one.ts';

const found = findBrowser();

describe.skipIf(found === null)('two tabs of one browser', () => {
  const one = withOne(found);
  const atDesk = async () => {
    const page = await one.open();
    await goTo(page, '#/desk');
    await waitForDraft(page);
    return page;
  };
  const keptIn = (page: Page) => page.evaluate(() => JSON.stringify(localStorage));

  it('each keep their own words for the same question over a reload', async () => {
    await one.ask();
    const [first, second] = [await atDesk(), await atDesk()];
    await write(first, 'Words of the first tab');
    await write(second, 'Words of the second tab');
    await Promise.all([first.reload(), second.reload()]);

    await expect.poll(() => editorText(first)).toBe('Words of the first tab');
    await expect.poll(() => editorText(second)).toBe('Words of the second tab');
  });

  it('lets the next tab go on with what a closed one left, and the sender’s reload clears only its own', async () => {
    const id = await one.ask();
    const first = await atDesk();
    await write(first, 'Left behind');
    await expect.poll(() => keptIn(first)).toContain('Left behind');
    await first.close();

    const second = await atDesk();
    await expect.poll(() => editorText(second)).toBe('Left behind');
    const third = await atDesk();
    expect(await editorText(third)).not.toContain('Left behind');
    await write(third, 'Of the third tab');
    await decide(second);
    await expect
      .poll(async () => (await one.server.record(id)).consultations[0]?.decision)
      .toMatchObject({ text: 'Left behind' });
    await expect.poll(() => keptIn(second)).not.toContain('Left behind');
    await Promise.all([second.reload(), third.reload()]);
    await third.getByText('Of the third tab').first().waitFor();
    expect(await second.getByText('Left behind').count()).toBe(0);
  });
});
