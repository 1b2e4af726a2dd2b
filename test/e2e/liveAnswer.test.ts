import { expect, it } from 'vitest';
import {
  card,
  decide,
  editorText,
  goTo,
  shiftsOf,
  timeline,
  verdict,
  waitForDraft,
  watchShifts,
  write,
} from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

describeConsole('a question answered beside its timeline', (app) => {
  const decisionOf = async (id: string) => (await app.server.record(id)).consultations[0]?.decision ?? null;
  const openLive = async (id: string, takeBackMs: number) => {
    const page = await app.open(takeBackMs);
    await page.clock.install();
    await goTo(page, `#/episode/${id}`);
    await waitForDraft(page);
    return page;
  };

  it('can be taken back before anything is committed, and is sent when it is not', async () => {
    const id = await app.ask();
    const page = await openLive(id, 60_000);
    await write(page, 'Not quite yet');
    await decide(page);
    await page.getByText(/^Sending to “/).waitFor();
    await page.keyboard.press('u');
    await expect.poll(() => editorText(page)).toBe('Not quite yet');
    expect(page.url()).toContain(`#/episode/${id}`);

    // Had the first one not been taken back, it would be sent before the second app.
    await write(page, 'Now it is right');
    await decide(page);
    await page.getByText(/^Sending to “/).waitFor();
    expect(await decisionOf(id)).toBeNull();
    await page.clock.fastForward(60_000);
    await expect
      .poll(() => decisionOf(id))
      .toMatchObject({ type: 'approved', text: 'Now it is right', act: 'edit' });
    await timeline(page)
      .getByText(/Advice|advice/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText('Unsent text').count()).toBe(0);
  });

  it('can be taken back from another view, and stands beside its timeline again', async () => {
    const id = await app.ask();
    const page = await openLive(id, 60_000);
    await decide(page, 'a');
    await page.getByText(/^Sending to “/).waitFor();
    await goTo(page, '#/episodes');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await card(page).waitFor();
    expect(page.url()).toContain(`#/episode/${id}`);
    expect(await decisionOf(id)).toBeNull();
  });

  it('moves a near deadline on while it is written, and says so', async () => {
    const id = await app.ask({ deadline_ms: 25_000, fallback: 'proceed' });
    const before = (await app.server.record(id)).consultations[0]?.deadline_at ?? 0;
    const page = await openLive(id, 0);
    await write(page, 'Give me a moment');

    await card(page)
      .getByText(/^The deadline moved to .* because someone is writing/)
      .waitFor();
    expect((await app.server.record(id)).consultations[0]?.deadline_at).toBeGreaterThan(before + 20_000);
  });

  it('goes out at once where the question has a deadline: its time is measured', async () => {
    const id = await app.ask({ deadline_ms: 60_000, fallback: 'proceed' });
    const page = await openLive(id, 60_000);
    await decide(page, 'a');

    await expect.poll(() => decisionOf(id)).toMatchObject({ act: 'accept' });
    expect(await page.getByText(/^Sending to “/).count()).toBe(0);
  });

  it('keeps everything in its place while an episode begins, asks, is answered and ends', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    await page
      .getByText(/^No episodes yet|Try it now/)
      .first()
      .waitFor();
    // Nothing is pressed from here on, so the browser leaves nothing out of its count.
    await watchShifts(page);
    const { episodes } = await app.server.call('episode.start', START);
    const [id = ''] = episodes;
    await goTo(page, `#/episode/${id}`);
    await waitForDraft(page);
    const atStart = await shiftsOf(page);
    await app.answer(id);
    await verdict(page).first().waitFor();
    await page
      .getByRole('region', { name: 'Control' })
      .getByRole('button', { name: /^Run again(?! with)/ })
      .waitFor();

    expect(atStart).toBeLessThan(0.05);
    expect((await shiftsOf(page)) - atStart).toBeLessThan(0.05);
  });
});
