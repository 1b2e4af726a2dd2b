import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  card,
  decide,
  plan,
  pressSequence,
  settle,
  taskOption,
  timeline,
  waitForDraft,
  watchLink,
} from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

/** What the focus stands on is called. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null) return '';
    const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
    const labels = isField ? [...(element.labels ?? [])] : [];
    const words = labels.map((label) => label.innerText).join(' ');
    return `${element.getAttribute('aria-label') ?? ''} ${words} ${element.textContent ?? ''}`.trim();
  });

/** Presses Tab, or another key, until the focus stands on something that is called so. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never came to ${String(name)}; it stands on ${await focused(page)}`);
}

/** Presses the button of that name, once Tab has come to it. */
async function pressButton(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  await tabTo(page, name, key);
  await page.keyboard.press('Enter');
}

describeConsole('without a mouse', (app) => {
  it('an episode is started, its question answered in changed words, its end read and looked into', async () => {
    const page = await app.open();
    await page.keyboard.press('s');
    await page.getByRole('radio', { name: /^loomline_workflows/ }).waitFor();
    await tabTo(page, /^Scenario +loomline_workflows/);
    await page.keyboard.press('Home');
    await taskOption(page.getByRole('dialog', { name: 'Start an episode' }), 0).waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, / Task 0( |$)/);
    await tabTo(page, /^Options as usual: 1 run, a person advises with a draft/);
    await page.keyboard.press('ControlOrMeta+Enter');
    // Who starts from the desk stays there.
    const id = (await watchLink(page).getAttribute('href'))?.split('/').at(-1) ?? '';
    await page.getByRole('main', { name: 'Desk' }).waitFor();
    await waitForDraft(page);
    // The first value of the plan is at hand, chosen as a whole.
    await page.keyboard.press('e');
    await expect.poll(() => plan(page).locator('textarea:focus').inputValue()).toBe('Invoice archive sync');
    // Enter is done with it and changes nothing, though all of it is selected.
    await page.keyboard.press('Enter');
    await expect
      .poll(() => plan(page).locator('[data-chip="query"]:focus').innerText())
      .toBe('Invoice archive sync');
    await page.keyboard.press('Enter');
    await expect.poll(() => plan(page).locator('textarea:focus').inputValue()).toBe('Invoice archive sync');
    await page.keyboard.type('Invoice archive');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await decide(page);
    await page.getByText('Edited draft sent').waitFor();
    await expect.poll(async () => (await app.server.record(id)).ended?.outcome).toBe('done');
    expect((await app.server.record(id)).consultations[0]?.decision).toMatchObject({ act: 'edit' });

    await pressSequence(page, 'g', 't');
    await page.getByRole('main', { name: 'Runs' }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').or(page.getByRole('combobox')).first().waitFor();
    await page.keyboard.press('Escape');
    await pressSequence(page, 'g', 'e');
    await page.getByRole('main', { name: 'Episodes' }).getByText('loomline_workflows #0').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await timeline(page).waitFor();
    await page.keyboard.press('G');
    await page.keyboard.press('z');
    await timeline(page).getByText('The verifier says complete').first().waitFor();
  });

  it('two questions are answered one after the other, one accepted, one declined with its reason', async () => {
    const first = await app.ask();
    const second = await app.ask({ task_idx: 7 });
    const page = await app.open();
    await waitForDraft(page);
    await page.getByRole('link', { name: 'Desk 2 waiting', exact: true }).waitFor();
    expect(await card(page).getAttribute('data-consultation')).toContain(first);
    await decide(page, 'a');
    await page.keyboard.press('n');
    await expect.poll(() => card(page).getAttribute('data-consultation')).toContain(second);
    await waitForDraft(page);
    await page.keyboard.press('r');
    await page.keyboard.type('Ask your own team first');
    await decide(page);
    await card(page).getByText('Declined; the agent reads your reason').waitFor();
    await page.keyboard.press('n');
    await page.getByText('You’re all caught up').waitFor();
    // A screen reader hears how the episodes went, without having been asked.
    await page
      .locator('[data-news]')
      .filter({ hasText: /^[A-Z0-9].*(: At Harbor|episodes ended)/ })
      .waitFor({ state: 'attached' });

    const decisionOf = async (id: string) => (await app.server.record(id)).consultations[0]?.decision;
    expect(await decisionOf(first)).toMatchObject({ type: 'approved', act: 'accept' });
    expect(await decisionOf(second)).toMatchObject({ type: 'declined', reason: 'Ask your own team first' });
  });

  it('a held call is edited and sent, a move made in the agent’s place, the episode reviewed and its data written', async () => {
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      condition: 'none',
      approval: {
        rules: [{ glob: '*', argument: null, does: 'first', count: 2 }],
        deadline_ms: null,
        fallback: 'wait',
      },
    });
    const id = episodes[0] ?? '';
    const turns = async () => (await app.server.record(id)).turns;
    const page = await app.open();
    const held = page.getByRole('region', { name: 'Held call' });
    await held.waitFor();
    await decide(page, 'e');
    await expect.poll(() => focused(page)).toMatch(/^workflow_id/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('101');
    await tabTo(page, /^status/);
    await page.keyboard.type('active');
    await decide(page);
    await expect
      .poll(async () => (await turns())[0]?.call)
      .toMatchObject({
        decision: { type: 'edited' },
        sent: { arguments: { workflow_id: 101, status: 'active' } },
      });
    // As long as the form is there, keys are typed into it.
    await held.getByLabel(/^workflow_id/).waitFor({ state: 'detached' });

    await pressSequence(page, 'g', 'e');
    await page.getByRole('main', { name: 'Episodes' }).getByText('loomline_workflows #0').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: 'Episode', exact: true }).waitFor();
    await held.getByText('turn 2 of').waitFor();
    await settle(page);
    await page.keyboard.press('t');
    const composer = page.getByRole('region', { name: 'Your move' });
    await composer.waitFor();
    await page.keyboard.press('d');
    await timeline(page).getByText('Held call cancelled').waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await turns())[2]?.move?.type).toBe('list_tools');
    await timeline(page).getByText('List the tools').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await app.server.record(id)).ended?.outcome).toBe('done');

    await pressSequence(page, 'g', 'r');
    await page.getByRole('main', { name: 'Review' }).getByText('No projects yet').waitFor();
    await pressButton(page, /^New project/);
    await page.getByRole('dialog', { name: 'New project' }).waitFor();
    await tabTo(page, /^Project name/);
    await page.keyboard.type('Why it fails');
    await pressButton(page, /^Create project/, 'Shift+Tab');
    await page.getByRole('button', { name: 'New queue' }).waitFor();
    await pressButton(page, /^New queue/);
    await page
      .getByRole('dialog', { name: 'New queue' })
      .getByText(/^[0-9]+ episodes?$/)
      .waitFor();
    await pressButton(page, /^Create queue/, 'Shift+Tab');
    await page.getByRole('button', { name: /^Review/ }).waitFor();
    await pressButton(page, /^Review [0-9]/);
    await page.getByRole('complementary', { name: 'Review' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('3');
    await page
      .getByRole('group', { name: 'Was the task done?', exact: true })
      .locator('[aria-pressed="true"]')
      .waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('complementary', { name: 'Review' }).waitFor({ state: 'detached' });

    await pressSequence(page, 'g', 'x');
    await page.getByRole('heading', { name: 'Preview' }).or(page.getByRole('radiogroup')).first().waitFor();
    await page.keyboard.press('f');
    await pressButton(page, /^Hand to other tools/);
    await page.keyboard.press('f');
    await tabTo(page, /Every event/, 'ArrowDown');
    await page.waitForURL(({ hash }) => hash.startsWith('#/data?format='));
    await expect.poll(() => page.getByRole('button', { name: /^Write/ }).isEnabled()).toBe(true);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page
      .getByRole('region', { name: 'Written', exact: true })
      .getByText(/rows? written/)
      .waitFor();
  });
});
