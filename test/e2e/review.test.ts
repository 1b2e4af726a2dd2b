import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { goTo, pressSequence } from './console.ts';
import { describeConsole } from './fixture.ts';
import type { Server } from './server.ts';

describeConsole('review', (app) => {
  let server: Server;
  let owner: Page;

  beforeEach(async () => {
    ({ server } = app);
    owner = await app.open();
  });

  const play = (task: number): Promise<string> => app.play({ task_idx: task });
  const projectOf = async () => {
    const { projects } = await server.call('project.list', {});
    const [project] = projects;
    if (project === undefined) throw new Error('no project');
    return project;
  };
  const exported = async (): Promise<Record<string, unknown>[]> => {
    const { project } = await projectOf();
    const { lines } = await server.call('annotation.export', { project, offset: 0, limit: 1000 });
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  /** Makes a project from the suggestion and a queue over all that ended, by the screen. */
  const makeQueue = async (from?: string): Promise<void> => {
    await pressSequence(owner, 'g', 'r');
    await owner.getByRole('button', { name: 'New project' }).click();
    const dialog = owner.getByRole('dialog', { name: 'New project' });
    await dialog.getByRole('textbox', { name: 'Project name' }).fill('Why it fails');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await owner.getByRole('button', { name: 'New queue' }).click();
    const queue = owner.getByRole('dialog', { name: 'New queue' });
    if (from !== undefined) await queue.getByLabel('What is reviewed').selectOption({ label: from });
    await queue.getByText(/^[0-9]+ episodes?$/).waitFor();
    await queue.getByRole('button', { name: 'Create queue' }).click();
    await queue.waitFor({ state: 'detached' });
  };
  const review = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^Review \d/ }).click();
    await page.getByRole('list', { name: 'Steps of the episode' }).waitFor();
    await page.getByRole('complementary', { name: 'Review' }).waitFor();
  };
  const pressed = (page: Page, field: string): Promise<string[]> =>
    page
      .getByRole('group', { name: field, exact: true })
      .locator('[aria-pressed="true"]')
      .allInnerTexts()
      .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()));
  const waitPressed = (page: Page, field: string, texts: RegExp[]): Promise<void> =>
    expect
      .poll(() => pressed(page, field))
      .toEqual(texts.map((text) => expect.stringMatching(text) as string));
  const turnHeading = (page: Page) => page.getByRole('heading', { name: /^Turn \d+$/ });
  /** Goes down the steps, one after the other, to the first turn. */
  const toTurn = async (page: Page): Promise<void> => {
    const step = page.getByRole('list', { name: 'Steps of the episode' }).locator('[data-row-head]:focus');
    const name = async (): Promise<string> => (await step.allInnerTexts()).join();
    for (let count = 0; count < 12 && (await turnHeading(page).count()) === 0; count += 1) {
      const before = await name();
      await page.keyboard.press('j');
      await expect.poll(name).not.toBe(before);
    }
    await turnHeading(page).waitFor();
  };

  it('is done by keyboard, by two reviewers blind to each other, measured, and decided where they differ', async () => {
    await goTo(owner, '#/review');
    await owner.getByText('No projects yet').waitFor();
    const episode = await play(0);
    await makeQueue();
    await review(owner);

    // The whole episode first: “Was the task done?” is the second question there.
    await owner.keyboard.press('ArrowRight');
    await owner.keyboard.press('3');
    await waitPressed(owner, 'Was the task done?', [/Yes/]);
    // The first turn: a step mark and a failure, then the mark is changed and taken back.
    const steps = owner.getByRole('list', { name: 'Steps of the episode' });
    await toTurn(owner);
    await owner.getByRole('heading', { name: 'Turn 1' }).waitFor();
    await owner.getByRole('region', { name: 'Step', exact: true }).waitFor();
    while (
      (await owner.getByRole('region', { name: 'Step', exact: true }).getAttribute('aria-current')) !== 'true'
    )
      await owner.keyboard.press('ArrowLeft');
    await owner.keyboard.press('1');
    await waitPressed(owner, 'Step', [/Bad/]);
    await owner.keyboard.press('3');
    await waitPressed(owner, 'Step', [/Good/]);
    await owner.keyboard.press('z');
    await waitPressed(owner, 'Step', [/Bad/]);
    await owner.keyboard.press('ArrowRight');
    await owner.keyboard.press('0');
    await owner.keyboard.press('1');
    await waitPressed(owner, 'What went wrong', [/Lost what it knew/]);

    // What it should have done, half written, survives a reload.
    await owner.keyboard.press('c');
    await owner.getByRole('textbox', { name: 'Why' }).fill('It has the id already.');
    await owner.reload();
    await steps.waitFor();
    await toTurn(owner);
    await waitPressed(owner, 'What went wrong', [/Lost what it knew/]);
    await owner.keyboard.press('c');
    await expect
      .poll(() => owner.getByRole('textbox', { name: 'Why' }).inputValue())
      .toBe('It has the id already.');
    // The agent’s own call does not fit the schema, and is not taken for the right one.
    await owner.getByRole('textbox', { name: 'Why' }).press('ControlOrMeta+Enter');
    await owner
      .getByRole('alert')
      .getByText(/workflow_id/)
      .first()
      .waitFor();
    await owner.getByRole('textbox', { name: /^workflow_id/ }).fill('1');
    await owner.getByRole('textbox', { name: 'Why' }).press('ControlOrMeta+Enter');
    await owner.getByText('because It has the id already.').waitFor();

    // Words found and marked without a mouse.
    await owner.keyboard.press('w');
    await owner.getByRole('heading', { name: 'The whole episode' }).waitFor();
    await owner.keyboard.press('m');
    const task = (await server.record(episode)).reset?.task;
    const words = (typeof task === 'string' ? task : '').slice(4, 12);
    await owner.getByRole('textbox', { name: 'Words to mark' }).fill(words);
    await owner.getByText(`${String(words.length)} characters marked`).waitFor();
    await owner.keyboard.press('Escape');
    await owner.keyboard.press('3');
    await waitPressed(owner, 'Passage', [/Key evidence/]);
    await owner.keyboard.press('ControlOrMeta+Enter');
    await owner.getByText('Nothing left for you to review').waitFor();

    // The second reviewer sees neither the first one's marks nor how it ended.
    const expert = await app.openSeat('Ada');
    await expert.getByRole('link', { name: 'Review' }).click();
    await review(expert);
    await expert.getByText('The outcome is hidden until your review is done.').waitFor();
    expect(await expert.getByRole('banner').count()).toBeLessThan(3);
    expect(await expert.locator('body').innerText()).not.toMatch(/verified: complete|seat-test/);
    await expert.keyboard.press('ControlOrMeta+Enter');
    await expert.getByText('not yet answered: Was the task done?').waitFor();
    await expert.keyboard.press('ArrowRight');
    await expert.keyboard.press('2');
    await waitPressed(expert, 'Was the task done?', [/Partly/]);
    await expert.keyboard.press('ControlOrMeta+Enter');
    await expert.getByText('Nothing left for you to review').waitFor();

    // Agreement, and the last word.
    await goTo(owner, '#/review');
    const agreement = owner.getByRole('table', { name: 'Agreement' });
    await agreement.getByRole('row', { name: /Was the task done/ }).waitFor();
    await owner.getByRole('button', { name: /^Decide/ }).click();
    await owner.getByRole('complementary', { name: 'Decide' }).waitFor();
    const progress = owner.getByText(/\d+ of \d+ to decide|Everything is decided\./);
    while ((await progress.innerText()) !== 'Everything is decided.') {
      const before = await progress.innerText();
      await owner.keyboard.press('2');
      await expect.poll(() => progress.innerText()).not.toBe(before);
    }
    await owner.keyboard.press('ControlOrMeta+Enter');
    await owner.getByText(/reviewers disagree on 1 \(1 decided\)/).waitFor();

    const lines = await exported();
    const kinds = lines.map((line) => line['type']);
    expect(kinds).toContain('correction');
    expect(kinds).toContain('adjudication');
    expect(lines.find((line) => line['dimension'] === 'passage')).toMatchObject({
      target: { on: 'range', start: 4, end: 12, field: 'task' },
      value: { options: ['key_evidence'] },
    });
    expect(
      new Set(lines.filter((line) => line['dimension'] === 'outcome').map((line) => line['reviewer'])).size,
    ).toBe(2);
    // Nothing of it stands in the episode.
    expect((await server.events(episode)).some(({ event }) => event.kind.startsWith('annotation'))).toBe(
      false,
    );
  });

  it('answers by digit only the question one can see: never one about the whole episode from a step', async () => {
    await play(0);
    await makeQueue();
    await owner.setViewportSize({ width: 1280, height: 560 });
    await review(owner);
    const panel = owner.getByRole('complementary', { name: 'Review' });
    const current = panel.locator('[data-current="true"]');
    await owner.keyboard.press('l');
    await owner.keyboard.press('l');
    await owner.keyboard.press('4');
    await waitPressed(owner, 'Quality of the work', [/4/]);

    await toTurn(owner);
    await expect.poll(() => current.getAttribute('aria-label')).toBe('Step');
    await expect
      .poll(() => current.evaluate((card) => card.getBoundingClientRect().bottom))
      .toBeLessThan(560);
    await owner.keyboard.press('1');
    await waitPressed(owner, 'Step', [/Bad/]);
    expect(await pressed(owner, 'Quality of the work')).toEqual([expect.stringMatching(/4/)]);

    // Scrolled out of sight, the question comes back before it takes an answer.
    await panel.locator('[data-scrolls]').evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await owner.keyboard.press('3');
    await expect.poll(() => current.evaluate((card) => card.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await pressed(owner, 'Step')).toEqual([expect.stringMatching(/Bad/)]);
    await owner.keyboard.press('3');
    await waitPressed(owner, 'Step', [/Good/]);

    await owner.keyboard.press('w');
    await expect.poll(() => current.getAttribute('aria-label')).toBe('What went wrong');
    await waitPressed(owner, 'Quality of the work', [/4/]);
  });

  it('can be read magnified to 200 %: tools by their whole name, outcomes uncut, the step one is on in sight', async () => {
    await play(0);
    await makeQueue();
    await owner.setViewportSize({ width: 640, height: 400 });
    await review(owner);
    const steps = owner.getByRole('list', { name: 'Steps of the episode' });
    await toTurn(owner);

    const head = steps.locator('[data-row-head]:focus');
    const name = head.locator('strong');
    expect(await name.innerText()).toMatch(/^Set the state of workflow/);
    expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const outcome = head.getByText(/workflow id must be a whole number/);
    const right = (one: Element): number => one.getBoundingClientRect().right;
    expect(await outcome.evaluate(right)).toBeLessThanOrEqual(await head.evaluate(right));
    const panel = owner.getByRole('complementary', { name: 'Review' });
    const top = (one: Element): number => one.getBoundingClientRect().top;
    await expect
      .poll(async () => (await turnHeading(owner).evaluate(top)) - (await panel.evaluate(top)))
      .toBeGreaterThanOrEqual(0);
  });

  it('puts two episodes of a task side by side and takes which is better, skip, later and undo by key', async () => {
    await play(0);
    await play(0);
    await makeQueue('Pairs of the same task: which is better?');
    await owner.getByRole('button', { name: /^Review \d/ }).click();
    await owner.getByRole('region', { name: 'Left', exact: true }).waitFor();
    await owner.getByRole('region', { name: 'Right', exact: true }).waitFor();
    await owner.keyboard.press('o');
    await owner.keyboard.press('j');
    await owner.keyboard.press('3');
    await waitPressed(owner, 'Which is better', [/Right is better/]);
    await owner.keyboard.press('z');
    await waitPressed(owner, 'Which is better', []);
    await owner.keyboard.press('p');
    // Nothing else is left, so what was put off comes again.
    const acts = async (): Promise<string[]> =>
      (await server.events(`annotate/${(await projectOf()).project}`))
        .map(({ event }) => event.kind)
        .filter((kind) => kind.startsWith('item.'));
    await expect.poll(async () => (await acts()).slice(-2)).toEqual(['item.postponed', 'item.leased']);
    await owner.getByRole('region', { name: 'Left', exact: true }).waitFor();
    await owner.keyboard.press('S');
    await owner.getByText('Nothing left for you to review').waitFor();
    expect((await projectOf()).queues[0]?.progress.reviewers).toMatchObject([{ skipped: 1, done: 0 }]);
  });
});
