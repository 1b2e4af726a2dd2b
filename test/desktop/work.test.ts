import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editorText, goTo, settle, startEpisode, verdict, write } from '../e2e/console.ts';
import { z } from 'zod';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { parseJson } from '../../src/shared/json.ts';
import { SECURITY_HEADERS } from '../../src/main/hosts/consoleDoor.ts';
import { filesOf } from '../support/filesOf.ts';
import { openClient } from '../support/rawClient.ts';
import { serveRaw } from '../support/rawServer.ts';
import { START, startServer } from '../e2e/server.ts';
import {
  answerQuestion,
  electronName,
  endDesktop,
  eventsIn,
  newHome,
  removeHome,
  request,
  startAgain,
  startDesktop,
  startFailing,
  type Desktop,
} from './desktop.ts';

const IdShape = z.looseObject({ id: z.string() });

const CHAT = {
  messages: [
    { role: 'user', content: 'Find the cheapest bread.' },
    { role: 'assistant', content: 'Rye.' },
  ],
};

describe(`the desktop app at work (${electronName})`, () => {
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

  const ask = (method: string, input: unknown): Promise<unknown> => request(desktop, method, input);
  /** Of a page that took the place of the one that is driven. One that is just ending never answers. */
  const wordsOnScreen = (): Promise<unknown> =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
        new Promise((resolve) => setTimeout(() => resolve(''), 1_000)),
      ]),
    );
  const reload = (): Promise<void> =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());

  it('sends every digit of a call that is approved on its desk, and of one that is edited over its bridge', async () => {
    const world = await serveRaw();
    try {
      const environment = IdShape.parse(await ask('environments.add', { name: 'Bank', url: world.url })).id;
      await ask('settings.change', { gateway: { may_act: true } });
      const key = { name: 'bank', scopes: ['tap'], environment, per_minute: null, at_once: null };
      const { secret } = z.looseObject({ secret: z.string() }).parse(await ask('keys.create', key));
      const port = String(readTapFile(desktop.folder)?.port);
      const client = await openClient(`ws://127.0.0.1:${port}/t/${secret}/ws`);
      await client.raw('{"type":"reset","data":{}}');
      const opened = () => eventsIn(desktop.folder).find(({ kind }) => kind === 'tap.opened')?.stream;
      await expect.poll(opened).toBeDefined();
      const episode = opened();
      const rules = [{ glob: '*', argument: null, does: 'ask', count: null }];
      await ask('policy.set', { episode, rules });
      await client.raw('{"type":"state"}');
      const frame = (args: string): string =>
        `{"type":"step","data":{"type":"call_tool","tool_name":"set_values","arguments":${args}}}`;
      const first = client.raw(frame('{"amount": 1.10, "id": 9007199254740993, "to": "Ada"}'));
      const { page } = desktop;
      await goTo(page, '#/desk');
      const held = page.getByRole('region', { name: 'Held call', exact: true });
      await held.waitFor();
      await settle(page);
      await held
        .getByRole('button', { name: /^Approve/ })
        .first()
        .click();
      await first;
      const second = client.raw(frame('{"amount": 1.10, "id": 9007199254740993, "to": "Ada"}'));
      const proposed = () => eventsIn(desktop.folder).filter(({ kind }) => kind === 'call.held').length;
      await expect.poll(proposed).toBe(2);
      const args = parseJson('{"amount": -0.0, "id": 9007199254740993, "to": "Ada"}');
      const edit = { tool_name: 'set_values', arguments: args, reason: null, is_unchecked: true };
      const timing = { first_seen_at: null, active_ms: null };
      await ask('call.decide', { act: 'edit', episode, call: 't2', seen_seq: 1, timing, ...edit });
      await second;

      expect(world.frames).toEqual(
        ['1.10', '-0.0'].map((amount) => frame(`{"amount": ${amount}, "id": 9007199254740993, "to": "Ada"}`)),
      );
      client.socket.close();
    } finally {
      world.close();
    }
  });

  it('keeps unsent words over Ctrl+R and over a page that crashed', async () => {
    const { page } = desktop;
    const id = await startEpisode(page, 0, 'Human');
    await page.getByRole('textbox', { name: 'Advice' }).waitFor();
    await write(page, 'Ask for the list of tools first.');
    await reload();
    await expect.poll(() => editorText(page)).toBe('Ask for the list of tools first.');

    await write(page, 'Then read the workflow.');
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(Object.entries(localStorage))))
      .toContain('Then read the workflow.');
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(() => desktop.asked()).toMatchObject([{ buttons: ['Reload', 'Quit'] }]);
    await desktop.answerWith('Reload');
    await expect.poll(wordsOnScreen).toContain('Then read the workflow.');
    expect(
      eventsIn(desktop.folder)
        .filter(({ stream }) => stream === id)
        .at(-1)?.kind,
    ).not.toBe('episode.ended');
  });

  it('saves a file under its own name, and takes in a file that is dropped', async () => {
    const { page, app } = desktop;
    const saved = join(home, 'saved');
    await app.evaluate(({ session }, path) => {
      session.defaultSession.on('will-download', (_event, item) => {
        (globalThis as { dialog?: unknown }).dialog = item.getSaveDialogOptions();
        item.setSavePath(path);
      });
    }, saved);
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['a,b\n1,2\n']));
      link.download = 'table.csv';
      link.click();
    });
    await expect.poll(() => statSync(saved, { throwIfNoEntry: false })?.size).toBe(8);
    expect(await app.evaluate(() => (globalThis as { dialog?: unknown }).dialog)).toMatchObject({
      title: 'Save table.csv',
      defaultPath: expect.stringMatching(/table\.csv$/) as string,
    });

    const file = join(home, 'rows.jsonl');
    writeFileSync(file, `${JSON.stringify(CHAT)}\n`);
    await goTo(page, '#/episodes');
    await page.getByText('Try it now').first().waitFor();
    // As the system hands a file over that is dragged from its own window for files.
    const drag = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await drag.send('Input.dispatchDragEvent', {
        type,
        x: 600,
        y: 400,
        data: { items: [], files: [file], dragOperationsMask: 1 },
      });
    await page.getByText('Find the cheapest bread.').first().waitFor();
  });

  it('leaves its page for nobody: navigation, new windows, frames, requests and permissions', async () => {
    const { page, app } = desktop;
    await page.evaluate(() => {
      window.location.href = 'https://example.com/';
    });
    await page.evaluate(() => void window.open('https://example.com/help', '_blank'));
    await expect
      .poll(() => desktop.asked())
      .toMatchObject([{ message: 'Open example.com in your browser?', detail: 'https://example.com/help' }]);
    await desktop.answerWith('Cancel');

    expect(page.url()).toMatch(/^app:\/\/console\/index\.html/);
    expect(app.windows()).toHaveLength(1);
    // The page that stayed hears of what happens: its feeds were not closed with the denied navigation.
    await request(desktop, 'episode.start', { ...START, condition: 'human' });
    await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('The agent asks');
    // As another origin would be reached if the page's own policy were gone.
    const reached = await app.evaluate(async ({ net }) => {
      try {
        await new Promise((done, fail) => {
          const request = net.request('http://127.0.0.1:9/');
          request.on('response', done);
          request.on('error', fail);
          request.end();
        });
        return 'reached';
      } catch (thrown) {
        return String(thrown);
      }
    });
    expect(reached).toContain('ERR_BLOCKED_BY_CLIENT');
    const files = ['../../../package.json', '%2e%2e%2fmain%2felectron.js', '..%5cmain'];
    const answers = await page.evaluate(
      (paths) => Promise.all(paths.map(async (path) => (await fetch(`app://console/${path}`)).status)),
      files,
    );
    expect(answers).toEqual(files.map(() => 404));
    expect(
      await page.evaluate(async () => [
        'require' in window,
        (await navigator.permissions.query({ name: 'geolocation' })).state,
        Object.keys((window as unknown as { interject: object }).interject).toSorted(),
      ]),
    ).toEqual([false, 'denied', ['request', 'subscribe']]);
  });

  it('gives its page no rights of a program, and holds it to the policy of the browser console', async () => {
    const { page, app } = desktop;
    const preferences = await app.evaluate(({ webContents }) => {
      const contents = webContents.getAllWebContents()[0] as unknown as {
        getLastWebPreferences?: () => Record<string, unknown>;
      };
      return contents.getLastWebPreferences?.() ?? null;
    });
    // Not every Electron tells them; then what the page can reach tells.
    if (preferences !== null)
      expect(preferences).toMatchObject({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        webSecurity: true,
      });
    expect(
      await page.evaluate(() => ['require', 'process', 'Buffer', 'module'].filter((name) => name in window)),
    ).toEqual([]);
    const headers = await page.evaluate(async () =>
      Object.fromEntries((await fetch('app://console/index.html')).headers),
    );
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect(headers[name.toLowerCase()]).toBe(value);
    expect(
      await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.ranInline = true';
        document.body.append(script);
        const frame = document.createElement('iframe');
        frame.src = 'https://example.com/';
        document.body.append(frame);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return 'ranInline' in window;
      }),
    ).toBe(false);
    const frames = await app.evaluate(({ webContents }) =>
      Promise.all(
        (webContents.getAllWebContents()[0]?.mainFrame.framesInSubtree ?? []).map((frame) =>
          frame.executeJavaScript('location.href'),
        ),
      ),
    );
    expect(frames.filter((address) => String(address).includes('example.com'))).toEqual([]);
    // A redirect leads nowhere, whoever answers with one.
    const isPrevented = await app.evaluate(({ webContents }) => {
      let count = 0;
      webContents
        .getAllWebContents()[0]
        ?.emit('will-redirect', { preventDefault: () => (count += 1) }, 'app://console/index.html');
      return count;
    });
    expect(isPrevented).toBe(1);
  });

  it('offers to load a page again that hangs, asks once, and goes on with it', async () => {
    await startEpisode(desktop.page, 0, 'Human');
    await desktop.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      void window?.webContents.executeJavaScript('for (;;);').catch(() => undefined);
      // Chromium itself says so only when somebody types for half a minute.
      setTimeout(() => window?.emit('unresponsive'), 300);
    });
    await answerQuestion(desktop, /^The window does not answer$/, 'Reload');
    await expect.poll(wordsOnScreen).toContain('Waiting for an expert');
    expect((await desktop.asked()).map(({ message }) => message)).toEqual(['The window does not answer']);
  });

  it('opens a link in the window that is there, and another data folder in an app of its own', async () => {
    const { page } = desktop;
    const id = await startEpisode(page, 0, 'No expert');
    await verdict(page).waitFor();
    expect(await startAgain(home, ['--port', '0', `interject://episode/${id}#2`])).toBe(0);
    await page.waitForURL((url) => url.hash.startsWith(`#/episode/${id}`));

    const other = await startDesktop(home, ['--port', '0', '--data', join(home, 'other')]);
    try {
      await goTo(other.page, '#/episodes');
      await other.page.getByText('Try it now').first().waitFor();
      expect(eventsIn(join(home, 'other'))).toEqual([]);
    } finally {
      await endDesktop(other);
    }
  });

  it('keeps keys over a restart, says where they lie, and no file tells what a keychain keeps', async () => {
    const { key_store: store } = z.object({ key_store: z.string() }).parse(await ask('settings.read', {}));
    await ask('settings.change', { agent: { api_key: 'sk-desktop-test-1' } });
    await desktop.app.evaluate(({ app: electron }) => setImmediate(() => electron.quit()));
    expect(await desktop.exit).toBe(0);

    desktop = await startDesktop(home);
    expect(await ask('settings.read', {})).toMatchObject({ agent: { key: 'stored' } });
    const texts = Object.values(filesOf(desktop.folder));
    expect(texts.some((text) => text.includes('sk-desktop-test-1'))).toBe(store === 'file');
    await goTo(desktop.page, '#/setup');
    await desktop.page
      .getByText(store === 'file' ? 'in a file only you can read' : 'in the keychain of this computer')
      .first()
      .waitFor();
  });

  it('shows where the window was, and its zoom, after a restart', async () => {
    const place = { x: 40, y: 30, width: 1000, height: 700 };
    await desktop.app.evaluate(({ BrowserWindow }, bounds) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setBounds(bounds);
      window?.webContents.setZoomLevel(1);
    }, place);
    await desktop.app.evaluate(({ app: electron }) => setImmediate(() => electron.quit()));
    await desktop.exit;

    desktop = await startDesktop(home);
    const now = (): Promise<unknown> =>
      desktop.app.evaluate(({ BrowserWindow }) => {
        const window = BrowserWindow.getAllWindows()[0];
        return { ...window?.getNormalBounds(), zoom: window?.webContents.getZoomLevel() };
      });
    await expect.poll(now).toEqual({ ...place, zoom: 1 });
  });
});

describe(`a desktop app that cannot start (${electronName})`, () => {
  it('says what holds the data folder and what to do, in a window that ends with it', async () => {
    const home = newHome();
    const folder = join(home, 'held');
    mkdirSync(folder);
    const server = await startServer({ folder });
    try {
      const { asked, code, said } = await startFailing(home, ['--data', folder]);
      expect(asked).toMatchObject({
        message: 'Interject could not start',
        buttons: ['Quit', 'Copy and quit'],
      });
      expect(asked.detail).toMatch(
        /process \d+.*serve[\s\S]*already uses the data folder[\s\S]*Code: data_in_use/,
      );
      // By this code `npm start` knows that a window said it.
      expect(code).toBe(78);
      expect(said).toContain('already uses the data folder');
    } finally {
      await server.stop();
      removeHome(home);
    }
  });
});
