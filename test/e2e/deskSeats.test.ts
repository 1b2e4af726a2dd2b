import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectNoFindings } from './axePage.ts';
import {
  card,
  decide,
  editor,
  editorText,
  goTo,
  openConsole,
  plan,
  settle,
  waitForDraft,
  write,
} from './console.ts';
import { drawnBy } from './drawn.ts';
import { describeConsole } from './fixture.ts';
import { START, type Server } from './server.ts';

describeConsole('a desk of two seats', (app) => {
  let server: Server;
  let one: Page;
  let other: Page;

  const seat = async (takeBackMs = 0): Promise<Page> => {
    const page = await openConsole(await app.newContext(), server, app.complaints, takeBackMs);
    await goTo(page, '#/desk');
    return page;
  };
  const decisionOf = async (id: string) => (await server.record(id)).consultations[0]?.decision ?? null;
  const seatOf = (page: Page): Promise<string> =>
    page.evaluate(() => localStorage.getItem('interject.seat') ?? '');
  /** So many pixels stick out of the card at the width of a window that is zoomed to 200 %. */
  const sideways = async (page: Page): Promise<number> => {
    await page.setViewportSize({ width: 640, height: 400 });
    const over = await card(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await page.setViewportSize({ width: 1280, height: 800 });
    return over;
  };
  const list = (page: Page): Locator => page.getByRole('region', { name: 'Waiting questions' });

  beforeEach(async () => {
    ({ server } = app);
    one = await seat();
    other = await seat();
  });

  it('shows who is at a question, and tells the second one who was first, words kept', async () => {
    await one.bringToFront();
    const id = await app.ask();
    await waitForDraft(one);
    await waitForDraft(other);
    await write(one, 'The first answer');
    await card(other)
      .getByText(/seat-\S+ is answering. You can answer too/)
      .waitFor();
    const answering = list(other).getByText(/seat-\S+ is answering/);
    await answering.waitFor();
    // The line stays as high as every other: who answers takes no place from the question above it.
    const question = list(other).getByText(/^I tried to activate the workflow/);
    const [above, below] = [await question.boundingBox(), await answering.boundingBox()];
    expect(above?.height ?? 0).toBeGreaterThan(15);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
    await write(other, 'The second answer');
    await decide(one);
    await one.getByText(/Edited draft sent|Advice sent/).waitFor();

    await card(other)
      .getByText(/^Answered by seat-/)
      .waitFor();
    expect(await editorText(other)).toBe('The second answer');
    expect(await decisionOf(id)).toMatchObject({ type: 'approved', text: 'The first answer' });
  });

  it('lets a question be passed on: it sinks here, stays there, and has no outcome', async () => {
    const id = await app.ask();
    await waitForDraft(one);
    await decide(one, 'p');
    await list(one).getByText('you passed it on').waitFor();
    await one.getByText('Questions you passed on stay listed').waitFor();
    expect(await decisionOf(id)).toBeNull();

    await waitForDraft(other);
    await decide(other, 'a');
    await expect.poll(() => decisionOf(id)).toMatchObject({ type: 'approved', act: 'accept' });
    await expect.poll(() => list(one).getByText('you passed it on').count()).toBe(0);
  });

  it('leaves a card that another seat settled while nothing was written on it, and says who it was', async () => {
    await app.ask();
    await waitForDraft(one);
    await waitForDraft(other);
    await decide(other, 'a');
    await card(other).getByText('Draft accepted and sent').waitFor();
    await card(one).waitFor({ state: 'detached' });
    await one.getByText('You’re all caught up').waitFor();
    const answered = one.getByRole('region', { name: 'Recently answered' });
    await answered.getByText('Followed: 4 of 4 calls.').waitFor();
    expect(await answered.getByText(/^“At Harbor & Pine/).count()).toBe(1);
  });

  it('answers alike questions with one act, but those left out', async () => {
    const { episodes: ids } = await server.call('episode.start', { ...START, repeats: 3 });
    const group = card(one).getByRole('group', { name: /^Answer \d of 3/ });
    await group.waitFor();
    await waitForDraft(one);
    // One that is not the first of its kind comes to the front too.
    await one.keyboard.press('Control+k');
    await one.getByRole('dialog').getByText('Waiting for you').waitFor();
    await one.keyboard.press('ArrowDown');
    await one.keyboard.press('ArrowDown');
    await one.keyboard.press('Enter');
    await expect.poll(() => card(one).getAttribute('data-consultation')).toContain(ids.at(-1));
    await one.getByRole('option').first().click();
    await expect.poll(() => card(one).getAttribute('data-consultation')).toContain(ids[0]);
    for (const box of await group.locator('input:enabled').all()) await box.setChecked(true);
    await card(one).getByRole('group', { name: 'Answer 3 of 3' }).waitFor();
    // What each asks, and which of the three it is; no part of an id.
    expect(await group.getByRole('listitem').first().innerText()).toMatch(
      /^\S.{20,}\n+turn \d+ · rollout \d of 3/,
    );
    // However long the questions are, nothing of them runs out of the card.
    const overflow = await group.evaluate((fieldset) => {
      const parent = fieldset.parentElement;
      return [fieldset, parent].map((part) => (part?.scrollWidth ?? 0) - (part?.clientWidth ?? 0));
    });
    expect(overflow.every((pixels) => pixels <= 0)).toBe(true);
    await group.getByRole('checkbox').last().setChecked(false);
    await card(one).getByRole('group', { name: 'Answer 2 of 3' }).waitFor();
    await write(one, 'search_workflows({"query": "Invoice archive sync", "workspace_id": 1})');
    await settle(one);
    // A key in the editor draws what depends on the words, and neither the list nor the question nor the acts. Ages are
    // drawn each second: a key between two of them shows it.
    const parts = {
      list: list(one),
      question: card(one).getByRole('region', { name: 'What the agent asks' }),
      recipients: group,
      acts: card(one).locator('footer'),
      words: card(one).getByText(/^Reads as/),
    };
    await expect.poll(() => drawnBy(one, parts, () => one.keyboard.press('Space'))).toEqual(['words']);
    await card(one)
      .getByRole('button', { name: /^Send to 2/ })
      .click();
    await card(one)
      .getByText(/, to 2 of 2/)
      .waitFor();

    const decisions = (await Promise.all(ids.map(decisionOf))).filter((decision) => decision !== null);
    expect(decisions).toHaveLength(2);
    const acts = new Set(decisions.map((d) => (d.type === 'approved' ? d.humanAct : null)));
    expect([...acts]).toEqual([expect.any(String)]);
    await one.keyboard.press('n');
    await expect.poll(() => card(one).getAttribute('data-consultation')).toContain(ids.at(-1));
  });

  it('keeps late advice for a question nobody answered in time, and never delivers it', async () => {
    const id = await app.ask({ deadline_ms: 1000, fallback: 'proceed' });
    await expect.poll(() => decisionOf(id)).toMatchObject({ type: 'expired' });
    await one.getByText(/Missed in the last hour: 1/).click();
    await one.getByRole('button', { name: /the deadline passed/ }).click();
    const missed = one.getByRole('region', { name: 'Missed question' });
    await missed.getByText('Never delivered.').waitFor();
    await missed.getByRole('region', { name: 'Task' }).waitFor();
    // Advice is written here as at an open question: in words, or in steps with the tools of the episode.
    await missed.getByRole('button', { name: 'Add a step' }).click();
    await missed.getByRole('combobox', { name: 'Tool of the first step' }).press('Escape');
    await missed.getByRole('textbox', { name: 'Advice' }).click();
    await one.keyboard.insertText('It should have looked first');
    await expectNoFindings(one, 'late advice');
    await one.keyboard.press('ControlOrMeta+Enter');
    await one.getByText('Late advice kept').waitFor();

    expect((await server.events(`late/${id}`)).map(({ event }) => event)).toMatchObject([
      { kind: 'advice.late', episode: id, text: 'It should have looked first' },
    ]);
    const delivered = (await server.events(id)).filter(({ event }) => event.kind === 'advice.delivered');
    expect(JSON.stringify(delivered)).not.toContain('looked first');
  });

  it('lets nobody wait when nobody is on duty, and says so', async () => {
    await server.call('seat.change', { presence: 'off' });
    for (const page of [one, other]) {
      await page.getByRole('button', { name: /^Presence/ }).click();
      await page.getByRole('menuitemradio', { name: /^Away/ }).click();
      await page.getByRole('button', { name: 'Presence: Away' }).waitFor();
    }
    const id = await app.ask({ deadline_ms: 60_000, fallback: 'proceed' });

    await expect.poll(() => decisionOf(id)).toMatchObject({ type: 'expired', reason: 'nobody' });
    await one.getByText(/Missed in the last hour: 1/).click();
    await one.getByText(/no one was on duty/).waitFor();
    await goTo(one, `#/episode/${id}`);
    await one.getByText('No one was there to answer').first().waitFor();
  });

  it('says why a question was not sent to a person', async () => {
    const id = await app.ask({
      deadline_ms: 60_000,
      fallback: 'proceed',
      admission: { share: 0, capacity: null, hourly_minutes: null },
    });
    await expect.poll(() => decisionOf(id)).toMatchObject({ type: 'expired', reason: 'not_admitted' });
    await goTo(one, `#/episode/${id}`);
    await one.getByText('Not sent to a person').first().waitFor();
    await one
      .getByText(/not sampled: only a share/)
      .first()
      .waitFor();
  });

  it('asks for another draft with a hint, compares the drafts, and goes back to the first', async () => {
    const id = await app.ask();
    await waitForDraft(one);
    await write(one, 'My own words');
    await one.keyboard.press('Escape');
    await one.keyboard.press('h');
    await one.getByRole('textbox', { name: 'What should the next draft take into account?' }).fill('shorter');
    await one.keyboard.press('Enter');

    await card(one).getByText('2 drafts').click();
    await card(one).getByText('Asked for with: “shorter”').waitFor();
    await card(one).getByRole('button', { name: 'Compare with your text' }).first().click();
    await card(one).getByRole('figure', { name: 'Draft 1 compared with your text' }).waitFor();
    expect(await editorText(one)).toBe('My own words');
    await card(one).getByRole('button', { name: 'Use this draft' }).first().click();
    await settle(one);
    await card(one).getByRole('button', { name: /^Send/ }).click();
    const first = (await server.record(id)).consultations[0]?.drafts[0]?.id;
    await expect.poll(() => decisionOf(id)).toMatchObject({ act: 'accept', draft: first });

    await goTo(one, `#/episode/${id}`);
    await one.getByRole('list', { name: 'Steps of the episode' }).getByText('Draft accepted').click();
    await one.getByText(`${await seatOf(one)} asked for another draft: “shorter”`).waitFor();
    await one.getByText('Draft 1 was sent unchanged.').waitFor();
  });

  it('offers an earlier answer, covered while it is privileged, and marks what it is used in', async () => {
    const before = await app.ask();
    await waitForDraft(one);
    await decide(one, 'a');
    await expect.poll(() => decisionOf(before)).toMatchObject({ act: 'accept' });
    await card(one).getByText('Followed: 4 of 4 calls. Task complete.').waitFor();
    await one.keyboard.press('n');
    await one.getByText('You’re all caught up').waitFor();

    const id = await app.ask({ condition: 'human' });
    // A key pressed before the question is there leads nowhere.
    await one.getByRole('region', { name: 'Question', exact: true }).waitFor();
    await list(other).getByRole('option').first().waitFor();
    await other.keyboard.press('n');
    await card(other).getByText('1 earlier answer to a similar question').click();
    await card(other)
      .getByText(/^Marked means: .*made with .* in sight.* left out of training data\.$/)
      .waitFor();
    await card(other).getByRole('button', { name: 'Show it; your advice will be marked' }).click();
    await card(other).getByRole('button', { name: 'Use it' }).click();
    await expect.poll(() => editorText(other)).toContain('"tool"');
    await decide(other);
    // The console was told how the first episode of the task ended.
    await expect
      .poll(() => decisionOf(id))
      .toMatchObject({ act: 'send', privilege: ['reference', 'verdict'] });
  });

  it('approves held calls together, each seen before, and takes all of them back at once', async () => {
    await one.close();
    one = await seat(30_000);
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    const approval = { rules, deadline_ms: null, fallback: 'wait' as const };
    const { episodes } = await server.call('episode.start', { ...START, repeats: 2, approval });
    const held = one.getByRole('region', { name: 'Held call' });
    await held.waitFor();
    await expect.poll(() => list(one).getByRole('option').count()).toBe(2);
    await one.keyboard.press('x');
    await one.keyboard.press('j');
    await one.keyboard.press('x');
    await one.getByRole('button', { name: /^Approve 2 held calls/ }).waitFor();
    await one.keyboard.press('B');
    const dialog = one.getByRole('dialog', { name: 'Approve 2 held calls' });
    await expect.poll(() => dialog.getByRole('region', { name: /^Call \d of 2$/ }).count()).toBe(2);
    // What each would return, and no JSON until it is asked for.
    await expect.poll(() => dialog.getByText(/Tried in a throw-away session/).count()).toBe(2);
    expect(await dialog.getByRole('region', { name: 'Arguments' }).count()).toBe(0);
    await expectNoFindings(one, 'several held calls to approve');
    await dialog.getByRole('button', { name: 'Approve 2', exact: true }).click();
    await one.getByText('Approving 2 held calls').waitFor();
    await one.keyboard.press('u');
    await one.getByRole('button', { name: /^Approve 2 held calls/ }).waitFor();
    await one.keyboard.press('B');
    await dialog.getByRole('button', { name: 'Approve 2', exact: true }).click();
    await one.getByRole('button', { name: /^Send now/ }).click();
    await expect
      .poll(
        async () =>
          (await Promise.all(episodes.map((id) => server.events(id))))
            .flat()
            .filter(({ event }) => event.kind === 'call.approved').length,
      )
      .toBe(2);
    await list(one).getByText('2 of 2 calls approved').waitFor();

    const approvals = (await Promise.all(episodes.map((id) => server.events(id))))
      .flat()
      .filter(({ event }) => event.kind === 'call.approved');
    expect(approvals).toHaveLength(2);
    expect(approvals.map(({ event }) => event)).toMatchObject([
      { timing: { first_seen_at: expect.any(Number) } },
      { timing: { first_seen_at: expect.any(Number) } },
    ]);
  });

  it('lets a stopped episode go on from the desk', async () => {
    const id = await app.ask();
    await server.call('episode.control', {
      episode: id,
      act: 'pause',
      at_once: false,
      reason: null,
      note: null,
      is_discarded: false,
    });
    await card(one)
      .getByText(/The episode is also stopped/)
      .waitFor();
    await expect.poll(() => list(one).getByRole('option').count()).toBe(1);
    await card(one).getByRole('button', { name: 'Resume' }).click();
    await expect
      .poll(() =>
        card(one)
          .getByText(/also stopped/)
          .count(),
      )
      .toBe(0);
    await expect.poll(async () => (await server.record(id)).phase).toBe('autonomous');
  });

  it('changes a plan step by step by keyboard, the words around it kept, and takes snippets by their name', async () => {
    await app.ask({ condition: 'human' });
    await editor(one).waitFor();
    await write(
      one,
      'First this:\n\n{"plan":[{"tool":"set_status_workflow","args":{}}],"note":"kept"}\n\nThen rest.',
    );
    await card(one)
      .getByRole('button', { name: /^As steps/ })
      .click();
    await plan(one).getByRole('button', { name: 'Use set_workflow_status' }).click();
    const step = (name: RegExp) => plan(one).getByRole('button', { name });
    await expect.poll(() => step(/^Step 1: Set the state of workflow not given/).count()).toBe(1);
    await one.keyboard.press('Enter');
    await one.keyboard.press('Enter');
    await plan(one)
      .getByRole('textbox', { name: /^workflow_id/ })
      .waitFor();
    await one.keyboard.type('101');
    // In a low window the card is scrolled: its task stays in sight, and so does the step whose field closes.
    await one.setViewportSize({ width: 1280, height: 600 });
    await plan(one)
      .getByRole('button', { name: 'Add a step' })
      .evaluate((adder) => adder.scrollIntoView({ block: 'end' }));
    await card(one)
      .getByRole('button', { name: /^Task .{20}/ })
      .waitFor();
    await one.keyboard.press('Enter');
    await expect.poll(() => plan(one).locator('[data-chip="workflow_id"]:focus').count()).toBe(1);
    const { top, bottom } = await plan(one)
      .locator('[data-step="0"]')
      .evaluate((step) => step.getBoundingClientRect().toJSON() as DOMRect);
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThan(600);
    await one.setViewportSize({ width: 1280, height: 800 });
    await plan(one).getByRole('button', { name: 'Add a step' }).click();
    await one.keyboard.type('disable');
    await one.keyboard.press('Enter');
    await expect.poll(() => step(/^Step 2: Disable step not given/).count()).toBe(1);
    await expect.poll(() => plan(one).locator('[data-chip="step_id"]:focus').count()).toBe(1);
    await one.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => plan(one).locator('[data-step="0"] [data-handle]:focus').count()).toBe(1);
    await one.keyboard.press('Delete');
    await plan(one).getByRole('button', { name: /undo$/ }).waitFor();
    await one.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => step(/^Step 1: Disable step/).count()).toBe(1);
    expect(await sideways(one)).toBe(0);
    const text = (await editorText(one)).trim();
    expect(text.startsWith('First this:')).toBe(true);
    expect(text.endsWith('Then rest.')).toBe(true);
    const value = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as unknown;
    expect(value).toEqual({
      plan: [
        { tool: 'disable_step', args: {} },
        { tool: 'set_workflow_status', args: { workflow_id: 101 } },
      ],
      note: 'kept',
    });

    await write(one, 'Look before you leap');
    await card(one).getByRole('button', { name: 'More' }).click();
    await one.getByRole('menuitem', { name: 'Save this text as a snippet' }).click();
    await one.getByRole('textbox', { name: 'Name of the snippet' }).fill('look');
    await one.keyboard.press('Enter');
    await write(one, '');
    await one.keyboard.type('Mind: ;look ');
    await expect.poll(async () => (await editorText(one)).trim()).toBe('Mind: Look before you leap');
  });

  it('opens the field of a value that is added to a step, and takes what is typed', async () => {
    await app.ask();
    await waitForDraft(one);
    await plan(one)
      .getByRole('button', { name: /^More for step 1/ })
      .click();
    await one.getByRole('menuitem', { name: 'Add folder' }).click();
    const field = plan(one).getByRole('group', { name: 'Value of folder' });
    const input = field.locator('input, textarea');
    await input.waitFor();
    // The menu gives the focus back a moment after it is closed.
    await one.evaluate(() => new Promise((later) => setTimeout(later, 200)));
    await one.keyboard.type('7');
    expect(await input.inputValue()).toBe('7');
  });

  it('asks once more before it sends what the environment would refuse, and keeps a reason through a double click', async () => {
    const id = await app.ask();
    await waitForDraft(one);
    await write(
      one,
      '{"plan":[{"tool":"set_workflow_status","args":{"workflow_id":"abc","status":"active"}}]}',
    );
    await decide(one);
    await card(one)
      .getByRole('alert')
      .filter({ hasText: /^Not sent yet: the environment would refuse it\. Workflow must be a whole number/ })
      .waitFor();
    await decide(one);
    expect(await decisionOf(id)).toBeNull();
    await card(one).getByRole('button', { name: 'Edit it' }).click();
    await card(one)
      .getByRole('button', { name: /^Decline/ })
      .dblclick();
    await one.keyboard.type('I cannot know this.');

    const reason = card(one).getByRole('textbox', { name: /^Why are you declining/ });
    expect(await reason.inputValue()).toBe('I cannot know this.');
  });

  it('declines, and sends nothing, once that is what a person does about a plan that would be refused', async () => {
    const id = await app.ask();
    await waitForDraft(one);
    await write(
      one,
      '{"plan":[{"tool":"set_workflow_status","args":{"workflow_id":"abc","status":"active"}}]}',
    );
    await decide(one);
    await card(one)
      .getByRole('alert')
      .filter({ hasText: /^Not sent yet/ })
      .waitFor();
    await one.keyboard.press('Escape');
    await one.keyboard.press('r');
    await one.keyboard.type('I cannot know this.');
    await decide(one);

    await expect
      .poll(() => decisionOf(id))
      .toMatchObject({ type: 'declined', reason: 'I cannot know this.' });
  });
});
