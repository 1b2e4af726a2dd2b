// The pictures: where each is taken, and what is pressed before. Names are the same in every run, so that two folders
// can be compared picture by picture.
import type { Page } from 'playwright-core';
import { openPanel } from '../e2e/console.ts';
import type { Stage } from './stage.ts';

export type Scene = {
  name: string;
  /** The address after `#`. */
  hash: string;
  /** What a person does before the picture. */
  prepare?: (page: Page) => Promise<unknown>;
};

const press = (page: Page, key: string): Promise<void> => page.keyboard.press(key);
const clickButton = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
const scrollTo = (page: Page, text: RegExp): Promise<unknown> =>
  page
    .getByRole('heading', { name: text })
    .first()
    .evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
/** The lines of the desk's list that are of a held call, or of a stopped episode. */
const waitingLines = (page: Page, kind: 'held call' | 'stop') =>
  page
    .getByRole('listbox', { name: 'Waiting questions' })
    .getByRole('option')
    .filter({ hasText: kind === 'stop' ? 'paused by a person' : 'needs approval' });
const chooseWaiting = (page: Page, kind: 'held call' | 'stop'): Promise<void> =>
  waitingLines(page, kind).first().click();
const pickFile = (page: Page, label: string, name: string, text: string): Promise<void> =>
  page.getByLabel(label).setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

const PLACES = ['desk', 'episodes', 'review', 'data', 'runs', 'setup'] as const;

/** Every view before anything was recorded. */
export const emptyScenes: readonly Scene[] = PLACES.map((view) => ({
  name: `empty-${view}`,
  hash: `/${view}`,
}));

const SPLIT = JSON.stringify({ meta: {}, train: [], val: [0, 1, 2].map((at) => ['loomline_workflows', at]) });

const deskScenes = ({ question, held, taken }: Stage): Scene[] => [
  { name: 'desk', hash: '/desk' },
  { name: 'desk-held', hash: '/desk', prepare: (page) => chooseWaiting(page, 'held call') },
  { name: 'desk-stop', hash: '/desk', prepare: (page) => chooseWaiting(page, 'stop') },
  {
    name: 'desk-batch',
    hash: '/desk',
    prepare: async (page) => {
      for (const line of await waitingLines(page, 'held call').all())
        await line.click({ modifiers: ['Shift'] });
      await press(page, 'B');
      await page
        .getByText(/Tried in a throw-away session/)
        .nth(1)
        .waitFor();
    },
  },
  {
    name: 'desk-late',
    hash: '/desk',
    prepare: async (page) => {
      await page.getByText(/Missed in the last hour/).click();
      await page
        .getByRole('button', { name: /the deadline passed/ })
        .first()
        .click();
    },
  },
  { name: 'live-question', hash: `/episode/${question}` },
  { name: 'live-held-call', hash: `/episode/${held}` },
  { name: 'live-taken-over', hash: `/episode/${taken}` },
  { name: 'live-world', hash: `/episode/${question}`, prepare: (page) => openPanel(page, 'World') },
  {
    name: 'episodes-cards',
    hash: '/episodes',
    prepare: (page) => page.getByRole('button', { name: 'Cards' }).click(),
  },
  { name: 'start', hash: '/desk', prepare: (page) => press(page, 's') },
  {
    name: 'start-options',
    hash: '/desk',
    prepare: async (page) => {
      await press(page, 's');
      await page.getByText('Options', { exact: true }).click();
    },
  },
  { name: 'palette', hash: '/desk', prepare: (page) => press(page, 'ControlOrMeta+k') },
  { name: 'keys', hash: '/desk', prepare: (page) => press(page, '?') },
];

const libraryScenes = ({ complete, failed, group }: Stage): Scene[] => [
  { name: 'library', hash: '/episodes' },
  { name: 'library-filter', hash: '/episodes', prepare: (page) => clickButton(page, /^Filter/) },
  {
    name: 'library-filtered',
    hash: '/episodes',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Filter/ })
        .first()
        .click(),
  },
  {
    name: 'library-search',
    hash: '/episodes',
    prepare: (page) => page.getByRole('searchbox').first().fill('workflow'),
  },
  {
    name: 'library-selected',
    hash: '/episodes',
    prepare: async (page) => {
      await press(page, 'j');
      await press(page, 'x');
      await press(page, 'j');
      await press(page, 'x');
    },
  },
  { name: 'replay-complete', hash: `/episode/${complete}` },
  { name: 'replay-failed', hash: `/episode/${failed}` },
  { name: 'replay-middle', hash: `/episode/${complete}?n=6` },
  { name: 'compare', hash: `/compare/${complete}/${failed}` },
  {
    name: 'library-by-task',
    hash: '/episodes',
    prepare: (page) => page.getByRole('button', { name: 'By task', exact: true }).click(),
  },
  { name: 'group', hash: `/episodes?group=${encodeURIComponent(group)}` },
];

const measureScenes: Scene[] = [
  { name: 'training-example', hash: '/runs' },
  { name: 'training-run', hash: '/runs/lantern' },
  { name: 'training-curriculum', hash: '/runs/lantern', prepare: (page) => scrollTo(page, /Curriculum/) },
  {
    name: 'training-compared',
    hash: '/runs',
    prepare: async (page) => {
      for (const box of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await box.check();
    },
  },
  { name: 'bench', hash: '/bench' },
  { name: 'bench-new', hash: '/bench?new' },
  {
    name: 'bench-new-filled',
    hash: '/bench?new',
    prepare: (page) => pickFile(page, 'A split file', 'split.json', SPLIT),
  },
  { name: 'bench-result', hash: '/bench/night' },
];

const teachScenes = ({ project, queue, item, pairs }: Stage): Scene[] => {
  const place = `/review/${encodeURIComponent(project)}/${encodeURIComponent(queue)}`;
  return [
    { name: 'review', hash: '/review' },
    { name: 'review-new', hash: '/review', prepare: (page) => clickButton(page, /^New project/) },
    { name: 'review-new-queue', hash: place, prepare: (page) => clickButton(page, /^New queue/) },
    { name: 'review-item', hash: place, prepare: (page) => clickButton(page, /^Review/) },
    {
      name: 'review-step',
      hash: place,
      prepare: async (page) => {
        await clickButton(page, /^Review/);
        await page
          .getByRole('list', { name: 'Steps of the episode' })
          .locator('[data-row-head]')
          .nth(4)
          .click();
        await press(page, 'c');
      },
    },
    {
      name: 'review-words',
      hash: place,
      prepare: async (page) => {
        await clickButton(page, /^Review/);
        await page.getByRole('textbox', { name: 'Words to mark' }).fill('the');
      },
    },
    {
      name: 'review-pair',
      hash: `/review/${encodeURIComponent(project)}/${encodeURIComponent(pairs)}`,
      prepare: (page) => clickButton(page, /^Review/),
    },
    {
      name: 'review-disagreement',
      hash: `${place}/${encodeURIComponent(item)}?decide`,
    },
    { name: 'data', hash: '/data' },
    { name: 'data-preferences', hash: '/data?format=dpo' },
    { name: 'data-nothing', hash: '/data?format=kto' },
    {
      name: 'data-sample',
      hash: '/data?format=sft',
      prepare: (page) =>
        page
          .getByRole('region', { name: 'Sample rows' })
          .evaluate((samples) => samples.scrollIntoView({ block: 'start' })),
    },
  ];
};

const setUpScenes: Scene[] = [
  { name: 'setup-models', hash: '/setup/models' },
  { name: 'setup-people', hash: '/setup/people' },
  { name: 'setup-connect', hash: '/setup/connect' },
  { name: 'setup-connect-doors', hash: '/setup/connect/connect' },
  { name: 'setup-connect-keys', hash: '/setup/connect/gateway-keys' },
  { name: 'setup-advanced', hash: '/setup/advanced' },
  { name: 'setup-advanced-rest', hash: '/setup/advanced/other' },
];

/** What goes wrong, and how it is told. */
export const errorScenes: readonly Scene[] = [
  { name: 'error-live-unknown', hash: '/episode/no-such-episode' },
  { name: 'error-training-unknown', hash: '/runs/no-such-run' },
  { name: 'error-bench-unknown', hash: '/bench/no-such-bench' },
  { name: 'error-project-unknown', hash: '/review/no-such-project' },
  {
    name: 'error-library-nothing-found',
    hash: '/episodes',
    prepare: (page) => page.getByRole('searchbox').first().fill('nothing like it'),
  },
];

export const fullScenes = (stage: Stage): readonly Scene[] => [
  ...deskScenes(stage),
  ...libraryScenes(stage),
  ...measureScenes,
  ...teachScenes(stage),
  ...setUpScenes,
  ...errorScenes,
];

/** What a new expert sees first. */
export const guideScenes: readonly Scene[] = [{ name: 'guide', hash: '/desk' }];

/** What an invited expert sees. */
export const seatScenes: readonly Scene[] = [
  { name: 'seat-desk', hash: '/desk' },
  { name: 'seat-answers', hash: '/answers' },
];

/** The server is gone while a person looks at a view. */
export const lostScenes: readonly Scene[] = [{ name: 'error-server-lost', hash: '/episodes' }];
