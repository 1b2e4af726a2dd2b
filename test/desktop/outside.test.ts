// The app without its window in front: what the tray, the badge and announcements say, links and starts from outside, and
// what is told after a crash.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { card, decide, editorText, goTo, startEpisode, write } from '../e2e/console.ts';
import { START } from '../e2e/server.ts';
import { filesOf } from '../support/filesOf.ts';
import {
  answerQuestion,
  electronName,
  endDesktop,
  eventsIn,
  isLetGo,
  newHome,
  removeHome,
  request,
  startDesktop,
  startUntilTaken,
  type Desktop,
} from './desktop.ts';

const quit = ({ app }: Desktop): Promise<void> =>
  app.evaluate(({ app: electron }) => void setImmediate(() => electron.quit()));

describe(`the desktop app behind other windows (${electronName})`, () => {
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

  const lastOf = (id: string): string | undefined =>
    eventsIn(desktop.folder)
      .filter(({ stream }) => stream === id)
      .at(-1)?.kind;

  it('counts what waits in the tray and on its icon, announces it, and a click opens that question', async () => {
    const { page, app } = desktop;
    await goTo(page, '#/episodes');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const { episodes } = (await request(desktop, 'episode.start', { ...START, condition: 'human' })) as {
      episodes: string[];
    };
    await expect
      .poll(desktop.outside)
      .toEqual({ tray: 'Interject: 1 waiting', badge: 1, announced: ['An agent asks for advice'] });

    await desktop.clickAnnouncement();
    await page.waitForURL(({ hash }) => hash === '#/desk');
    await page.getByRole('region', { name: 'Question', exact: true }).waitFor();
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(
      true,
    );
    await write(page, 'List the tools first.');
    await decide(page);
    const delivered = (): string[] =>
      eventsIn(desktop.folder).flatMap(({ kind, body }) => (kind === 'advice.delivered' ? [body] : []));
    await expect.poll(delivered).toEqual([expect.stringContaining('List the tools first.')]);

    await request(desktop, 'episode.stop', { episode: episodes[0], reason: null });
    await expect.poll(desktop.outside).toMatchObject({ tray: 'Interject: No one waiting', badge: 0 });
  });

  it('asks before it ends episodes that a client plays, and ends them in order', async () => {
    const { page } = desktop;
    await goTo(page, '#/setup/connect');
    await page.getByRole('button', { name: 'Show the keys' }).click();
    const snippet = page
      .getByRole('region', { name: 'Environment', exact: true })
      .locator('[data-snippet="openenv"]');
    const address = /base_url=f"([^"~]+)~/.exec(await snippet.innerText())?.[1] ?? '';
    const session = await openSession(address);
    try {
      await session.reset({ scenario: 'loomline_workflows', task_idx: 3 });
      const tapped = (): string[] => [
        ...new Set(
          eventsIn(desktop.folder)
            .filter(({ kind }) => kind === 'tap.opened')
            .map(({ stream }) => stream),
        ),
      ];
      await expect.poll(tapped).toHaveLength(1);
      await quit(desktop);
      const { buttons } = await answerQuestion(desktop, /^1 tapped episode: keep serving\?$/, 'Cancel');
      expect(buttons).toEqual(['Keep serving', 'End them and close', 'Cancel']);

      await desktop.answerWith('End them and close');
      await quit(desktop);
      expect(await desktop.exit).toBe(0);
      expect(isLetGo(desktop.folder)).toBe(true);
      expect(lastOf(tapped()[0] ?? '')).toBe('episode.ended');
    } finally {
      session.close();
    }
  });

  it('opens a link that starts it, at its event, and keeps unsent words over a quit', async () => {
    const id = await startEpisode(desktop.page, 0, 'Human');
    await write(desktop.page, 'Ask for the list of tools first.');
    await quit(desktop);
    await answerQuestion(desktop, /^1 episode is running/, 'Stop and close').catch(() => undefined);
    await desktop.exit;

    desktop = await startDesktop(home, ['--port', '0', `interject://episode/${id}#2`]);
    await desktop.page.waitForURL(({ hash }) => hash.startsWith(`#/episode/${id}`) && hash.includes('n=2'));
    expect(await kept(desktop)).toContain('Ask for the list of tools first.');
  });

  it('says after a crash that it ended unexpectedly, how many episodes go on, and copies diagnostics', async () => {
    const id = await startEpisode(desktop.page, 0, 'Human');
    await write(desktop.page, 'These words were not sent.');
    await expect.poll(() => kept(desktop)).toContain('These words were not sent.');
    // What the page remembers is on the disk within two seconds.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    desktop.process.kill('SIGKILL');
    await desktop.exit;

    desktop = await startDesktop(home);
    const { detail } = await answerQuestion(desktop, /^Interject ended unexpectedly$/, 'Copy diagnostics');
    expect(detail).toContain('1 episode was running when Interject last ended; it goes on.');
    const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    expect(JSON.parse(copied)).toMatchObject({ type: 'interject.diagnostics' });
    expect(copied).not.toContain('not sent');
    await desktop.page.getByRole('button', { name: '1 notice' }).waitFor();
    await goTo(desktop.page, `#/episode/${id}`);
    await card(desktop.page).waitFor();
    await expect.poll(() => editorText(desktop.page)).toBe('These words were not sent.');
  });
});

/** What the page remembers, all of it. */
const kept = ({ page }: Desktop): Promise<string> =>
  page.evaluate(() => JSON.stringify(Object.entries(localStorage)));

describe(`the desktop app's first moments (${electronName})`, () => {
  let home: string;
  beforeEach(() => {
    home = newHome();
  });
  afterEach(() => removeHome(home));

  it.skipIf(process.platform === 'win32')(
    'end in order at a SIGTERM that comes while the product is opened',
    async () => {
      const { folder, end } = await startUntilTaken(home);
      expect(await end('SIGTERM')).toBe(0);
      expect(isLetGo(folder)).toBe(true);
    },
  );

  it('keep keys in the system’s keychain, where it has one, and no file tells them', async () => {
    let desktop = await startDesktop(home, ['--port', '0'], { TEST_CIPHER: '1' });
    try {
      await request(desktop, 'settings.change', { agent: { api_key: 'sk-desktop-test-1' } });
      await quit(desktop);
      expect(await desktop.exit).toBe(0);
      expect(existsSync(join(desktop.folder, 'keychain.json'))).toBe(true);
      expect(readFileSync(join(desktop.folder, 'keychain.json'), 'utf8')).toContain('agent.api_key');
      expect(Object.values(filesOf(desktop.folder)).some((text) => text.includes('sk-desktop-test-1'))).toBe(
        false,
      );

      desktop = await startDesktop(home, ['--port', '0'], { TEST_CIPHER: '1' });
      expect(await request(desktop, 'settings.read', {})).toMatchObject({
        agent: { key: 'stored' },
        key_store: 'keychain',
      });
      await goTo(desktop.page, '#/setup');
      await desktop.page.getByText('in the keychain of this computer').first().waitFor();
    } finally {
      await endDesktop(desktop);
    }
  });
});
