import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ToMain } from '../../src/shared/contract/envelope.ts';
import { goTo } from './console.ts';
import { describeConsole, type ConsoleFixture } from './fixture.ts';
import { liftStream } from '../../src/shared/events/library.ts';
import { measuredLift } from '../support/measuredLift.ts';
import { openProduct } from '../support/product.ts';
import { SYSTEM } from '../support/log.ts';

const rows = (page: Page) => page.getByRole('grid', { name: 'Episodes' }).getByRole('row');
const names = (page: Page) => rows(page).locator('[data-task-place]').allInnerTexts();
const find = (page: Page) => page.getByRole('searchbox', { name: /^(Find episodes|Search all text)$/ });

/** Ended episodes of tasks 0, 1 and 2, the last with a person's advice in it. */
async function fill(app: ConsoleFixture): Promise<string[]> {
  const ids = [await app.play({ task_idx: 0 }), await app.play({ task_idx: 1 })];
  const asked = await app.ask({ task_idx: 2, limits: { consultations: 1 } });
  await app.answer(asked, () => 'Mind the lighthouse keeper and try once more.');
  await app.ended(asked);
  return [...ids, asked];
}

/** The first search for these words is answered as one is that comes while the index is still behind: with nothing found yet. */
async function answerFirstSearchTooEarly(page: Page, query: string): Promise<void> {
  let early: number | null = null;
  await page.routeWebSocket(/\/console/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((sent) => {
      const { id, method, input } = JSON.parse(String(sent)) as Partial<Extract<ToMain, { type: 'request' }>>;
      const isSearch = method === 'log.search' && (input as { query?: string }).query === query;
      if (isSearch) early ??= id ?? null;
      server.send(sent);
    });
    server.onMessage((sent) => {
      const frame = JSON.parse(String(sent)) as { type: string; id: number; value?: object };
      if (frame.type !== 'value' || frame.id !== early) return socket.send(sent);
      const progress = { indexed: 1, total: 2 };
      const value = { ...frame.value, hits: [], has_more: false, progress };
      socket.send(JSON.stringify({ ...frame, value }));
    });
  });
}

describeConsole('the library', (app) => {
  it('searches every word that was said and goes to where it was said', async () => {
    const [, , asked = ''] = await fill(app);
    const page = await app.open();
    await goTo(page, '#/episodes');
    await rows(page).first().waitFor();

    await page.keyboard.press('F');
    await page.keyboard.type('lighthouse keeper');
    const hits = page.getByRole('listbox', { name: 'Search results' }).getByRole('option');
    await hits.first().waitFor();

    await expect.poll(() => hits.first().locator('mark').allInnerTexts()).toEqual(['lighthouse', 'keeper']);
    await page.getByRole('button', { name: 'Result', exact: true }).click();
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Result', exact: true }).click();
    await page.getByRole('button', { name: 'Advice', exact: true }).click();
    await expect.poll(() => hits.count()).toBe(1);
    await find(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await page.waitForURL((url) => url.hash.startsWith(`#/episode/${asked}?n=`));
    const n = Number(new URL(page.url()).hash.split('n=')[1]);
    const events = await app.server.events(asked);
    expect(events[n - 1]?.event.kind).toBe('advice.approved');
    await page.getByText('Mind the lighthouse keeper').first().waitFor();
  });

  it('searches again once the index has caught up, reads on as one goes down, and lists each place once', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    const path = join(app.server.folder, 'loaves.jsonl');
    const chats = Array.from({ length: 130 }, (_, i) => [
      { role: 'user', content: `Bake loaf ${String(i)}.` },
      { role: 'assistant', content: `A marzipan loaf, number ${String(i)}.` },
    ]);
    writeFileSync(path, chats.map((messages) => JSON.stringify({ messages })).join('\n'));
    await page.getByRole('button', { name: 'Import…' }).first().waitFor();
    await page.getByLabel('Files to import').setInputFiles(path);
    await page.getByRole('list', { name: 'Imports' }).getByText('130 episodes', { exact: true }).waitFor();

    await answerFirstSearchTooEarly(page, 'marzipan');
    await page.reload();
    await rows(page).first().waitFor();
    await page.keyboard.press('F');
    await page.keyboard.type('marzipan');
    await page.getByText('50+ found').waitFor();
    await find(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.getByText('100+ found').waitFor();
    await page.keyboard.press('End');
    await page.getByText('130 found').waitFor();
    await page.keyboard.press('End');
    const hits = page.getByRole('listbox', { name: 'Search results' }).getByRole('option');
    await hits.getByText('number 0.').waitFor();

    await find(page).fill('marzipan 129');
    await page.getByText('1 found').waitFor();
  });

  it('narrows and orders the list, shows chosen columns, and keeps a view by name', async () => {
    await fill(app);
    const page = await app.open();
    await goTo(page, '#/episodes');
    await expect.poll(() => rows(page).count()).toBe(3);

    await page.getByRole('button', { name: 'Filter…' }).click();
    expect(await page.getByRole('dialog').locator('input, select').count()).toBe(8);
    await page.getByLabel('What people did').selectOption({ label: 'with advice' });
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => names(page)).toEqual(['loomline_workflows #2']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: 'Errors' }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('dialog', { name: 'Save this view' }).locator('input:focus').waitFor();
    await page.keyboard.type('Helped');
    await page.keyboard.press('Enter');
    await page
      .getByRole('list', { name: 'Filters' })
      .getByRole('button', { name: /with advice/ })
      .click();
    await expect.poll(() => rows(page).count()).toBe(3);

    await page.getByRole('button', { name: /^Order by task/ }).click();
    await expect
      .poll(() => names(page))
      .toEqual(['loomline_workflows #0', 'loomline_workflows #1', 'loomline_workflows #2']);
    await page.getByRole('button', { name: /^Order by task, now upwards/ }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('loomline_workflows #2');

    await page.reload();
    await expect.poll(async () => (await names(page))[0]).toBe('loomline_workflows #2');
    await page.getByRole('button', { name: /^Order by errors/ }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Helped', exact: true }).click();
    await expect.poll(() => names(page)).toEqual(['loomline_workflows #2']);
  });

  it('orders episodes by what their advice was worth, and says it beside the answer', async () => {
    const ids = await fill(app);
    await app.kill();
    const stopped = await openProduct(app.server.folder);
    const advised = ids[2] ?? '';
    stopped.log.append(liftStream(advised), SYSTEM, measuredLift(advised));
    await stopped.close();
    await app.restart();
    const page = await app.open();
    await goTo(page, '#/episodes');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemradio', { name: 'Lift' }).click();
    await page.getByRole('button', { name: /^Order by lift/ }).click();

    await expect.poll(async () => (await names(page))[0]).toBe('loomline_workflows #2');
    const cell = rows(page).first().getByText('+75', { exact: true });
    expect(await cell.getAttribute('title')).toContain('lift 75 points (95 % interval 9 to 95)');

    await goTo(page, `#/episode/${advised}`);
    await page
      .locator('[data-row-head]')
      .filter({ hasText: /^.*Draft (?:edited|rewritten)/ })
      .first()
      .click({ timeout: 15_000 });
    await page
      .getByRole('region', { name: 'Lift' })
      .getByText(/With this advice 4 of 4 completed/)
      .waitFor();
    await page.getByRole('region', { name: 'Lift' }).scrollIntoViewIfNeeded();
  });

  it('shows every episode again when all conditions are cleared, typed words too', async () => {
    await fill(app);
    const page = await app.open();
    await goTo(page, '#/episodes');
    await expect.poll(() => rows(page).count()).toBe(3);

    await find(page).fill('no such episode');
    await expect.poll(() => rows(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Filter…' }).click();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('button', { name: 'Done' }).click();

    await expect.poll(() => find(page).inputValue()).toBe('');
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it('tags the chosen episodes by keyboard without touching their events', async () => {
    const ids = await fill(app);
    const before = await Promise.all(ids.map(async (id) => (await app.server.events(id)).length));
    const page = await app.open();
    await goTo(page, '#/episodes');
    await expect.poll(() => rows(page).count()).toBe(3);

    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('to read, odd');
    await page.keyboard.press('Enter');
    await page.getByText('2 episodes tagged').waitFor();
    await expect.poll(() => rows(page).getByText('to read').count()).toBe(2);
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Filter…' }).click();
    await page.getByLabel('Tag').selectOption({ label: 'odd' });
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    const after = await Promise.all(ids.map(async (id) => (await app.server.events(id)).length));
    expect(after).toEqual(before);
  });
});
