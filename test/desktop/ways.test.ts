import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decide, startEpisode, verdict, waitForDraft } from '../e2e/console.ts';
import {
  electronName,
  endDesktop,
  eventsIn,
  isLetGo,
  newHome,
  removeHome,
  startAgain,
  startDesktop,
  type Desktop,
} from './desktop.ts';

type Way = [name: string, leave: (desktop: Desktop) => unknown];

const CLOSE: Way = [
  'closing the window',
  ({ app }) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
];
const QUIT: Way = [
  'Quit',
  ({ app }) => app.evaluate(({ app: electron }) => setImmediate(() => electron.quit())),
];
const MENU: Way = [
  'Quit in the menu',
  ({ app }) =>
    app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      setImmediate(() => items?.find(({ label }) => label === 'Quit Interject')?.click());
    }),
];
const SIGINT: Way = ['SIGINT', ({ process: child }) => child.kill('SIGINT')];
/** Windows has no signals to send. */
const hasSignals = process.platform !== 'win32';
const SIGTERM: Way = ['SIGTERM', ({ process: child }) => child.kill('SIGTERM')];

describe(`the ways out (${electronName})`, () => {
  let home: string;
  let desktop: Desktop;
  beforeEach(async () => {
    home = newHome();
    desktop = await startDesktop(home);
  });
  afterEach(async () => {
    await endDesktop(desktop);
    removeHome(home);
  });

  const isVisible = (): Promise<boolean> =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);
  const hasAsked = (): Promise<void> => expect.poll(() => desktop.asked()).toHaveLength(1);
  /** An episode whose agent waits for an answer. */
  const ask = async (): Promise<string> => {
    const id = await startEpisode(desktop.page, 0, 'Human with a draft');
    await waitForDraft(desktop.page);
    return id;
  };
  const isWhole = async (code = 0): Promise<void> => {
    expect(await desktop.exit).toBe(code);
    expect(isLetGo(desktop.folder)).toBe(true);
  };

  it.each([CLOSE, QUIT, MENU, ...(hasSignals ? [SIGINT, SIGTERM] : [])])(
    '%s ends in order, without a question when nothing runs',
    async (_name, leave) => {
      await leave(desktop);
      await isWhole();
    },
  );

  it.each([CLOSE, QUIT, ...(hasSignals ? [SIGINT] : [])])(
    '%s asks once, and what it promised is what the log shows',
    async (_name, leave) => {
      const id = await ask();
      await leave(desktop);
      await hasAsked();
      await QUIT[1](desktop);
      expect((await desktop.asked())[0]).toMatchObject({
        message: '1 episode is running.',
        buttons: ['Keep running', 'Stop and close', 'Cancel'],
      });
      // Main goes on while the question is open.
      expect(await desktop.page.evaluate(() => document.title)).toContain('Interject');

      await desktop.answerWith('Stop and close');
      await isWhole();
      const last = eventsIn(desktop.folder)
        .filter(({ stream }) => stream === id)
        .at(-1);
      expect(last?.kind).toBe('episode.broke_off');
      expect(last?.body).toContain('Interject was closed');
    },
  );

  it('Cancel leaves everything as it is', async () => {
    await ask();
    await desktop.answerWith('Cancel');
    await CLOSE[1](desktop);
    await hasAsked();

    await decide(desktop.page);
    await verdict(desktop.page).filter({ hasText: 'Complete reward 1' }).waitFor();
  });

  it('Keep running hides the window, the episode goes on, and starting again shows it', async () => {
    const id = await ask();
    await desktop.answerWith('Keep running');
    await CLOSE[1](desktop);
    await expect.poll(isVisible).toBe(false);
    expect(
      eventsIn(desktop.folder)
        .filter(({ stream }) => stream === id)
        .at(-1)?.kind,
    ).not.toBe('episode.ended');

    expect(await startAgain(home, ['--port', '0'])).toBe(0);
    await expect.poll(isVisible).toBe(true);
    await decide(desktop.page);
    await verdict(desktop.page).filter({ hasText: 'Complete reward 1' }).waitFor();
  });

  it.skipIf(!hasSignals).each([
    [
      'a second SIGINT ends at once',
      async () => {
        desktop.process.kill('SIGINT');
        await hasAsked();
        desktop.process.kill('SIGINT');
      },
    ],
    ['SIGTERM asks nobody', () => desktop.process.kill('SIGTERM')],
  ] as const)('%s, and the log ends in order', async (_title, leave) => {
    const id = await ask();
    await leave();
    await isWhole();
    expect(
      eventsIn(desktop.folder)
        .filter(({ stream }) => stream === id)
        .at(-1)?.kind,
    ).toBe('episode.broke_off');
  });
});
