import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browsableHost, isOwnContent, isOwnPage } from '../../src/main/desktop/addresses.ts';
import { desktopEntry, UNPACKAGED_ENTRY } from '../../src/main/desktop/desktopEntry.ts';
import { desktopFlags } from '../../src/main/desktop/flags.ts';
import { readWindowState, writeWindowState } from '../../src/main/desktop/windowState.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

describe('the desktop app’s flags', () => {
  it('are those of serve, among Chromium’s own switches and links', () => {
    const args = [
      '/app',
      '--no-sandbox',
      '--data',
      '/d',
      '--remote-debugging-port=0',
      '--port',
      '0',
      '--no-open',
    ];
    expect(desktopFlags([...args, 'interject://episode/e'])).toEqual({
      data: '/d',
      awmData: undefined,
      worldDir: undefined,
      port: 0,
      isOpening: false,
    });
    expect(desktopFlags([])).toMatchObject({ port: null, isOpening: true });
  });

  it('say what is wrong with a value', () => {
    expect(() => desktopFlags(['--port', 'many'])).toThrow(
      expect.objectContaining({ code: 'bad_input', next: expect.stringContaining('--port N') as string }),
    );
    expect(() => desktopFlags(['--data'])).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

describe('addresses', () => {
  it.each([
    ['app://console/index.html', true],
    ['app://console/index.html#/episode/e', true],
    ['app://console/', true],
    ['app://console.evil/index.html', false],
    ['app://console/other.html', false],
    ['https://example.com/', false],
    ['file:///etc/passwd', false],
    ['not an address', false],
  ])('%s is the console’s own page: %s', (address, isOwn) => {
    expect(isOwnPage(address)).toBe(isOwn);
  });

  it('of other hosts are never loaded, and only web addresses without a login go to a browser', () => {
    expect(['app://console/a.js', 'blob:app://console/x', 'data:,'].map(isOwnContent)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['http://127.0.0.1:4747/', 'app://consoles/a.js', 'file:///a', 'ws://a/'].map(isOwnContent),
    ).toEqual(Array.from({ length: 4 }, () => false));
    expect(
      ['https://a.org/x', 'http://a.org', 'javascript:1', 'file:///a', 'https://u:p@a.org', 'x'].map(
        browsableHost,
      ),
    ).toEqual(['a.org', 'a.org', null, null, null, null]);
  });
});

describe('the window’s place', () => {
  const one = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const two = [...one, { x: 1920, y: 0, width: 1280, height: 1024 }];
  const file = (): string => join(folder(), 'place.json');

  it('is kept for each set of screens, with its zoom', () => {
    const home = { x: 2000, y: 50, width: 1000, height: 700, isMaximized: false, zoom: 1.5 };
    const away = { x: 10, y: 20, width: 900, height: 600, isMaximized: true, zoom: 0 };
    writeWindowState(file(), two, home);
    writeWindowState(file(), one, away);

    expect(readWindowState(file(), two)).toEqual(home);
    expect(readWindowState(file(), one)).toEqual(away);
  });

  it('is on a screen that is there, and the default where nothing can be read', () => {
    writeWindowState(file(), two, { x: 2500, y: 50, width: 1000, height: 700, isMaximized: false, zoom: 0 });
    expect(readWindowState(file(), one)).toEqual({ width: 1000, height: 700, isMaximized: false, zoom: 0 });
    writeFileSync(file(), 'not JSON');
    expect(readWindowState(file(), one)).toMatchObject({ width: 1280, height: 800 });
  });
});

describe('the entry that opens links on Linux', () => {
  it('quotes the program as the specification wants it', () => {
    const text = desktopEntry(['/opt/my app/electron', '/home/a$b/"x" 100%']);
    expect(text).toContain('Exec="/opt/my app/electron" "/home/a\\$b/\\"x\\" 100%%" %u');
    expect(text).toContain('MimeType=x-scheme-handler/interject;');
  });

  it('of a clone never stands in the place of the one that a package brings', () => {
    expect(UNPACKAGED_ENTRY).not.toBe('interject.desktop');
  });
});
