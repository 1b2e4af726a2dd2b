import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { textHead } from '../../src/shared/events/text.ts';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('a person who looks elsewhere', (app) => {
  /** A page whose notifications and notes are written down; a driven browser always says that its page has the focus. */
  const open = async (): Promise<Page> => {
    await app.context.addInitScript(() => {
      const heard = { isAway: false, shown: [] as { title: string; body: string }[], tones: 0 };
      Object.assign(window, { heard });
      document.hasFocus = () => !heard.isAway;
      const Own = window.Notification;
      class Noted extends Own {
        // A headless browser grants none: here the person said yes.
        static override readonly permission = 'granted';
        static override requestPermission = (): Promise<NotificationPermission> => Promise.resolve('granted');
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          heard.shown.push({ title, body: options?.body ?? '' });
          Object.assign(heard, { last: this });
        }
      }
      window.Notification = Noted;
      const start = Reflect.get(OscillatorNode.prototype, 'start') as (when?: number) => void;
      OscillatorNode.prototype.start = function noted(this: OscillatorNode, when?: number) {
        heard.tones += 1;
        start.call(this, when);
      };
    });
    const page = await app.open();
    await goTo(page, '#/setup/advanced');
    return page;
  };
  type Heard = {
    isAway: boolean;
    shown: { title: string; body: string }[];
    tones: number;
    last: Notification;
  };
  const heard = (page: Page): Promise<Pick<Heard, 'shown' | 'tones'>> =>
    page.evaluate(() => {
      const { shown, tones } = (window as unknown as { heard: Heard }).heard;
      return { shown, tones };
    });
  const goAway = (page: Page): Promise<void> =>
    page.evaluate(() => {
      (window as unknown as { heard: Heard }).heard.isAway = true;
    });

  it('sees in the window’s title how much waits, and that it no longer does', async () => {
    const page = await open();
    await expect.poll(() => page.title()).toBe('Setup · Interject');
    const id = await app.ask();
    await expect.poll(() => page.title()).toBe('(1) Setup · Interject');
    await app.ask();
    await expect.poll(() => page.title()).toBe('(2) Setup · Interject');

    await app.server.call('episode.stop', { episode: id, reason: null });
    await expect.poll(() => page.title()).toBe('(1) Setup · Interject');
  });

  it('is told of a new question by a notification and a tone, once each, and a click leads to it', async () => {
    const page = await open();
    await page.getByLabel('Desktop notifications').check();
    await page.getByLabel('Sound').check();
    const { tones } = await heard(page);
    await goAway(page);
    const id = await app.ask();

    await expect.poll(async () => (await heard(page)).shown).toHaveLength(1);
    const [{ title, body } = { title: '', body: '' }] = (await heard(page)).shown;
    expect(title).toBe('An agent is waiting for you');
    const { consultations, reset } = await app.server.record(id);
    const question = consultations[0]?.question;
    const [task = '', asked = ''] = body.split('\n');
    expect(textHead(reset?.task ?? '').startsWith(task.slice(0, 40))).toBe(true);
    expect(textHead(question ?? '').startsWith(asked.slice(0, 40))).toBe(true);
    await expect.poll(async () => (await heard(page)).tones).toBeGreaterThan(tones);

    await page.evaluate(() => {
      (window as unknown as { heard: Heard }).heard.last.dispatchEvent(new Event('click'));
    });
    await page.getByRole('region', { name: 'Question', exact: true }).waitFor();
    // The next one is told of next: nothing was said of the first one a second time.
    const second = await app.ask({ task_idx: 1 });
    await expect.poll(async () => (await heard(page)).shown.length).toBeGreaterThan(1);
    expect((await heard(page)).shown).toHaveLength(2);
    // A click on it leads to it, though the older one is in front.
    const chosen = page.getByRole('listbox', { name: 'Waiting questions' }).locator('[aria-selected="true"]');
    await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('1');
    await page.evaluate(() => {
      (window as unknown as { heard: Heard }).heard.last.dispatchEvent(new Event('click'));
    });
    const key = (await app.server.record(second)).consultations[0]?.id;
    await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('2');
    expect(new URL(page.url()).hash).toBe('#/desk');

    await app.server.call('episode.stop', { episode: second, reason: null });
    await expect.poll(() => page.title()).toBe('(1) Desk · Interject');
    await goTo(page, `#/desk?question=${encodeURIComponent(key ?? '')}`);
    await page.getByText('This question was closed without an answer').waitFor();
    await goTo(page, '#/desk?question=nowhere%3Ac1');
    await page.getByText('No such question').waitFor();
    await page.getByRole('region', { name: 'Question', exact: true }).waitFor();
  });

  it('hears and sees nothing while neither is switched on, nor while the window is in front', async () => {
    const page = await open();
    await goAway(page);
    await app.ask();
    await expect.poll(() => page.title()).toBe('(1) Setup · Interject');
    expect(await heard(page)).toEqual({ shown: [], tones: 0 });

    await page.evaluate(() => {
      (window as unknown as { heard: Heard }).heard.isAway = false;
    });
    await page.getByLabel('Desktop notifications').check();
    await app.ask();
    await expect.poll(() => page.title()).toBe('(2) Setup · Interject');
    expect((await heard(page)).shown).toEqual([]);
  });
});
