import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { decide, editor, editorText, startEpisode, stepNames, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import type { Server } from './server.ts';

describeConsole('a server that dies', (app) => {
  let page: Page;
  beforeEach(async () => {
    page = await app.open();
  });

  it('right after "send" has lost nothing: the advice is in the log, the episode shows as interrupted', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    // The agent stays where it is when it has its answer, however late this test hears of it.
    const stop = { at_once: false, reason: null, note: null, is_discarded: false };
    await app.server.call('episode.control', { episode: id, act: 'pause', ...stop });
    const answered = answerHeard(app.server, id);
    await decide(page, 'a');
    await answered;
    await app.kill();

    await app.restart();
    await expect.poll(async () => (await app.server.record(id)).ended?.outcome).toBe('interrupted');
    const record = await app.server.record(id);
    expect(record.consultations[0]?.decision).toMatchObject({ type: 'approved', act: 'accept' });
    await page.getByText('Interrupted').first().waitFor();
    await expect
      .poll(() => stepNames(page))
      .toEqual(expect.arrayContaining(['Draft accepted', 'Interrupted']));
  });

  it('while a person writes keeps their words, and the page finds the server again by itself', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, 'Written before the crash');
    await app.kill();
    await page
      .getByText(/^No connection/)
      .first()
      .waitFor();
    await page.keyboard.type(', and after it');

    await app.restart();
    await page.getByText('Interrupted').first().waitFor();
    await editor(page).waitFor();
    await expect.poll(() => editorText(page)).toContain('Written before the crash, and after it');
    await page.getByText(/Your answer was not sent/).waitFor();
  });
});

/** Resolves as soon as the answer is in the log. */
async function answerHeard(server: Server, episode: string): Promise<void> {
  for (;;) {
    const events = await server.events(episode);
    if (events.some(({ event }) => event.kind === 'advice.approved')) return;
  }
}
