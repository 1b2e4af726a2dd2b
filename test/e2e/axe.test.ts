import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { STARTER } from '../../src/shared/annotate/taxonomy.ts';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import { goTo, settle, waitForDraft } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What stands against the page as it is: the rule, and where. */
async function findings(page: Page, options: RunOptions): Promise<string[]> {
  const violations = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run: (on: Node, by: unknown) => Promise<AxeResults> } };
    // An open menu hides the page behind it, which is then no page to judge.
    const menu = document.querySelector('[role="menu"]');
    const rules = menu === null ? {} : { rules: { region: { enabled: false } } };
    return (await axe.run(menu ?? document, { ...given, ...rules })).violations;
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${String(target[0])} ${html.slice(0, 120)}`),
  );
}

const EVERYTHING: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
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

/** Resolves when nothing on the page still says that it loads, and nothing moves. */
const isQuiet = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('main [aria-label^="Loading"]') === null);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
};

describeConsole('axe finds nothing against', (app) => {
  const walk = async (page: Page, places: readonly (readonly [string, () => Promise<unknown>])[]) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(axeSource);
    const found: string[] = [];
    for (const [name, open] of places) {
      await open();
      await isQuiet(page);
      for (const theme of COLOURFUL.has(name) ? THEMES : (['light'] as const)) {
        await setTheme(page, theme);
        await isQuiet(page);
        const here = await findings(page, theme === 'light' ? EVERYTHING : COLOURS);
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
      ['episode beside the question', () => page.keyboard.press('o')],
      ['live', open(`#/live/${asking}`)],
      [
        'held call',
        async () => {
          await goTo(page, `#/live/${await hold()}`);
          await page.getByRole('region', { name: 'Held call' }).waitFor();
          await settle(page);
        },
      ],
      ['wall', open('#/wall')],
      ['library', open('#/library')],
      [
        'menu',
        async () => {
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
        'archive',
        async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('ControlOrMeta+a');
          await page.getByRole('button', { name: 'Archive…' }).click();
          await page.getByRole('dialog').getByText('Shrink the log file now').waitFor();
        },
      ],
      [
        'replay',
        async () => {
          await page.keyboard.press('Escape');
          await goTo(page, `#/replay/${ended}`);
        },
      ],
      ['annotate', open(`#/annotate/${project}`)],
      [
        'item under review',
        async () => {
          await page.getByRole('button', { name: /^Review/ }).click();
          await page.getByRole('complementary', { name: 'Review' }).waitFor();
        },
      ],
      ['data', open('#/data')],
      ['rewards', open('#/lab')],
      ['groups', open('#/groups')],
      ['training', open('#/training')],
      ['benches', open('#/bench')],
      ['new bench', open('#/bench?new')],
      ['connect', open('#/connect')],
      ['settings', open('#/settings')],
      ['drafts and advice', open('#/decisions')],
      ...[
        ['replay/gone', 'episode'],
        ['bench/gone', 'bench'],
        ['training/gone', 'training run'],
        ['groups/gone', 'group'],
        ['annotate/gone', 'project'],
        [`annotate/${project}/gone`, 'queue'],
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
      ['live', open('#/live')],
      ['my answers', open('#/answers')],
    ]);

    expect(found).toEqual([]);
  });
});
