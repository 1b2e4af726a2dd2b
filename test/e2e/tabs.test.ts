import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, decide, editorText, goTo, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('two tabs of one browser', (app) => {
  const atDesk = async () => {
    const page = await app.open();
    await goTo(page, '#/desk');
    await waitForDraft(page);
    return page;
  };
  /** What the browser keeps for all of its tabs. */
  const kept = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

  it('each keep their own words for the same question over a reload', async () => {
    await app.ask();
    const [first, second] = [await atDesk(), await atDesk()];
    await write(first, 'Words of the first tab');
    await write(second, 'Words of the second tab');
    await expect.poll(() => kept(first)).toMatch(/first tab[^]*second tab|second tab[^]*first tab/);
    await Promise.all([first.reload(), second.reload()]);

    await expect.poll(() => editorText(first)).toBe('Words of the first tab');
    await expect.poll(() => editorText(second)).toBe('Words of the second tab');
  });

  it('lets the next tab go on with what a closed one left, and the sender’s reload clears only its own', async () => {
    const id = await app.ask();
    const first = await atDesk();
    await write(first, 'Left behind');
    await expect.poll(() => kept(first)).toContain('Left behind');
    await first.close();

    const second = await atDesk();
    await expect.poll(() => editorText(second)).toBe('Left behind');
    const third = await atDesk();
    expect(await editorText(third)).not.toContain('Left behind');
    await write(third, 'Of the third tab');
    await decide(second);
    await expect
      .poll(async () => (await app.server.record(id)).consultations[0]?.decision)
      .toMatchObject({ text: 'Left behind' });
    await expect.poll(() => kept(second)).not.toContain('Left behind');
    await expect.poll(() => kept(third)).toContain('Of the third tab');
    await Promise.all([second.reload(), third.reload()]);
    await third.getByText('Of the third tab').first().waitFor();
    await card(second).waitFor();
    expect(await second.getByText('Left behind').count()).toBe(0);
  });
});
