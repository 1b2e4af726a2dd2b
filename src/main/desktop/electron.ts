// The desktop shell: one window on the console, locked down, and the edges only a desktop has.
import { app as electron, clipboard, dialog, ipcMain, powerMonitor, safeStorage, session } from 'electron';
import type { BrowserWindow, IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { linkIn } from '../../shared/deepLink.ts';
import { failureShape } from '../../shared/failure.ts';
import { endWithLauncher } from '../hosts/launcher.ts';
import { dataFolderPath } from '../hosts/paths.ts';
import { writeText } from '../hosts/terminal.ts';
import { ORIGIN } from './addresses.ts';
import { APP_ID } from './appId.ts';
import { createBridgeDoor, type BridgeDoor, type Sender } from './bridgeDoor.ts';
import { receiveCalls, type Calls } from './calls.ts';
import { claimScheme, serveFiles } from './consoleFiles.ts';
import { openCommandDoor } from '../hosts/commandDoor.ts';
import { openDesktopGateway } from './desktopGateway.ts';
import { nameDownloads } from './downloads.ts';
import { desktopFlags, type DesktopFlags } from './flags.ts';
import { placeFile, windowFolder } from './folders.ts';
import { watchWaysOut } from './endings.ts';
import { furnish, tellCrash } from './furnish.ts';
import { openKeychain, type Keychain } from './keychain.ts';
import { nameEntry, registerLinks } from './links.ts';
import { lockDownPages, lockDownSession } from './lockDown.ts';
import { openProduct } from './product.ts';
import type { Shutdown } from './shutdown.ts';
import { openShutdown, type Parts, type Running } from './waysOut.ts';
import { openWindow, showAt } from './window.ts';

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

/** Takes messages from this window alone, and replies to it. */
function connectWindow(door: BridgeDoor): void {
  const senderOf = (event: IpcMainEvent | IpcMainInvokeEvent): Sender => ({
    url: event.senderFrame?.url ?? '',
    send: (id, news) => {
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

async function openParts(flags: DesktopFlags, folder: string): Promise<Parts> {
  const keychain = await systemKeychain(folder);
  const app = await openProduct(flags, folder, { secrets: keychain, say });
  try {
    const serving = await openDesktopGateway(app, flags.port, say);
    return { app, keychain, serving, door: await openCommandDoor({ app, folder, console: serving, say }) };
  } catch (thrown) {
    await app.close();
    throw thrown;
  }
}

async function start(flags: DesktopFlags, folder: string): Promise<void> {
  const calls = receiveCalls(electron);
  lockDownPages();
  await electron.whenReady();
  serveFiles();
  lockDownSession(session.defaultSession);
  nameDownloads(session.defaultSession);
  registerLinks(say);
  const running: Running = { parts: null, window: null, updater: null };
  const opening = openParts(flags, folder);
  const shutdown = openShutdown({ running, opening, file: placeFile(folder), say });
  watchWaysOut(shutdown, { electron, powerMonitor, signals: process });
  const parts = await opening;
  // Asked to end while it started: what was opened is being closed.
  if (!shutdown.isOpen()) return;
  running.parts = parts;
  const { app } = parts;
  const door = createBridgeDoor(app, ORIGIN);
  connectWindow(door);
  const window = openConsole({ folder, early: calls.early(), flags, door, shutdown });
  running.window = window;
  running.updater = furnish(window, { app, folder, shutdown, say });
  calls.handOver((link) => showAt(window, link));
  app.continueEpisodes();
  if (!flags.isOpening) return;
  await tellCrash(window, app, folder);
  running.updater?.start();
}

type ConsoleParts = {
  folder: string;
  early: ReturnType<Calls['early']>;
  flags: DesktopFlags;
  door: BridgeDoor;
  shutdown: Shutdown;
};

const openConsole = ({ folder, early, flags, door, shutdown }: ConsoleParts): BrowserWindow =>
  openWindow({
    file: placeFile(folder),
    link: early.link ?? linkIn(process.argv),
    isShown: flags.isOpening || early.isCalled,
    onPageGone: () => door.close(),
    mayClose: () => {
      if (!shutdown.isOver()) shutdown.request('window');
      return shutdown.isOver();
    },
  });

/** A start that failed and was told, for whoever started the app: nothing else is to be tried. */
const FAILURE_TOLD = 78;

/** Says why the app cannot start, in a window that holds nothing up, and ends when that is read. */
async function tellAndEnd(thrown: unknown): Promise<void> {
  const { code, message, next } = failureShape(thrown);
  const detail = [message, next, `Code: ${code}`].filter((line) => line !== null).join('\n\n');
  say(`${message}${next === null ? '' : `\n\n${next}`}`);
  await electron.whenReady();
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'Interject could not start',
    detail,
    buttons: ['Quit', 'Copy and quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) await clipboard.writeText(detail);
  electron.exit(FAILURE_TOLD);
}

function main(): void {
  const flags = desktopFlags(process.argv.slice(electron.isPackaged ? 1 : 2));
  const folder = dataFolderPath(flags.data);
  // The lock of a single instance belongs to this folder: another data folder is another app.
  electron.setPath('userData', windowFolder(folder));
  if (!electron.requestSingleInstanceLock()) return electron.exit(0);
  if (process.platform === 'win32') electron.setAppUserModelId(APP_ID);
  nameEntry();
  endWithLauncher();
  start(flags, folder).catch(tellAndEnd);
}

try {
  main();
} catch (thrown) {
  void tellAndEnd(thrown);
}
