// Benches in the console: planned from a split, cancelled and gone on with, read once they are over, answered at the desk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { BenchSummary } from '../../src/shared/bench/summary.ts';
import { expectNoFindings } from './axePage.ts';
import { decide, goTo, pressSequence, waitForDraft } from './console.ts';
import { describeConsole } from './fixture.ts';

const splitOf = (tasks: number) =>
  Buffer.from(
    JSON.stringify({
      meta: {},
      train: [],
      val: Array.from({ length: tasks }, (_, at) => ['loomline_workflows', at]),
    }),
  );

/** The form of a new bench with its split picked, reached by keys and links alone. */
async function openForm(page: Page, tasks: number): Promise<void> {
  await pressSequence(page, 'g', 't');
  await page.getByRole('button', { name: 'New bench' }).first().click();
  await page.getByText('Choose a split first.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Pick a split file');
  await pickFile(page, splitOf(tasks));
}

const pickFile = async (page: Page, buffer: Buffer): Promise<void> =>
  page.getByLabel('A split file').setInputFiles({ name: 'split.json', mimeType: 'application/json', buffer });

describeConsole('a bench in the console', (app) => {
  it('is planned, cancelled, gone on with, and shows its result, figures and files once it is over', async () => {
    const page = await app.open();
    await goTo(page, '#/runs');
    await page.getByText('A bench runs the same tasks in several arms').waitFor();
    await openForm(page, 10);
    // No model is set: without the answer nobody could advise, and that is said before anything starts.
    await page.getByText('Nobody can draft advice for the arm model').waitFor();
    await page.getByRole('checkbox', { name: /Advisors see what is checked/ }).check();
    await page.getByLabel('Episodes at once').fill('0');
    await page.getByText('Give a whole number from 1 to 64.').first().waitFor();
    await page.getByLabel('Episodes at once').fill('2');
    await page.getByLabel('Runs of each task').fill('2');
    await page.getByLabel('Name', { exact: true }).fill('night');
    await page.getByText('40 episodes, 10 tasks in none, model').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');

    await page.getByRole('heading', { name: 'night' }).waitFor();
    await page.getByText('of 40 episodes over').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    expect(await page.getByText(/points higher|no difference shown/i).count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText(/^Verifier completion: model\(scripted\) is .* points higher than none/).waitFor();

    await result.getByText('REHEARSAL: in none, model(scripted)').first().waitFor();
    await result.getByText(/could have shown a difference of/).waitFor();
    await page.getByText('No episode is left out.').waitFor();
    // Its tasks are called by their words.
    await page.locator('summary', { hasText: /^All 10 tasks/ }).click();
    const task = page.getByRole('rowheader').filter({ hasText: 'loomline_workflows #0' });
    expect(await task.innerText()).toMatch(/^[A-Z][^#]{20,}\n/);
    await expectNoFindings(page, 'the result of a bench');
    await page.getByRole('button', { name: 'Write report folder' }).click();
    await page.getByText(/files written to/).waitFor();
    const { summary: asked } = (await app.server.call('bench.show', { name: 'night' })) as {
      summary: unknown;
    };
    const summary = BenchSummary.parse(asked);
    expect(summary).toMatchObject({ finished: 40, is_complete: true });
    const folder = join(app.server.folder, 'reports', 'night');
    expect(JSON.parse(readFileSync(join(folder, 'results_summary.json'), 'utf8'))).toEqual(summary);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report.md' }).click();
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain(`**${summary.primary.says}**`);

    // A name that is taken is told of at its field, and Start leads to what is wrong.
    await openForm(page, 1);
    await page.getByRole('checkbox', { name: /Advisors see what is checked/ }).check();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('night');
    await page
      .getByText(/^night is taken by a bench with other tasks, runs of each task/)
      .first()
      .waitFor();
    await page.getByLabel('Runs of each task').press('ControlOrMeta+Enter');
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    // Going elsewhere and back loses nothing of it.
    await page.getByRole('link', { name: /^Desk/ }).click();
    await page.goBack();
    expect(await name.inputValue()).toBe('night');
    await pickFile(page, Buffer.from('{"val": "all"}'));
    await page.getByText('val is a string').first().waitFor();
    await name.press('ControlOrMeta+Enter');
    await page.locator('button:focus', { hasText: 'Pick a split file' }).waitFor();
  });

  it('waits at the desk for a person under one budget, and counts what the person did', async () => {
    const page = await app.open();
    await openForm(page, 1);
    await page.getByRole('checkbox', { name: /^A model answers/ }).uncheck();
    await page.getByRole('checkbox', { name: /^A person answers, with a model’s draft/ }).check();
    await page.getByRole('checkbox', { name: /Advisors see what is checked/ }).check();
    await page.getByLabel('Runs of each task').fill('1');
    await page.getByLabel('People’s minutes an hour').fill('30');
    await page.getByLabel('Name', { exact: true }).fill('asked');
    await page.getByText('2 episodes, 1 task in none, human+draft').waitFor();
    await page
      .getByRole('region', { name: 'Plan' })
      .getByRole('button', { name: /^Start/ })
      .click();

    await page.getByRole('link', { name: 'desk', exact: true }).click();
    await waitForDraft(page);
    await decide(page);
    await goTo(page, '#/bench/asked');
    await page.getByRole('heading', { name: 'Verifier completion: with help' }).waitFor();
    const { summary: asked } = (await app.server.call('bench.show', { name: 'asked' })) as {
      summary: unknown;
    };
    const { arms, seats, plan } = BenchSummary.parse(asked);
    expect(plan.hourly_minutes).toBe(30);
    expect(arms[1]).toMatchObject({ label: 'human+draft', answered_by: { human: 1, scripted: 0 } });
    expect(seats).toMatchObject([{ arm: 'human+draft', answers: 1 }]);
  });
});
