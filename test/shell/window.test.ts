import { EventEmitter } from 'node:events';
import type { BrowserWindow, MessageBoxOptions, MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { badgeMark } from '../../src/main/desktop/badgeMark.ts';
import { watchSessionEnd, watchWaysOut } from '../../src/main/desktop/endings.ts';
import { createShutdown, type WayOut } from '../../src/main/desktop/shutdown.ts';
import { trayMenu } from '../../src/main/desktop/trayMenu.ts';
import { announceQuestions } from '../../src/main/desktop/announce.ts';
import { receiveCalls } from '../../src/main/desktop/calls.ts';
import { createBridgeDoor } from '../../src/main/desktop/bridgeDoor.ts';
import { canReplaceItself, installNow } from '../../src/main/desktop/installUpdate.ts';
import { menuTemplate } from '../../src/main/desktop/menuTemplate.ts';
import { watchPage } from '../../src/main/desktop/pageCrash.ts';
import type { App } from '../../src/main/app/types.ts';
import { keyRows } from '../../src/renderer/state/keys.ts';
import { VIEWS } from '../../src/renderer/state/views.ts';
import type { Push } from '../../src/shared/contract/envelope.ts';

/** A window whose page ends when it is told to, as Electron's does: with a word of why. */
function openPage() {
  const did: string[] = [];
  const asked: { options: MessageBoxOptions; answer: (button: number) => void }[] = [];
  const contents = Object.assign(new EventEmitter(), {
    reload: () => did.push('reload'),
    forcefullyCrashRenderer: () => {
      did.push('crash');
      contents.emit('render-process-gone', {}, { reason: 'killed' });
    },
  });
  const window = Object.assign(new EventEmitter(), { webContents: contents, isDestroyed: () => false });
  watchPage(window as unknown as BrowserWindow, {
    quit: () => did.push('quit'),
    ask: (options) => new Promise((answer) => asked.push({ options, answer })),
  });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  return { did, asked, window, contents, settled };
}

describe('a page that hangs or ends', () => {
  it('is loaded again once its process has ended, after one question', async () => {
    const { did, asked, window, settled } = openPage();
    window.emit('unresponsive');
    window.emit('unresponsive');
    asked[0]?.answer(1);
    await settled();

    expect(did).toEqual(['crash', 'reload']);
    expect(asked.map(({ options }) => options.message)).toEqual(['The window does not answer']);
  });

  it('that ends while it hangs leaves one open question', async () => {
    const { did, asked, window, contents, settled } = openPage();
    window.emit('unresponsive');
    contents.emit('render-process-gone', {}, { reason: 'oom' });
    expect(asked.map(({ options }) => options.signal?.aborted ?? false)).toEqual([true, false]);
    asked[0]?.answer(1);
    asked[1]?.answer(0);
    await settled();

    expect(did).toEqual(['reload']);
  });

  it('is asked about again the next time, and nobody is asked when it ended as it should', async () => {
    const { asked, window, contents, settled } = openPage();
    window.emit('unresponsive');
    asked[0]?.answer(1);
    await settled();
    contents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    contents.emit('render-process-gone', {}, { reason: 'crashed' });

    expect(asked.map(({ options }) => options.message)).toEqual([
      'The window does not answer',
      'The window’s page ended unexpectedly',
    ]);
  });
});

describe('what waits', () => {
  const question = (consultation: string) =>
    ({ consultation, episode: `episode of ${consultation}`, scenario: 'shop', task_idx: 3 }) as never;
  const desk = (...names: string[]): Push =>
    ({ topic: 'desk', items: names.map(question), total: names.length, holds: [] }) as never;

  it('is counted at each change, announced once while nobody looks, and a click leads to it', () => {
    let push = (_push: Push): void => undefined;
    const did: string[] = [];
    let click = (): void => undefined;
    let isLooking = false;
    const app = {
      subscribe: (_topic: unknown, send: (push: Push) => void) => {
        push = send;
        return () => undefined;
      },
    } as unknown as App;
    announceQuestions(app, {
      counted: (count, waiting) =>
        did.push(`counted ${String(count)}: ${waiting.map(({ key }) => key).join()}`),
      isLooking: () => isLooking,
      notify: (title, body, clicked) => {
        did.push(`${title}: ${body}`);
        click = clicked;
      },
      open: (key) => did.push(`opened ${key}`),
    });
    push(desk('a'));
    push(desk('a'));
    isLooking = true;
    push(desk('a', 'b'));
    click();
    push(desk());

    expect(did).toEqual([
      'counted 1: a',
      'An agent asks for advice: shop, task 3',
      'counted 1: a',
      'counted 2: a,b',
      'opened a',
      'counted 0: ',
    ]);
  });
});

describe('the count on the app’s icon', () => {
  it('is shown as each system shows it, and gone with the last one', () => {
    expect(badgeMark('linux', 3)).toEqual({ way: 'count', count: 3 });
    expect(badgeMark('darwin', 3)).toEqual({ way: 'dock', text: '3' });
    expect([badgeMark('darwin', 0), badgeMark('win32', 0)]).toEqual([
      { way: 'dock', text: '' },
      { way: 'overlay', picture: null, description: '' },
    ]);
  });

  it('is drawn on Windows, each count differently, and said in words', () => {
    const marks = [1, 2, 9, 10, 250].map((count) => badgeMark('win32', count));
    const drawn = marks.map((mark) => (mark.way === 'overlay' ? mark.picture : null));
    const [one, two, nine, ten, many] = drawn.map((picture) =>
      Buffer.from(picture?.pixels ?? []).toString('hex'),
    );
    const at = (x: number, y: number) => [
      ...(drawn[0]?.pixels.slice((y * 32 + x) * 4, (y * 32 + x) * 4 + 4) ?? []),
    ];

    expect(new Set([one, two, nine, ten]).size).toBe(4);
    expect(many).toBe(ten);
    expect(marks[4]).toMatchObject({ description: '250 waiting for you' });
    // Nothing in the corner, red on the disc, white in the digit.
    expect([at(0, 0), at(16, 2), at(16, 16)]).toEqual([
      [0, 0, 0, 0],
      [0x1c, 0x1c, 0xc6, 255],
      [255, 255, 255, 255],
    ]);
  });
});

it('the tray’s menu names the oldest five that wait, and each leads to its question', () => {
  const did: string[] = [];
  const waiting = Array.from({ length: 7 }, (_, n) => ({
    key: `q${String(n)}`,
    title: 'Asks',
    body: 'a & b',
  }));
  const menu = trayMenu(
    { count: 8, waiting },
    { open: (key) => did.push(key ?? 'desk'), quit: () => did.push('quit') },
  );
  for (const { click } of menu) (click as (() => void) | undefined)?.();

  expect(menu[0]).toEqual({ label: '8 waiting', enabled: false });
  expect(menu[1]?.label).toBe('Asks: a && b');
  expect(did).toEqual(['q0', 'q1', 'q2', 'q3', 'q4', 'desk', 'quit']);
});

describe('a way out that the system takes', () => {
  const open = (running: number) => {
    const did: string[] = [];
    const shutdown = createShutdown({
      running: () => ({ tapped: 0, running }),
      ask: () => {
        did.push('asked');
        return new Promise(() => undefined);
      },
      hide: () => undefined,
      close: async () => void did.push('closing'),
      failed: () => undefined,
      exit: () => did.push('exit'),
      sleep: () => Promise.resolve(),
    });
    const noted: typeof shutdown = {
      ...shutdown,
      request: (way: WayOut) => {
        did.push(way);
        shutdown.request(way);
      },
    };
    const [electron, powerMonitor, signals, window] = Array.from({ length: 4 }, () => new EventEmitter());
    const all = { electron, powerMonitor, signals } as unknown as Parameters<typeof watchWaysOut>[1];
    watchWaysOut(noted, all);
    watchSessionEnd(window as unknown as BrowserWindow, noted);
    const event = { preventDefault: () => did.push('waits') };
    return {
      did,
      event,
      electron,
      powerMonitor,
      signals,
      window,
      settled: () => new Promise((go) => setTimeout(go, 5)),
    };
  };

  it('closes once at a Mac’s logout, which ends the session and then asks the app to quit', async () => {
    const { did, event, electron, powerMonitor, settled } = open(1);
    powerMonitor?.emit('shutdown', event);
    electron?.emit('before-quit', event);
    await settled();

    expect(did).toEqual(['waits', 'session_end', 'closing', 'waits', 'quit', 'exit']);
    electron?.emit('before-quit', event);
    expect(did.at(-1)).toBe('exit');
  });

  it('hears the second interrupt where Electron took the first for itself', async () => {
    const { did, event, electron, signals, settled } = open(1);
    // Electron tells of the first as of Quit, and the next would end the process, unless it is listened to anew.
    let isOurs = false;
    signals?.on('newListener', (signal: string) => {
      isOurs ||= signal === 'SIGINT' && signals.listenerCount(signal) === 0;
    });
    electron?.emit('before-quit', event);
    if (isOurs) signals?.emit('SIGINT');
    await settled();

    expect(did).toEqual(['waits', 'quit', 'asked', 'interrupt', 'closing', 'exit']);
  });

  it('closes once at the end of a session of Windows, which is asked to wait for it', async () => {
    const { did, event, window, settled } = open(1);
    window?.emit('query-session-end', event);
    window?.emit('session-end', event);
    await settled();

    expect(did).toEqual(['waits', 'session_end', 'closing', 'session_end', 'exit']);
  });

  it('asks first at Cmd+Q while an episode runs', async () => {
    const { did, event, electron, settled } = open(1);
    electron?.emit('before-quit', event);
    await settled();

    expect(did).toEqual(['waits', 'quit', 'asked']);
  });
});

describe('the door of the window’s page', () => {
  const SEAT = 'seat-1';
  const door = (routed: string[], subscribed: string[]) =>
    createBridgeDoor(
      {
        route: async (method: string) => routed.push(method),
        subscribe: ({ topic }: { topic: string }) => {
          subscribed.push(topic);
          return () => subscribed.push(`no ${topic}`);
        },
      } as unknown as App,
      'app://console',
    );

  it.each([
    'https://example.com/',
    'app://console.evil/index.html',
    'app://consoleX/',
    'file:///app://console/',
    '',
  ])('answers no page at %j, and sends it nothing', async (url) => {
    const [routed, subscribed, sent]: string[][] = [[], [], []];
    const at = { url, send: (_id: number, news: string) => sent?.push(news) };
    const open = door(routed ?? [], subscribed ?? []);

    expect(JSON.parse(await open.request(at, 'settings.read', '{}', SEAT))).toMatchObject({
      ok: false,
      failure: { code: 'unauthorized' },
    });
    open.subscribe(at, 1, { topic: 'desk' }, SEAT);

    expect([routed, subscribed, sent?.map((news) => (JSON.parse(news) as { type: string }).type)]).toEqual([
      [],
      [],
      ['failure'],
    ]);
  });

  it('lets another page end none of the console’s subscriptions, and ends all with the page', () => {
    const subscribed: string[] = [];
    const open = door([], subscribed);
    const own = { url: 'app://console/index.html#/desk', send: () => undefined };
    open.subscribe(own, 1, { topic: 'desk' }, SEAT);
    open.unsubscribe({ ...own, url: 'https://example.com/' }, 1);
    expect(subscribed).toEqual(['desk']);

    open.close();
    expect(subscribed).toEqual(['desk', 'no desk']);
  });
});

/** As Electron documents them for the roles that the menu uses. */
const ROLE_KEYS: Record<string, string[]> = {
  reload: ['mod+r'],
  resetZoom: ['mod+0'],
  zoomIn: ['mod++', 'mod+='],
  zoomOut: ['mod+-'],
  togglefullscreen: ['F11', 'ctrl+mod+f'],
  toggleDevTools: ['mod+shift+i', 'alt+mod+i'],
  close: ['mod+w'],
  hide: ['mod+h'],
  about: [],
  editMenu: ['mod+z', 'mod+shift+z', 'mod+y', 'mod+x', 'mod+c', 'mod+v', 'mod+a'],
  windowMenu: ['mod+m', 'mod+w'],
};

describe.each(['linux', 'win32', 'darwin'])('the menu on %s', (platform) => {
  const nothing = (): void => undefined;
  const opened: string[] = [];
  const template = menuTemplate({
    go: (view) => opened.push(view),
    about: nothing,
    version: '1',
    platform,
    openDataFolder: nothing,
    copyDiagnostics: nothing,
    quit: nothing,
    updates: [],
  });
  const items = (list: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])]);

  it('leads to a place of the console', () => {
    const setup = items(template).find(({ label }) => label === 'Setup…');
    setup?.click?.({} as never, undefined, {} as never);

    expect(opened.map((view) => view in VIEWS)).toEqual([true]);
  });

  it('takes no key from the console but Ctrl+A, which the page hears first', () => {
    const taken = items(template).flatMap(({ role, accelerator }) => [
      ...(accelerator === undefined ? [] : [accelerator.replace('CmdOrCtrl', 'mod').toLowerCase()]),
      ...(role === undefined ? [] : (ROLE_KEYS[role] ?? [`unknown role ${role}`])),
    ]);
    const own = keyRows().flatMap(({ row }) => row.chords.map((chord) => chord.toLowerCase()));

    expect(taken).toEqual(expect.arrayContaining(['mod+q', 'mod+,', 'mod+r']));
    expect(taken.filter((key) => own.includes(key) || key.startsWith('unknown'))).toEqual(['mod+a']);
  });
});

describe('the last step of an update', () => {
  const mac = { platform: 'darwin', isPackaged: true, isAppImage: false, packageType: null, isSigned: true };

  it('is offered only where the system lets this app be replaced', () => {
    expect(canReplaceItself(mac)).toBe(true);
    expect(canReplaceItself({ ...mac, isSigned: false })).toBe(false);
    expect(canReplaceItself({ ...mac, platform: 'win32', isSigned: false })).toBe(true);
    expect(canReplaceItself({ ...mac, platform: 'win32', isPackaged: false })).toBe(false);
    expect(canReplaceItself({ ...mac, platform: 'linux' })).toBe(false);
    expect(canReplaceItself({ ...mac, platform: 'linux', packageType: 'deb' })).toBe(true);
    expect(canReplaceItself({ ...mac, platform: 'linux', isAppImage: true })).toBe(true);
  });

  it('that fails is heard of: by an error, by an exception, by nothing at all', async () => {
    const failing = (quitAndInstall: (updater: EventEmitter) => void): Promise<never> => {
      const updater = new EventEmitter();
      return installNow(
        Object.assign(updater, { quitAndInstall: () => quitAndInstall(updater) }) as never,
        20,
      );
    };
    await expect(failing((updater) => updater.emit('error', new Error('no permission')))).rejects.toThrow(
      'The new version was not put in place: no permission',
    );
    await expect(
      failing(() => {
        throw new Error('no file');
      }),
    ).rejects.toThrow('no file');
    await expect(failing(() => undefined)).rejects.toThrow('nothing happened');
  });
});

describe('a call while the app starts', () => {
  const start = () => {
    const electron = new EventEmitter();
    return { electron, calls: receiveCalls(electron as never) };
  };
  const event = { preventDefault: () => undefined };

  it('is kept until there is a window: a second start, a link of it, a link that a Mac hands over', () => {
    const { electron, calls } = start();
    electron.emit('activate');
    expect(calls.early()).toEqual({ isCalled: false, link: null });
    electron.emit('second-instance', event, ['electron', '.']);
    expect(calls.early()).toEqual({ isCalled: true, link: null });
    electron.emit('second-instance', event, ['electron', '.', 'interject://episode/e1#3']);
    electron.emit('second-instance', event, ['electron', '.']);
    expect(calls.early()).toEqual({ isCalled: true, link: { episode: 'e1', n: 3 } });
    electron.emit('open-url', event, 'interject://episode/e2');
    expect(calls.early()).toEqual({ isCalled: true, link: { episode: 'e2', n: null } });
  });

  it('brings the window forward once there is one', () => {
    const { electron, calls } = start();
    const shown: unknown[] = [];
    calls.handOver((link) => shown.push(link));
    electron.emit('activate');
    electron.emit('second-instance', event, ['electron', 'interject://episode/e1']);
    electron.emit('open-url', event, 'https://example.com/');

    expect(shown).toEqual([null, { episode: 'e1', n: null }]);
  });
});
