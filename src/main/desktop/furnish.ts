// Sets up what surrounds the console's window: menu, tray, badge, announcements, and the question when its page ends.
import { clipboard, dialog, shell, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import type { App } from '../app/types.ts';
import { crashWords } from '../commands/notices.ts';
import { diagnosticsOf } from '../hosts/doctor.ts';
import { announceQuestions } from './announce.ts';
import { openBadge } from './badge.ts';
import { watchSessionEnd } from './endings.ts';
import { windowFolder } from './folders.ts';
import { openContextMenus, setMenu } from './menu.ts';
import { notify } from './notifications.ts';
import { watchPage } from './pageCrash.ts';
import type { Shutdown } from './shutdown.ts';
import { openTray } from './tray.ts';
import { openUpdater, type Updater } from './updater.ts';
import { showDesk } from './window.ts';

type Surroundings = { app: App; folder: string; shutdown: Shutdown; say: (text: string) => void };

/** Returns what looks for updates, where there is a place to look. */
export function furnish(window: BrowserWindow, { app, folder, shutdown, say }: Surroundings): Updater | null {
  const quit = (): void => shutdown.request('quit');
  const tray = openTray({ open: (key) => showDesk(window, key), quit });
  const badge = openBadge(window);
  announceQuestions(app, {
    counted: (count, waiting) => {
      badge(count);
      tray.show(count, waiting);
    },
    isLooking: () => window.isDestroyed() || window.isFocused(),
    notify,
    open: (key) => showDesk(window, key),
  });
  watchPage(window, {
    quit,
    ask: async (options) => (await dialog.showMessageBox(window, options)).response,
  });
  openContextMenus(window);
  writeMemory(window);
  const updater = openUpdater({
    window,
    file: join(windowFolder(folder), 'updates.json'),
    close: () => shutdown.request('update'),
    changed: () => refreshMenu(),
    say,
  });
  const refreshMenu = (): void =>
    setMenu({
      window,
      quit,
      openDataFolder: () => void shell.openPath(folder),
      copyDiagnostics: () => void copyDiagnostics(folder),
      updates: updater?.menu() ?? [],
    });
  refreshMenu();
  watchSessionEnd(window, shutdown);
  return updater;
}

/** Chromium writes what the page remembers some seconds late, at times a minute: too late for words that outlive a crash. */
const MEMORY_MS = 2_000;

function writeMemory(window: BrowserWindow): void {
  const { session } = window.webContents;
  const writing = setInterval(() => session.flushStorageData(), MEMORY_MS);
  window.once('closed', () => clearInterval(writing));
}

const copyDiagnostics = async (folder: string): Promise<void> =>
  clipboard.writeText(JSON.stringify(diagnosticsOf(folder, []), null, 2));

/** Says that the app was killed the last time, and what became of its episodes; nothing where it ended in order. */
export async function tellCrash(window: BrowserWindow, app: App, folder: string): Promise<void> {
  const [words] = crashWords(app);
  if (words === undefined || window.isDestroyed()) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'Interject ended unexpectedly',
    detail: `${words}\n\nDiagnostics hold counts, codes and versions; no texts and no keys.`,
    buttons: ['OK', 'Copy diagnostics'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) await copyDiagnostics(folder);
}
