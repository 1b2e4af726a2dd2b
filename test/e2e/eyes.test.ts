import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { card, decide, editorText, goTo, settle, timeline, waitForDraft, write } from './console.ts';
import { withOne } from './one.ts';

const found = findBrowser();
const ASK_ALL = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
const GATED = {
  condition: 'none' as const,
  approval: { rules: ASK_ALL, deadline_ms: null, fallback: 'wait' as const },
};
/** Where a look at the screen is kept when someone asks for one. */
const look = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['INTERJECT_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

describe.skipIf(found === null)('a person who steps in', () => {
  const one = withOne(found);
  const control = (page: Page) => page.getByRole('region', { name: 'Control' });
  const composer = (page: Page) => page.getByRole('region', { name: 'Your move' });
  const gated = async (): Promise<string> => {
    const { episodes } = await one.server.call('episode.start', {
      environment: 'builtin',
      scenario: 'workflow_automation_1',
      task_idx: 0,
      agent: { policy: 'rehearsal', protocol: 'native', model: null },
      deadline_ms: null,
      fallback: 'wait',
      seed: 0,
      repeats: 1,
      limits: {},
      reset: {},
      ...GATED,
    });
    const [id = ''] = episodes;
    await expect.poll(async () => (await one.server.record(id)).turns.at(-1)?.call?.held).toBeTruthy();
    return id;
  };

  it('can act while the agent’s question is open: the card says how, and the first move closes it as cancelled', async () => {
    const id = await one.ask();
    const page = await one.open();
    await goTo(page, `#/live/${id}`);
    await card(page).waitFor();
    await page.keyboard.press('t');
    await control(page).getByText('You are acting').waitFor();
    await control(page).getByText('its question is still open').waitFor();
    await look(page, 'open-question');

    await page.getByRole('button', { name: 'Cancel it and act' }).click();
    await composer(page).getByText('cancelled, not declined').waitFor();
    await look(page, 'set-aside');
    await composer(page).getByRole('button', { name: 'List the tools' }).click();
    await composer(page).getByRole('button', { name: 'Make this move' }).click();

    await timeline(page).getByText('Question cancelled').waitFor();
    await timeline(page).getByText('list_tools').waitFor();
    const record = await one.server.record(id);
    expect(record.consultations[0]?.decision?.type).toBe('cancelled');
    await page.getByRole('button', { name: 'Answer it' }).waitFor({ state: 'detached' });
    await look(page, 'after-move');
  });

  it('reads who acts and why in full at 1280 by 800, and in the header too', async () => {
    const id = await gated();
    const page = await one.open();
    await goTo(page, `#/live/${id}`);
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
    const box = await why.boundingBox();
    const widths = await why.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    await look(page, 'rejections');

    expect(box?.height).toBeGreaterThan(10);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1280);
    expect(widths[0]).toBeLessThanOrEqual((widths[1] ?? 0) + 1);
    await page.locator('header').getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('t');
    await page.locator('header').getByText('Person acting', { exact: true }).waitFor();
  });

  it('judges a held call at the desk by its task and what was tried, and opens its episode with Enter', async () => {
    const id = await gated();
    const record = await one.server.record(id);
    await one.server.call('call.reject', {
      episode: id,
      call: 't1',
      reason: 'by number',
      seen_seq: record.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await expect.poll(async () => (await one.server.record(id)).turns.length).toBe(2);
    const page = await one.open();
    const held = page.getByRole('region', { name: 'Held call' });

    await held.getByText('The task').waitFor();
    await held.getByText('Rejected by a person, not sent: by number').waitFor();
    await held.getByRole('button', { name: /^Episode/ }).waitFor();
    await look(page, 'held-at-desk');
    await settle(page);
    await page.keyboard.press('Enter');

    await page.getByRole('region', { name: 'Episode of the question' }).waitFor();
    await look(page, 'held-beside');
  });

  it('can say what should happen, or take over, where an episode stopped after rejections', async () => {
    const id = await gated();
    const page = await one.open();
    for (let turn = 1; turn <= 3; turn += 1) {
      const call = `t${String(turn)}`;
      await expect.poll(async () => (await one.server.record(id)).turns.at(-1)?.call?.held?.at).toBeTruthy();
      await expect.poll(async () => (await one.server.record(id)).turns.length).toBe(turn);
      await one.server.call('call.reject', {
        episode: id,
        call,
        reason: 'no',
        seen_seq: 1,
        timing: { first_seen_at: null, active_ms: null },
      });
    }
    const stopped = page.getByRole('region', { name: 'Stopped episode' });
    await page.getByRole('button', { name: /^Next/ }).click();
    await stopped.getByText('Three calls in a row were rejected').waitFor();
    await stopped.getByRole('button', { name: 'Take over' }).waitFor();
    await look(page, 'stopped-at-desk');

    await stopped.getByRole('textbox').fill('Look the number up first.');
    await stopped.getByRole('button', { name: 'Send note and resume' }).click();

    await expect.poll(async () => (await one.server.record(id)).notes[0]?.deliveredTurn).toBe(4);
    expect((await one.server.record(id)).phase).toBe('autonomous');
  });

  it('is told after a reload that what was kept back was not sent; the words are in the editor', async () => {
    const id = await one.ask();
    const page = await one.open(3_000);
    await waitForDraft(page);
    await write(page, 'Use 101.');
    await decide(page);
    await page.getByText('Sending advice').waitFor();

    await page.reload();

    await page.getByText('Your last answer was not sent').waitFor();
    await card(page).getByText('Not sent: the page was closed first.').waitFor();
    await look(page, 'not-sent');
    expect(await editorText(page)).toBe('Use 101.');
    expect((await one.server.record(id)).consultations[0]?.decision).toBeNull();
    await decide(page);
    await page.getByRole('button', { name: /^Send now/ }).click();
    await expect
      .poll(async () => (await one.server.record(id)).consultations[0]?.decision?.type)
      .toBe('approved');
    await page.reload();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(await page.getByText('Your last answer was not sent').count()).toBe(0);
  });

  it('is told at once that advice is too long, with the words kept', async () => {
    const id = await one.ask();
    const page = await one.open(3_000);
    await waitForDraft(page);
    await write(page, `${'a'.repeat(999)}\n`.repeat(201));
    await decide(page);

    await card(page).getByText('The advice has 201,000 characters; at most 200,000 can be sent.').waitFor();
    expect((await one.server.record(id)).consultations[0]?.decision).toBeNull();
  });

  it('reaches what decides a call at 200 % zoom, and sees what it does not cover', async () => {
    await gated();
    const page = await one.open();
    await page.setViewportSize({ width: 640, height: 400 });
    const held = page.getByRole('region', { name: 'Held call' });
    await held.getByRole('button', { name: /^Reject/ }).waitFor();
    await look(page, 'zoomed');
    for (const name of [/^Approve a/, /^Use another tool/, /^Reject/]) {
      const box = await held.getByRole('button', { name }).first().boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(400);
    }
  });

  it('is told that no call could be read from plain words when a plan is asked for', async () => {
    await one.ask({ condition: 'human' });
    const page = await one.open();
    await card(page).waitFor();
    await write(page, 'Look again.');
    await page.getByRole('button', { name: 'Make plan' }).click();
    await look(page, 'make-plan');

    await page.getByText('No call found in this text.').waitFor();
  });
});
