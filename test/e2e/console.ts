// Owns: the console in a browser, as a person uses it: what they press, and what they read.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { textHead } from '../../src/shared/events/text.ts';
import type { Server } from './server.ts';

export type Condition = 'Human with a draft' | 'Human' | 'Model' | 'No expert';

/** Opens the console at its printed address. Anything the page complains of fails the test that opened it. */
export async function openConsole(
  context: BrowserContext,
  server: Server,
  complaints: string[] = [],
  takeBackMs = 0,
): Promise<Page> {
  // Sends go out at once, unless a test is about taking them back.
  await context.addInitScript((ms) => {
    const prefs = { order: 'triage', take_back_ms: ms, notifies: false, sounds: false };
    // What else a test chooses stays over a reload.
    const kept = JSON.parse(localStorage.getItem('interject.prefs') ?? '{}') as object;
    localStorage.setItem('interject.prefs', JSON.stringify({ ...kept, ...prefs }));
  }, takeBackMs);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A line that breaks because the server is gone is the browser's own remark, not the page's.
    if (
      message.type() === 'error' &&
      !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text())
    )
      complaints.push(message.text());
  });
  await page.goto(server.url);
  await isListening(page);
  return page;
}

/** Resolves when the console hears keys: it names the view in the window's title once its keys are bound. */
const isListening = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.title.endsWith(' · Interject'));
};

/** Goes to a view, and resolves when it is on screen: the console draws it when it hears that the address changed. */
export const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate(
    (next) =>
      new Promise<void>((arrive) => {
        if (window.location.hash === next) return arrive();
        window.addEventListener('hashchange', () => arrive(), { once: true });
        window.location.hash = next;
      }),
    hash,
  );

/** Presses keys that count as one, as `g d`: at once, since a second key that comes late stands for itself. */
export const pressSequence = async (page: Page, first: string, second: string): Promise<void> => {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
};

const episodeIn = (address: string): string =>
  decodeURIComponent(address.split('#/episode/')[1]?.split('?')[0] ?? '');

export const episodeOf = (page: Page): string => episodeIn(page.url());

/** Resolves with the id of the episode that is on screen live, once it is another than those given. */
export async function waitForLive(page: Page, ...others: string[]): Promise<string> {
  await page.waitForURL(({ hash }) => hash.startsWith('#/episode/') && !others.includes(episodeIn(hash)));
  // The console hears of it in a task of its own, which stands in the queue before this one.
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn)));
  return episodeOf(page);
}

/** A task in the start dialog, by its number. */
export const taskOption = (dialog: Locator, task: number): Locator =>
  dialog.getByRole('radio', { name: new RegExp(` Task ${String(task)}( |$)`) });

/** The way to the episode that was started from the desk. */
export const watchLink = (page: Page): Locator =>
  page.getByRole('contentinfo', { name: 'Status' }).getByRole('link', { name: /^(Watch|Open)$/ });

/** Presses Start in the dialog and goes to the episode, which a start from the desk leaves to the person; its id. */
export async function pressStart(page: Page): Promise<string> {
  const before = episodeOf(page);
  const isAtDesk = (await page.title()).includes('Desk');
  await page
    .getByRole('dialog', { name: 'Start an episode' })
    .getByRole('button', { name: /^Start/ })
    .click();
  if (isAtDesk) await watchLink(page).click();
  return waitForLive(page, before);
}

/** Opens the options of a start, and says who may advise. */
export async function chooseAdvice(dialog: Locator, condition: Condition): Promise<void> {
  await dialog.getByText('Options', { exact: true }).click();
  await dialog.getByLabel('Who may advise').selectOption(condition);
}

/** Starts a rehearsal episode from the dialog; the id of the episode that then stands on screen. */
export async function startEpisode(page: Page, task: number, condition: Condition): Promise<string> {
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Start an episode' });
  await dialog.getByRole('radio', { name: /^loomline_workflows/ }).click();
  await taskOption(dialog, task).click();
  await chooseAdvice(dialog, condition);
  return pressStart(page);
}

/** Opens a panel beside the steps, by its tab or, where that has no room, from "More". */
export async function openPanel(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('button', { name: /^Details/ });
  const tabs = page.getByRole('tablist', { name: 'Inspector' });
  await sheet.or(tabs).first().waitFor();
  if (await sheet.isVisible()) await sheet.click();
  await tabs.waitFor();
  const tab = tabs.getByRole('tab', { name });
  if (await tab.isVisible()) return tab.click();
  await page.getByRole('button', { name: /^More panels/ }).click();
  await page.getByRole('menuitemradio', { name }).click();
}

/** Unfolds what the header says of an episode: its task, conditions, ids and lineage. */
export const openDetails = (page: Page): Promise<void> => page.locator('header h1 button').first().click();

export const card = (page: Page): Locator => page.getByRole('region', { name: 'Question', exact: true });
export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Advice' });
export const timeline = (page: Page): Locator => page.getByRole('list', { name: 'Steps of the episode' });

/** The strong words of each step, top to bottom; for episodes short enough to be drawn whole. */
export const stepNames = (page: Page): Promise<string[]> =>
  timeline(page).locator('article strong').allInnerTexts();

/** Every line as it reads, outcome and time included. */
export const stepLines = (page: Page): Promise<string[]> =>
  timeline(page).locator('[data-row-head]').allInnerTexts();

/** Waits until the card on screen takes the keys that decide: a new one is deaf for a moment. */
export const settle = (page: Page): Promise<void> => page.locator('[data-fresh="false"]').first().waitFor();

/** Presses a key that decides the card on screen, once it takes it. */
export async function decide(page: Page, key = 'ControlOrMeta+Enter'): Promise<void> {
  await settle(page);
  await page.keyboard.press(key);
}

export async function waitForDraft(page: Page): Promise<void> {
  await card(page)
    .getByText(/^Draft by rule/)
    .waitFor();
  await plan(page).or(editor(page)).first().waitFor();
  await settle(page);
}

/** The steps of the plan, where advice is shown as such. */
export const plan = (page: Page): Locator => card(page).getByRole('region', { name: 'Plan' });

/** Shows advice as text, where it is shown as the steps of a plan. */
export async function showText(page: Page): Promise<void> {
  await plan(page).or(editor(page)).first().waitFor();
  if (await plan(page).isVisible()) {
    const asText = card(page).getByRole('button', { name: /^As JSON/ });
    if (await asText.isVisible()) await asText.click();
    else {
      // At an expert's seat it is a less-used act.
      await card(page).getByRole('button', { name: 'More' }).first().click();
      await page.getByRole('menuitem', { name: /^As JSON/ }).click();
    }
  }
  await editor(page).waitFor();
}

/** What is in the editor; of a text longer than the screen, the part that is drawn. */
export async function editorText(page: Page): Promise<string> {
  await showText(page);
  const lines = await editor(page).locator('.cm-line').allInnerTexts();
  return lines.map((line) => line.replaceAll('\n', '')).join('\n');
}

/** The whole draft of an episode's first question, as the log has it. */
export async function draftOf(server: Server, episode: string): Promise<string> {
  const { consultations } = await server.record(episode);
  return textHead(consultations[0]?.draft?.text ?? '');
}

/** Puts other words in place of all that is in the editor, as by typing. */
export async function write(page: Page, text: string): Promise<void> {
  await showText(page);
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

export const verdict = (page: Page): Locator =>
  page
    .getByRole('status')
    .filter({ hasText: /^(?:Complete|Partly complete|Failed|Unknown|No verdict|Reward only)/ });

/** Counts from now on how far things jumped, by the browser's own measure; what follows a person's act is not counted. */
export const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.dataset['shifts'] = '0';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (entry.hadRecentInput) continue;
        const { dataset } = document.documentElement;
        dataset['shifts'] = String(Number(dataset['shifts']) + entry.value);
      }
    }).observe({ type: 'layout-shift' });
  });

/** The sum since then. */
export const shiftsOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate(() => document.documentElement.dataset['shifts'] ?? '0'));
