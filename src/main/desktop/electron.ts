// The desktop shell: one window on the console, locked down, and the edges only a desktop has.
import {
  app as electron,
  clipboard,
  dialog,
  ipcMain,
  powerMonitor,
  safeStorage,
  session,
  shell,
} from 'electron';
import type { BrowserWindow, IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { join } from 'node:path';
import type { BridgeNews } from '../../shared/contract/bridge.ts';
import { linkIn, type DeepLink } from '../../shared/deepLink.ts';
import { failureShape } from '../../shared/failure.ts';
import type { App } from '../app/types.ts';
import { diagnosticsOf } from '../hosts/bundle.ts';
import { closeAnswer, type CloseQuestion } from '../hosts/closing.ts';
import { endWithLauncher } from '../hosts/launcher.ts';
import { dataFolderPath } from '../hosts/paths.ts';
import type { Serving } from '../hosts/serve.ts';
import { writeText } from '../hosts/terminal.ts';
import { announceQuestions } from './announce.ts';
import { createBridgeDoor, type BridgeDoor, type Sender } from './bridgeDoor.ts';
import { claimScheme, serveFiles } from './consoleFiles.ts';
import { openDesktopGateway } from './desktopGateway.ts';
import { nameDownloads } from './downloads.ts';
import { desktopFlags, type DesktopFlags } from './flags.ts';
import { moveEarlierData, windowFolder } from './folders.ts';
import { openKeychain, type Keychain } from './keychain.ts';
import { receiveLinks, registerLinks } from './links.ts';
import { ORIGIN } from './addresses.ts';
import { lockDownPages, lockDownSession } from './lockDown.ts';
import { openContextMenus, setMenu } from './menu.ts';
import { watchPage } from './pageCrash.ts';
import { closeProduct, openProduct } from './product.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { openTray } from './tray.ts';
import { openUpdater, type Updater } from './updater.ts';
import { keepPlace, openWindow, showAt, showDesk } from './window.ts';

const say = writeText;

claimScheme();
// Nothing of Chromium's own reaches for a network.
for (const name of [
  'disable-background-networking',
  'disable-component-update',
  'disable-domain-reliability',
])
  electron.commandLine.appendSwitch(name);

/** Null where only a file would protect keys: that is said once, in the console's settings too. */
async function systemKeychain(folder: string): Promise<Keychain | null> {
  const isPlain = process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
  if (isPlain || !(await safeStorage.isAsyncEncryptionAvailable())) {
    say('This system offers no keychain: keys are kept in a file that only you can read.');
    return null;
  }
  return openKeychain(folder, safeStorage, say);
}

/** What only this window may send, and what is sent back to it. */
function connectWindow(door: BridgeDoor): void {
  const senderOf = (event: IpcMainEvent | IpcMainInvokeEvent): Sender => ({
    url: event.senderFrame?.url ?? '',
    send: (id, news: BridgeNews) => {
      if (!event.sender.isDestroyed()) event.sender.send('interject:news', id, news);
    },
  });
  ipcMain.handle('interject:request', (event, method: unknown, input: unknown, seat: unknown) =>
    door.request(senderOf(event), method, input, seat),
  );
  ipcMain.on('interject:subscribe', (event, id: unknown, topic: unknown, seat: unknown) =>
    door.subscribe(senderOf(event), id, topic, seat),
  );
  ipcMain.on('interject:unsubscribe', (event, id: unknown) => door.unsubscribe(senderOf(event), id));
}

type Parts = { app: App; serving: Serving | null; keychain: Keychain | null };

async function openParts(flags: DesktopFlags, folder: string): Promise<Parts> {
  const keychain = await systemKeychain(folder);
  const app = await openProduct(flags, folder, { secrets: keychain, say });
  try {
    return { app, keychain, serving: await openDesktopGateway(app, flags.port, say) };
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
}

/** What closing asks and does, for a window that is made after it. */
function openShutdown(
  { app, serving, keychain }: Parts,
  file: string,
  windowOf: () => BrowserWindow | null,
  updaterOf: () => Updater | null,
): Shutdown {
  return createShutdown({
    running: () => ({ tapped: app.gateway.tapped(), running: app.supervisor.running() }),
    ask: async (question) => {
      const chosen = await askInWindow(windowOf(), question);
      if (closeAnswer(question, chosen) !== 'close') updaterOf()?.stay();
      return chosen;
    },
    hide: () => windowOf()?.hide(),
    close: async () => {
      const window = windowOf();
      if (window !== null) keepPlace(window, file);
      try {
        await closeProduct(app, serving);
      } finally {
        await keychain?.saved();
      }
    },
    failed: (thrown) => say(`Closing was not complete: ${failureShape(thrown).message}`),
    exit: () => {
      if (updaterOf()?.restartNow() !== true) electron.exit(0);
    },
  });
}

async function askInWindow(window: BrowserWindow | null, question: CloseQuestion): Promise<number> {
  const { keepId, ...shown } = question;
  const options = {
    type: 'question' as const,
    ...shown,
    defaultId: keepId,
    cancelId: shown.buttons.length - 1,
  };
  if (window === null || window.isDestroyed()) return (await dialog.showMessageBox(options)).response;
  showAt(window, null);
  return (await dialog.showMessageBox(window, options)).response;
}

/** Every way out leads to the one shutdown. */
function watchWaysOut(shutdown: Shutdown): void {
  electron.on('before-quit', (event) => {
    if (shutdown.isOver()) return;
    event.preventDefault();
    shutdown.request('quit');
  });
  // Not before Electron is ready: it then takes the signals for itself, and would ask at SIGTERM as at Quit.
  process.on('SIGINT', () => shutdown.request('interrupt'));
  process.on('SIGTERM', () => shutdown.request('terminate'));
  process.on('SIGHUP', () => shutdown.request('terminate'));
  // The end of the session: macOS and Linux here, Windows by the window.
  powerMonitor.on('shutdown', () => shutdown.request('session_end'));
  // The shutdown ends the process itself.
  electron.on('window-all-closed', () => undefined);
}

async function start(flags: DesktopFlags, folder: string): Promise<void> {
  const moved = moveEarlierData(electron.getPath('appData').concat('/interject'), folder);
  if (moved !== null) say(moved);
  lockDownPages();
  const early = receiveLinks();
  await electron.whenReady();
  serveFiles();
  lockDownSession(session.defaultSession);
  nameDownloads(session.defaultSession);
  registerLinks(say);
  const parts = await openParts(flags, folder);
  const { app } = parts;
  let window: BrowserWindow | null = null;
  let updater: Updater | null = null;
  const shutdown = openShutdown(
    parts,
    placeFile(folder),
    () => window,
    () => updater,
  );
  watchWaysOut(shutdown);
  const door = createBridgeDoor(app, ORIGIN);
  connectWindow(door);
  window = openConsole({ folder, link: early.taken() ?? linkIn(process.argv), flags, door, shutdown });
  updater = furnish(window, parts, folder, shutdown);
  early.handOver((link) => showLink(window, link));
  app.goOn();
  if (flags.isOpening) updater?.start();
}

const placeFile = (folder: string): string => join(windowFolder(folder), 'place.json');

type ConsoleParts = {
  folder: string;
  link: DeepLink | null;
  flags: DesktopFlags;
  door: BridgeDoor;
  shutdown: Shutdown;
};

function openConsole({ folder, link, flags, door, shutdown }: ConsoleParts): BrowserWindow {
  return openWindow({
    file: placeFile(folder),
    link,
    isShown: flags.isOpening,
    onPageGone: () => door.close(),
    mayClose: () => {
      if (!shutdown.isOver()) shutdown.request('window');
      return shutdown.isOver();
    },
  });
}

const showLink = (window: BrowserWindow | null, link: DeepLink | null): void => {
  if (window !== null) showAt(window, link);
};

/** Menu, tray, badge, and what brings the window back. Returns what looks for updates, where there is a place to look. */
function furnish(window: BrowserWindow, { app }: Parts, folder: string, shutdown: Shutdown): Updater | null {
  const quit = (): void => shutdown.request('quit');
  const tray = openTray({ open: () => showDesk(window), quit });
  announceQuestions(app, window, tray.count);
  watchPage(window, { quit });
  openContextMenus(window);
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
      copyDiagnostics: () => void clipboard.writeText(JSON.stringify(diagnosticsOf(folder, []), null, 2)),
      updates: updater?.menu() ?? [],
    });
  refreshMenu();
  window.on('session-end', () => shutdown.request('session_end'));
  electron.on('second-instance', (_event, args) => showAt(window, linkIn(args)));
  electron.on('activate', () => showAt(window, null));
  return updater;
}

/** Says why the app cannot start, in a window that holds nothing up, and ends when that is read. */
async function tellAndEnd(thrown: unknown): Promise<void> {
  const { code, message, next } = failureShape(thrown);
  const detail = [message, next, `Code: ${code}`].filter((line) => line !== null).join('\n\n');
  say(`${message}${next === null ? '' : `\n\n${next}`}`);
  if (electron.isReady()) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: 'Interject could not start',
      detail,
      buttons: ['Quit', 'Copy and quit'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) await clipboard.writeText(detail);
  }
  electron.exit(1);
}

function main(): void {
  const flags = desktopFlags(process.argv.slice(electron.isPackaged ? 1 : 2));
  const folder = dataFolderPath(flags.data);
  // The lock of a single instance belongs to this folder: another data folder is another app.
  electron.setPath('userData', windowFolder(folder));
  if (!electron.requestSingleInstanceLock()) return electron.exit(0);
  endWithLauncher();
  start(flags, folder).catch(tellAndEnd);
}

try {
  main();
} catch (thrown) {
  void electron.whenReady().then(() => tellAndEnd(thrown));
}
