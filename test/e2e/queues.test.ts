import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { STARTER } from '../../src/shared/review/taxonomy.ts';
import type { Inputs } from '../../src/shared/contract/contract.ts';
import { expectNoFindings } from './axePage.ts';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';
import type { Server } from './server.ts';

const TIMING = { first_seen_at: null, active_ms: 65_000 };
describeConsole('a queue', (app) => {
  let server: Server;
  let page: Page;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });

  const play = (task: number): Promise<string> => app.play({ task_idx: task });
  const projectOf = async (): Promise<string> =>
    (
      await server.call('project.create', {
        name: 'Why it fails',
        instructions: '',
        dimensions: [...STARTER],
      })
    ).project;
  const queueOf = async (project: string, episodes: string[]): Promise<string> => {
    const made: Inputs['queue.make'] = {
      project,
      name: 'Round 1',
      reviewers_per_item: 2,
      seats: [],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 10,
      from: { type: 'episodes', episodes },
    };
    return (await server.call('queue.make', made)).queue;
  };
  const rows = (name: string) => page.getByRole('grid', { name }).getByRole('row');

  it('is filled from what the library chose, found by every filter, and shared out by keyboard', async () => {
    const first = await play(0);
    await play(1);
    await play(2);
    await server.call('tags.change', { episodes: [first], add: ['odd'], remove: [] });
    const project = await projectOf();
    await goTo(page, '#/episodes');
    await expect.poll(() => rows('Episodes').count()).toBe(3);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('q');
    const review = page.getByRole('dialog', { name: 'Add 2 episodes to a review queue' });
    await review.getByLabel('Project').waitFor();
    await review.getByRole('button', { name: 'Set up the queue' }).click();

    const dialog = page.getByRole('dialog', { name: 'New queue' });
    await dialog.getByLabel('What is reviewed').waitFor();
    expect(await dialog.getByLabel('What is reviewed').locator('option:checked').innerText()).toBe(
      'The 2 episodes selected in Episodes',
    );
    // Or by the filters of the library, all of them.
    await dialog.getByLabel('What is reviewed').selectOption({ label: 'Single episodes' });
    await dialog.getByText('3 episodes', { exact: true }).waitFor();
    await dialog.getByText('More filters').click();
    await dialog.getByLabel('Tag').selectOption({ label: 'odd' });
    await dialog.getByText('1 episode', { exact: true }).waitFor();
    await expectNoFindings(page, 'a new queue');
    await dialog.getByText('Filters: tag: odd').waitFor();
    await dialog.getByLabel('What is reviewed').selectOption({ index: 0 });
    await dialog.getByRole('button', { name: 'Create queue' }).click();
    await page.getByText('Round 1: 2 episodes').waitFor();

    // More of them later, to the queue that is there.
    await goTo(page, '#/episodes');
    await expect.poll(() => rows('Episodes').count()).toBe(3);
    // A key right behind is about all of them, not about the one that was chosen before.
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('q');
    const again = page.getByRole('dialog', { name: 'Add 3 episodes to a review queue' });
    await again.getByLabel('Queue').selectOption({ label: 'Round 1, 2 episodes' });
    await again.getByRole('button', { name: 'Add to the queue' }).click();
    await page.getByText('Round 1: 1 episode added').waitFor();
    await page.getByText('2 episodes it held already.').waitFor();

    await goTo(page, `#/review/${project}`);
    await expect.poll(() => rows('Items').count()).toBe(3);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('a');
    const assign = page.getByRole('dialog', { name: 'Assign 3 items' });
    await assign.getByLabel('You').check();
    await assign.getByText('3 reviews: 3 for each.').waitFor();
    await expectNoFindings(page, 'who reviews what');
    await assign.getByRole('button', { name: 'Assign' }).click();
    await page
      .getByRole('table', { name: 'Reviewers' })
      .getByRole('row', { name: /You 0 of 3/ })
      .waitFor();
    await expect.poll(() => rows('Items').getByText('not begun').count()).toBe(3);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Review' }).waitFor();
  });

  it('has what the agent should have done decided by key, and another one written', async () => {
    const project = await projectOf();
    const episode = await play(0);
    const queue = await queueOf(project, [episode]);
    const { items } = await server.call('queue.items', {
      project,
      queue,
      show: 'all',
      offset: 0,
      limit: 1,
    });
    const at = { project, queue, item: items[0]?.item ?? '' };
    // The other reviewer is this test; the first is the page's own seat.
    const say = async (call: Server['call'], tool: string, note: string): Promise<void> => {
      await call('queue.open', at);
      const target = { on: 'call', episode, turn: 1 } as const;
      const whole = { target: { on: 'trajectory', episode } as const, timing: TIMING };
      const move = { type: 'call_tool' as const, tool_name: tool, arguments: { id: 1 } };
      await call('annotation.give', {
        as: 'correction',
        ...at,
        target,
        correct: { type: 'move', move },
        reason: null,
        timing: TIMING,
      });
      await call('annotation.give', {
        as: 'value',
        ...at,
        ...whole,
        dimension: 'outcome',
        value: { type: 'category', option: 'no' },
      });
      await call('annotation.give', {
        as: 'value',
        ...at,
        ...whole,
        dimension: 'note',
        value: { type: 'free_text', text: note },
      });
      await call('queue.leave', { as: 'done', ...at, timing: TIMING });
    };
    await say(server.call, 'get_workflow', 'It never looked.');
    const ada = await app.openSeat('Ada');
    await goTo(ada, `#/review/${project}/${queue}/${at.item}`);
    await ada.getByRole('complementary', { name: 'Review' }).waitFor();
    await ada.keyboard.press('ArrowRight');
    await ada.keyboard.press('1');
    const steps = ada.getByRole('list', { name: 'Steps of the episode' });
    await steps
      .locator('[data-row-head]', { hasText: /^Turn\s*1\D/ })
      .first()
      .click();
    await ada.getByRole('heading', { name: 'Turn 1' }).waitFor();
    await ada.keyboard.press('c');
    await ada.getByRole('button', { name: 'Words', exact: true }).click();
    await ada.getByLabel('What it should have written or done').fill('Ask which workflow is meant.');
    await ada.getByRole('button', { name: 'Save correction' }).click();
    await ada.getByText('Ask which workflow is meant.').first().waitFor();
    await ada.keyboard.press('Escape');
    await ada.getByRole('button', { name: /^Done/ }).click();
    await ada.getByText('Nothing left for you to review').waitFor();

    await goTo(page, `#/review/${project}/${queue}/${at.item}?decide`);
    const panel = page.getByRole('complementary', { name: 'Decide' });
    await panel.getByText('seat-test: done, 1 min 05 s').waitFor();
    const card = panel.getByRole('region', { name: /^What the agent should have done/ });
    await card.getByText('Ask which workflow is meant.').waitFor();
    await card.locator('h3').click();
    await page.keyboard.press('2');
    await card.getByText('Decided: as chosen above').waitFor();
    await card.locator('h3').click();
    await page.keyboard.press('c');
    await card.getByRole('button', { name: 'Words', exact: true }).click();
    await card.getByLabel('What it should have written or done').fill('List the workflows first.');
    await card.getByRole('button', { name: 'This is right' }).click();
    await card.getByText('Decided: a different one, List the workflows first.').waitFor();
    const { conflicts } = await server.call('annotation.conflicts', at);
    expect(conflicts.find(({ corrections }) => corrections.length > 0)?.adjudication).toMatchObject({
      correct: { type: 'text', text: 'List the workflows first.' },
    });
  });
});
