import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { STARTER } from '../../src/shared/review/taxonomy.ts';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import { axeFindings, bringAxe, EVERYTHING, isQuiet } from './axePage.ts';
import { card, goTo, plan, settle, timeline, waitForDraft } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const COLOURS: RunOptions = {
  resultTypes: ['violations'],
  runOnly: { type: 'rule', values: ['color-contrast'] },
};
const ASK_ALL: ApprovalRule[] = [{ glob: '*', argument: null, does: 'ask', count: null }];

const THEMES = ['light', 'dark', 'contrast'] as const;
/** Between them they draw every colour that the style sheet has a meaning for. */
const COLOURFUL = new Set([
  'the first start',
  'desk with a question',
  'held call',
  'library',
  'replay',
  'data',
  'rewards',
  'start',
]);

const setTheme = (page: Page, theme: (typeof THEMES)[number]): Promise<void> =>
  page.evaluate((chosen) => {
    const root = document.documentElement;
    delete root.dataset['theme'];
    delete root.dataset['contrast'];
    if (chosen === 'contrast') root.dataset['contrast'] = 'more';
    else root.dataset['theme'] = chosen;
  }, theme);

/** Opens everything that is folded on the page. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details')) fold.open = true;
  });

describeConsole('axe finds nothing against', (app) => {
  const walk = async (page: Page, places: readonly (readonly [string, () => Promise<unknown>])[]) => {
    await bringAxe(page);
    const found: string[] = [];
    for (const [name, open] of places) {
      await open();
      await isQuiet(page);
      for (const theme of COLOURFUL.has(name) ? THEMES : (['light'] as const)) {
        await setTheme(page, theme);
        await isQuiet(page);
        const here = await axeFindings(page, theme === 'light' ? EVERYTHING : COLOURS);
        found.push(...here.map((one) => `${name}, ${theme}: ${one}`));
      }
    }
    return found;
  };

  /** An episode whose first call is held; its id. */
  const hold = async (): Promise<string> => {
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      condition: 'none',
      approval: { rules: ASK_ALL, deadline_ms: null, fallback: 'wait' },
    });
    return episodes[0] ?? '';
  };
  /** A queue over one episode, ready to be reviewed; its project. */
  const queueOf = async (episode: string): Promise<string> => {
    const project = { name: 'Why it fails', instructions: '', dimensions: [...STARTER] };
    const made = await app.server.call('project.create', project);
    await app.server.call('queue.make', {
      project: made.project,
      name: 'Round 1',
      reviewers_per_item: 1,
      seats: [],
      is_blind: true,
      hides_outcome: true,
      lease_minutes: 10,
      from: { type: 'episodes', episodes: [episode] },
    });
    return made.project;
  };

  it('any view, dialog or open state of the owner’s console, nor against its colours in three themes', async () => {
    const page = await app.open();
    const ways = page.getByRole('heading', { name: 'How do you want to begin?' });
    const first = await walk(page, [['the first start', () => ways.waitFor()]]);
    const ended = await app.play();
    const project = await queueOf(ended);
    const asking = await app.ask({ task_idx: 7 });
    await page.reload();
    await waitForDraft(page);
    const open = (hash: string) => () => goTo(page, hash);
    const dialog = () => page.getByRole('dialog').waitFor();
    const overlay = (key: string) => async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press(key);
      await dialog();
    };

    const found = await walk(page, [
      ['desk with a question', () => settle(page)],
      [
        'effect opened, and an argument’s field',
        async () => {
          await card(page).locator('[data-reading] summary').first().click();
          await card(page).getByText('Result as the agent reads it').first().waitFor();
          await plan(page).locator('[data-chip]').first().click();
          await plan(page).locator('[data-chip][aria-expanded="true"]').waitFor();
        },
      ],
      [
        'tool chooser',
        async () => {
          await page.keyboard.press('Escape');
          await card(page).locator('[data-reading] summary').first().click();
          await plan(page).getByRole('button', { name: 'Add a step' }).click();
          await plan(page).getByRole('combobox').waitFor();
        },
      ],
      [
        'declining',
        async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
          await card(page).getByRole('button', { name: 'Decline' }).click();
          await card(page)
            .getByLabel(/^Why are you declining/)
            .waitFor();
        },
      ],
      [
        'episode beside the question',
        async () => {
          await page.keyboard.press('Escape');
          await card(page).getByRole('button', { name: 'Episode' }).click();
          await timeline(page).waitFor();
        },
      ],
      [
        'outcome of an answer',
        async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('ControlOrMeta+Enter');
          await card(page)
            .getByText(/^Followed/)
            .waitFor();
        },
      ],
      ['live', open(`#/episode/${asking}`)],
      [
        'held call',
        async () => {
          await goTo(page, `#/episode/${await hold()}`);
          await page.getByRole('region', { name: 'Held call' }).waitFor();
          await settle(page);
        },
      ],
      [
        'episodes as cards',
        async () => {
          await goTo(page, '#/episodes');
          await page.getByRole('button', { name: 'Cards' }).click();
          await page.locator('[data-card]').first().waitFor();
          await page.getByRole('button', { name: 'Rows' }).click();
        },
      ],
      ['episodes', open('#/episodes')],
      ['groups', () => page.getByRole('button', { name: 'By task', exact: true }).click()],
      [
        'menu',
        async () => {
          await page.getByRole('button', { name: 'Rows', exact: true }).click();
          await page.getByRole('button', { name: 'Columns' }).click();
          await page.getByRole('menu').waitFor();
        },
      ],
      [
        'filter',
        async () => {
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Filter…' }).click();
          await dialog();
        },
      ],
      [
        'replay',
        async () => {
          await page.keyboard.press('Escape');
          await goTo(page, `#/episode/${ended}`);
        },
      ],
      ['two episodes compared', open(`#/compare/${ended}/${asking}`)],
      [
        'new project',
        async () => {
          await goTo(page, '#/review');
          await page.getByRole('button', { name: /^New project/ }).click();
          await dialog();
        },
      ],
      [
        'project of annotations',
        async () => {
          await page.keyboard.press('Escape');
          await goTo(page, `#/review/${project}`);
        },
      ],
      [
        'item under review',
        async () => {
          await page.getByRole('button', { name: /^Review/ }).click();
          await page.getByRole('complementary', { name: 'Review' }).waitFor();
        },
      ],
      ['data', open('#/data')],
      ['data, unfolded', () => unfold(page)],
      ['training', open('#/runs')],
      ['benches', open('#/bench')],
      ['new bench', open('#/bench?new')],
      ...['models', 'people', 'connect', 'advanced'].flatMap((part): [string, () => Promise<void>][] => [
        [`setup, ${part}`, open(`#/setup/${part}`)],
        [`setup, ${part}, unfolded`, () => unfold(page)],
      ]),
      ...[
        ['episode/gone', 'episode'],
        [`compare/${ended}/gone`, 'episode'],
        ['bench/gone', 'bench'],
        ['runs/gone', 'training run'],
        ['review/gone', 'project'],
        [`review/${project}/gone`, 'queue'],
      ].map(([path, what]): [string, () => Promise<void>] => [
        `no ${what ?? ''}`,
        // What is not there is named, with a way on.
        async () => {
          await goTo(page, `#/${path ?? ''}`);
          await page.getByRole('heading', { name: `There is no such ${what ?? ''}` }).waitFor();
          await page.getByRole('main').getByText('gone', { exact: true }).waitFor();
          await page.getByRole('link', { name: /^(?:Show|Open) the / }).waitFor();
        },
      ]),
      ['keys', overlay('?')],
      ['palette', overlay('ControlOrMeta+k')],
      ['start', overlay('s')],
    ]);

    expect([...first, ...found]).toEqual([]);
  });

  it('the console of an invited expert', async () => {
    await app.ask();
    const page = await app.openSeat('Ada');
    const open = (hash: string) => () => goTo(page, hash);

    const found = await walk(page, [
      ['desk', () => waitForDraft(page)],
      ['live', open('#/episodes')],
      ['my answers', open('#/answers')],
    ]);

    expect(found).toEqual([]);
  });
});
