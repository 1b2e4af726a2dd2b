import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, decide, editorText, goTo, settle, timeline, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const ASK_ALL = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];

describeConsole('a person who steps in', (app) => {
  const control = (page: Page) => page.getByRole('region', { name: 'Control' });
  const composer = (page: Page) => page.getByRole('region', { name: 'Your move' });
  /** Resolves when the call of a turn waits for a person. */
  const waitForHeld = (id: string, turn: number): Promise<void> =>
    expect.poll(async () => (await app.server.record(id)).turns[turn - 1]?.call?.held ?? null).not.toBeNull();
  /** A running episode whose first call waits for a person. */
  const gated = async (): Promise<string> => {
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      condition: 'none',
      approval: { rules: ASK_ALL, deadline_ms: null, fallback: 'wait' },
    });
    const [id = ''] = episodes;
    await waitForHeld(id, 1);
    return id;
  };

  it('takes over from any panel while a question is open, and sets it aside by key: nothing stays on the desk', async () => {
    const id = await app.ask();
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    await waitForDraft(page);
    await page.keyboard.press('v');
    await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
    // The draft is not on screen: the key that accepts it does nothing.
    await page.keyboard.press('a');
    await page.keyboard.press(']');
    await page.keyboard.press('t');

    const asks = composer(page).getByRole('group', { name: 'The agent’s question is still open' });
    await expect.poll(() => asks.evaluate((element) => element === document.activeElement)).toBe(true);
    await control(page).getByText('You are acting').waitFor();
    expect((await app.server.record(id)).consultations[0]?.decision).toBeNull();
    await page.keyboard.press('w');
    await asks.getByText('Your first move closes it: cancelled, not declined').waitFor();
    await page.keyboard.press('q');
    await card(page).waitFor();
    await page.keyboard.press('q');
    await page.keyboard.press('d');
    await timeline(page).getByText('Question cancelled').waitFor();
    await asks.waitFor({ state: 'detached' });
    expect((await app.server.record(id)).consultations[0]?.decision?.type).toBe('cancelled');
    expect(await app.server.desk()).toEqual([]);

    await page.keyboard.press('t');
    await page.getByRole('textbox', { name: /^Note to the agent/ }).waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await control(page).getByText('You are acting').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Steps of the episode');
    expect(await app.server.record(id)).toMatchObject({ phase: 'autonomous' });
  });

  it('reads who acts and why in full at 1280 by 800, and in the header too', async () => {
    const id = await gated();
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    for (let turn = 1; turn <= 3; turn += 1) {
      await page
        .getByRole('region', { name: 'Held call' })
        .getByText(`turn ${String(turn)} of`)
        .waitFor();
      await settle(page);
      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: /^Why not/ }).waitFor();
      await page.keyboard.insertText('no');
      await decide(page);
    }

    const why = control(page).getByText('three calls in a row were rejected: tell the agent what to do');
    await why.waitFor();
    const isReadable = (element: Element): boolean => {
      const { height, right } = element.getBoundingClientRect();
      return height > 10 && right <= window.innerWidth && element.scrollWidth <= element.clientWidth + 1;
    };
    await expect.poll(() => why.evaluate(isReadable)).toBe(true);
    await page.locator('header').getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('t');
    await page.locator('header').getByText('Person acting', { exact: true }).waitFor();
  });

  it('judges a held call at the desk by its task and what was tried, and opens its episode with Enter', async () => {
    const id = await gated();
    const record = await app.server.record(id);
    await app.server.call('call.decide', {
      act: 'reject',
      episode: id,
      call: 't1',
      reason: 'by number',
      seen_seq: record.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await waitForHeld(id, 2);
    const page = await app.open();
    const held = page.getByRole('region', { name: 'Held call' });

    await held.getByText('The task').waitFor();
    await held.getByText('Rejected by a person, not sent: by number').waitFor();
    await held.getByRole('button', { name: /^Episode/ }).waitFor();
    await page.keyboard.press('Enter');

    await page.getByRole('region', { name: 'Episode of the question' }).waitFor();
  });

  it('can say what should happen, or take over, where an episode stopped after rejections', async () => {
    const id = await gated();
    const page = await app.open();
    for (let turn = 1; turn <= 3; turn += 1) {
      const call = `t${String(turn)}`;
      await waitForHeld(id, turn);
      await app.server.call('call.decide', {
        act: 'reject',
        episode: id,
        call,
        reason: 'no',
        seen_seq: 1,
        timing: { first_seen_at: null, active_ms: null },
      });
    }
    const stopped = page.getByRole('region', { name: 'Stopped episode' });
    await stopped.getByText('Three calls in a row were rejected').waitFor();
    await stopped.getByRole('button', { name: 'Take over' }).waitFor();

    await stopped.getByRole('textbox').fill('Look the number up first.');
    await stopped.getByRole('button', { name: 'Send note and resume' }).click();

    await stopped.getByText(/^Note sent, resumed\. /).waitFor();
    await expect.poll(async () => (await app.server.record(id)).notes[0]?.deliveredTurn).toBe(4);
    expect((await app.server.record(id)).phase).toBe('autonomous');
  });

  it('is told after a reload that what was kept back was not sent; the words are in the editor', async () => {
    const id = await app.ask();
    const page = await app.open(60_000);
    await waitForDraft(page);
    await write(page, 'Use 101.');
    await decide(page);
    await page.getByText(/^Sending to “/).waitFor();

    await page.reload();

    await page.getByText('Your last decision was not sent').waitFor();
    await card(page).getByText('Not sent: the page was closed first.').waitFor();
    await expect.poll(() => editorText(page)).toBe('Use 101.');
    expect((await app.server.record(id)).consultations[0]?.decision).toBeNull();
    await decide(page);
    await page.getByRole('button', { name: /^Send now/ }).click();
    await expect
      .poll(async () => (await app.server.record(id)).consultations[0]?.decision?.type)
      .toBe('approved');
    // The agent found no call in these words, and asks again.
    await expect.poll(async () => (await app.server.record(id)).consultations.length).toBe(2);
    await page.reload();
    await card(page).waitFor();
    expect(await page.getByText('Your last decision was not sent').count()).toBe(0);
  });

  it('is told at once that advice is too long, with the words kept', async () => {
    const id = await app.ask();
    const page = await app.open(60_000);
    await waitForDraft(page);
    await write(page, `${'a'.repeat(999)}\n`.repeat(201));
    await decide(page);

    await card(page).getByText('The advice has 201,000 characters; at most 200,000 can be sent.').waitFor();
    expect((await app.server.record(id)).consultations[0]?.decision).toBeNull();
  });

  it('reaches what decides a call at 200 % zoom, and sees what it does not cover', async () => {
    await gated();
    const page = await app.open();
    await page.setViewportSize({ width: 640, height: 400 });
    const held = page.getByRole('region', { name: 'Held call' });
    await held.getByRole('button', { name: /^Reject/ }).waitFor();
    for (const name of [/^Approve a/, /^More/, /^Reject/]) {
      const button = held.getByRole('button', { name }).first();
      const bottom = (element: Element): number => element.getBoundingClientRect().bottom;
      await expect.poll(() => button.evaluate(bottom)).toBeLessThanOrEqual(400);
    }
  });

  it('is told that no call could be read from plain words when a plan is asked for', async () => {
    await app.ask({ condition: 'human' });
    const page = await app.open();
    await card(page).waitFor();
    await write(page, 'Look again.');
    await page.getByRole('button', { name: 'Make plan' }).click();

    await page.getByText('No call found in this text.').waitFor();
  });
});
