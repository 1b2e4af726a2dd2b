import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  card,
  decide,
  draftOf,
  editor,
  editorText,
  goTo,
  openConsole,
  settle,
  startEpisode,
  waitForDraft,
  write,
} from './console.ts';
import { describeConsole, describeConsoleWith } from './fixture.ts';
import { drawnBy } from './drawn.ts';
import type { Server } from './server.ts';
import { modelEnvironment, startSlowExpert, type SlowExpert } from './slowExpert.ts';

describeConsole('the desk', (app) => {
  let server: Server;
  let page: Page;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });

  it('still has the question and the unsent words after a reload, a lost line and another view', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, 'My own words, half');
    await page.reload();
    await editor(page).waitFor();
    await expect.poll(() => editorText(page)).toBe('My own words, half');

    await goTo(page, '#/episodes');
    await goTo(page, '#/desk');
    await editor(page).waitFor();
    await expect.poll(() => editorText(page)).toBe('My own words, half');
    await card(page).getByText('Draft by rule, edited').waitFor();
    expect((await server.record(id)).status).toBe('waiting');
  });

  it('draws the ages alone again in a second that passes, neither the list nor the card', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await startEpisode(page, 1, 'Human');
    await goTo(page, '#/desk');
    await waitForDraft(page);
    const list = page.getByRole('region', { name: 'Waiting questions' });
    const parts = {
      list: list.getByRole('heading', { level: 1 }),
      line: list.getByRole('option').first().locator('p').first(),
      card: card(page).getByRole('region', { name: 'Task' }),
      plan: card(page).getByRole('region', { name: 'Plan' }),
    };
    // What is loaded ahead in an idle moment is loaded by now.
    await page.waitForTimeout(1500);

    expect(await drawnBy(page, parts, () => page.waitForTimeout(2500))).toEqual([]);
  });

  it('shows a long plan without anything sticking out or lying over another, at every width', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    const args = {
      workspace_id: 1,
      query: 'Weekly supplier digest with a name that is much longer than any line is wide '.repeat(3),
      note: 'averyverylongwordwithoutanyspaceinit'.repeat(6),
    };
    const steps = Array.from({ length: 12 }, () => ({ tool: 'search_workflows', args }));
    await write(page, JSON.stringify({ plan: steps }));
    await card(page).getByRole('button', { name: 'As steps' }).click();
    const rows = card(page).getByRole('region', { name: 'Plan' }).locator('ol > li');
    await expect.poll(() => rows.count()).toBe(12);

    for (const width of [700, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await card(page).waitFor();
      const over = await card(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      const boxes = await rows.evaluateAll((all) =>
        all.map((row) => {
          const { top, bottom, right } = row.getBoundingClientRect();
          return {
            top,
            bottom,
            over: Math.max(row.scrollWidth - row.clientWidth, right - window.innerWidth),
          };
        }),
      );
      expect(over, String(width)).toBeLessThanOrEqual(0);
      expect(Math.max(...boxes.map((box) => box.over)), String(width)).toBeLessThanOrEqual(0);
      for (const [at, { top }] of boxes.entries())
        if (at > 0) expect(top).toBeGreaterThanOrEqual((boxes[at - 1]?.bottom ?? 0) - 0.5);
    }
  });

  it('says which values of a draft the agent could not know, and sends it with the sentence typed below its steps', async () => {
    const id = await startEpisode(page, 7, 'Human with a draft');
    await waitForDraft(page);
    await card(page)
      .getByText(/^\d values the agent could not know: .*“902”/)
      .waitFor();
    await card(page).getByRole('textbox', { name: 'Text after the steps' }).click();
    await page.keyboard.type('Look the id up first, then go on.');
    await decide(page);
    await card(page).getByText('As sent, with your changes').waitFor();
    await expect.poll(async () => (await server.record(id)).consultations[0]?.decision).not.toBeNull();
    expect((await server.record(id)).consultations[0]?.decision).toMatchObject({
      leak: { values: expect.arrayContaining(['902']) as unknown },
      text: expect.stringMatching(/\n\nLook the id up first, then go on\.$/) as unknown,
    });
  });

  it('takes no accept for a draft that was never on screen, and shows where it is', async () => {
    const id = await app.ask();
    await page.setViewportSize({ width: 640, height: 400 });
    await goTo(page, '#/desk');
    await card(page).getByText('You have not seen the draft yet.').waitFor();
    // The list gives its room to the card, also where the desk was opened wide.
    await page.getByRole('button', { name: /^All waiting/ }).waitFor();
    const accept = card(page).getByRole('button', { name: /^Accept/ });
    expect(await accept.isDisabled()).toBe(true);
    await card(page).getByRole('button', { name: 'Show the draft' }).waitFor();
    await decide(page);
    await decide(page, 'a');
    await expect.poll(() => accept.isEnabled()).toBe(true);
    expect((await server.record(id)).consultations[0]?.decision).toBeNull();
    await decide(page, 'a');
    await expect
      .poll(async () => (await server.record(id)).consultations[0]?.decision)
      .toMatchObject({ act: 'accept' });
  });

  it('lets the second of two tabs know who answered, and keeps its words', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    const slow = await app.newContext();
    const news = await holdNews(slow);
    const other = await openConsole(slow, server, app.complaints);
    for (const tab of [page, other]) {
      await goTo(tab, '#/desk');
      await waitForDraft(tab);
    }
    await write(other, 'The second tab was slower');
    news.hold();
    await decide(page, 'a');
    await page.getByText('Draft accepted and sent').waitFor();

    await decide(other);

    const note = other.getByRole('alert').filter({ hasText: 'Not sent' });
    await note.getByText(/already answered by seat-/).waitFor();
    expect(await editorText(other)).toBe('The second tab was slower');
    news.release();
    await other.getByText(/^Answered by seat-/).waitFor();
    expect(await editorText(other)).toBe('The second tab was slower');
    const approvals = (await server.events(id)).filter(({ event }) => event.kind === 'advice.approved');
    expect(approvals.map(({ event }) => event)).toMatchObject([{ act: 'accept' }]);
  });

  it('keeps the words when the episode ends while they are being written, and says so', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await goTo(page, '#/desk');
    await waitForDraft(page);
    await write(page, 'Too late, but mine');
    await server.call('episode.stop', { episode: id, reason: 'no longer needed' });

    await page.getByText(/Your answer was not sent/).waitFor();
    expect(await editorText(page)).toBe('Too late, but mine');
    await card(page).getByRole('button', { name: /^Send/ }).waitFor({ state: 'detached' });
  });

  it('goes to the next question after sending, oldest first, and takes no key meant for the last one', async () => {
    const first = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    const second = await startEpisode(page, 7, 'Human with a draft');
    await waitForDraft(page);
    await goTo(page, '#/desk');
    await waitForDraft(page);
    expect(await card(page).getAttribute('data-consultation')).toContain(first);
    // A second press, at the very moment the next question is there.
    await page.evaluate((next) => {
      const seen = new MutationObserver(() => {
        if (document.querySelector(`[data-consultation*="${next}"]`) === null) return;
        seen.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
      });
      seen.observe(document.body, { subtree: true, childList: true, attributes: true });
    }, second);

    // Held down: one press, one decision.
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await card(page).getByText('Draft accepted and sent').waitFor();
    expect(await card(page).getAttribute('data-consultation')).toContain(first);
    await page.keyboard.press('n');
    await expect.poll(() => card(page).getAttribute('data-consultation')).toContain(second);

    await settle(page);
    expect((await server.record(second)).status).toBe('waiting');
    // The same press counts once the question has stood there.
    await page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })),
    );
    await card(page).getByText('Draft accepted and sent').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('You’re all caught up').waitFor();
    expect((await server.record(second)).consultations[0]?.decision).toMatchObject({ act: 'accept' });
  });

  it('underlines a tool that does not exist and puts the one meant in its place', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await goTo(page, '#/desk');
    await waitForDraft(page);
    const draft = await draftOf(server, id);
    await write(page, draft.replace('set_workflow_status', 'set_status_workflow'));

    await card(page).getByText('There is no tool named "set_status_workflow".').waitFor();
    const problems = card(page).locator('.cm-problem');
    await expect.poll(() => problems.allInnerTexts()).toEqual(['set_status_workflow']);
    await card(page).getByRole('button', { name: 'Use set_workflow_status' }).click();

    await expect.poll(() => editorText(page)).toBe(draft);
    const accept = card(page).getByRole('button', { name: /^Accept/ });
    await expect.poll(() => accept.isEnabled()).toBe(true);
  });

  it('opens the episode beside the same editor, from the keyboard alone, and closes it again', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await goTo(page, '#/desk');
    await waitForDraft(page);
    await page.keyboard.press('l');
    await editor(page).waitFor();
    await page.keyboard.press('e');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n// mine');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');

    const beside = page.getByRole('region', { name: 'Episode of the question' });
    await beside.getByText('Waiting for an expert').first().waitFor();
    expect(await editorText(page)).toContain('// mine');
    await page.keyboard.press('j');
    await beside.locator('[data-row-head]:focus').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => beside.getByRole('button', { expanded: true }).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => beside.count()).toBe(0);
    expect(await editorText(page)).toContain('// mine');
  });

  it('covers the answer key, and marks advice given after it was shown', async () => {
    const id = await startEpisode(page, 0, 'Human');
    await goTo(page, '#/desk');
    await card(page).getByText('Answer key, hidden').click();
    await card(page)
      .getByRole('button', { name: /your advice will be marked/ })
      .click();
    await card(page).getByText('What the verifier checks').waitFor();
    await write(page, 'search_workflows({"query": "Invoice archive sync", "workspace_id": 1})');
    await decide(page);

    await expect
      .poll(async () => (await server.record(id)).consultations[0]?.decision ?? null)
      .toMatchObject({ act: 'send', privilege: ['criteria', 'reference'] });
  });
});

let expert: SlowExpert;
const withSlowExpert = async () => {
  expert = await startSlowExpert();
  return { env: modelEnvironment(expert) };
};

describeConsoleWith({ serverOptions: withSlowExpert }, 'a draft that takes its time', (app) => {
  let page: Page;
  beforeEach(async () => {
    page = await app.open();
  });
  afterEach(() => expert.close());

  it('is offered to a person who writes already, and never put over their words', async () => {
    await startEpisode(page, 0, 'Human with a draft');
    await goTo(page, '#/desk');
    await card(page)
      .getByText(/writing a draft/)
      .waitFor();
    await write(page, 'I began on my own');
    await expert.answer('The late draft');

    await card(page)
      .getByText(/draft arrived while you were writing/)
      .waitFor();
    expect(await editorText(page)).toBe('I began on my own');
    await card(page).getByRole('button', { name: 'Compare', exact: true }).click();
    await card(page).getByText('The late draft').first().waitFor();
    await card(page).getByRole('button', { name: 'Insert below' }).click();
    await expect.poll(() => editorText(page)).toBe('I began on my own\n\nThe late draft');
  });

  it('that fails is said to have failed, and the person writes their own', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await goTo(page, '#/desk');
    await card(page)
      .getByText(/writing a draft/)
      .waitFor();
    await expert.refuse();

    await card(page)
      .getByText(/^No draft:/)
      .waitFor();
    expect(
      await card(page)
        .getByRole('button', { name: /^Accept/ })
        .count(),
    ).toBe(0);
    await write(page, 'Mine alone');
    await decide(page);
    await expect
      .poll(async () => (await app.server.record(id)).consultations[0]?.decision ?? null)
      .toMatchObject({ act: 'send', text: 'Mine alone', draft: null });
  });
});

/** Keeps pushes from a context's pages while held, as a slow line would; answers to requests go through. */
async function holdNews(context: BrowserContext): Promise<{ hold: () => void; release: () => void }> {
  let isHeld = false;
  let kept: (() => void)[] = [];
  await context.routeWebSocket(/\/console/, (socket) => {
    const line = socket.connectToServer();
    line.onMessage((message) => {
      const pass = (): void => socket.send(message);
      if (isHeld && /^\{"type":"(push|desk)"/.test(String(message))) kept.push(pass);
      else pass();
    });
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const pass of kept) pass();
      kept = [];
    },
  };
}
