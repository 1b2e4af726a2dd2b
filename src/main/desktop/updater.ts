// Updates with a real Electron: its dialogs, the system's browser, and electron-updater, which fetches a version, checks its
// sum (and on macOS and Windows its signature) and puts it in this one's place.
import {
  app as electron,
  dialog,
  session,
  shell,
  type BrowserWindow,
  type MenuItemConstructorOptions,
} from 'electron';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { failureShape } from '../../shared/failure.ts';
import { productFolder } from '../hosts/paths.ts';
import { VERSION } from '../hosts/version.ts';
import { createJsonFile } from '../settings/jsonFile.ts';
import { canReplaceItself, installNow } from './installUpdate.ts';
import { feedHost, newestVersion, readFeed, type Channel, type Feed, type Update } from './updateFeed.ts';
import { createUpdates, type UpdateChoices, type UpdateQuestion, type Updates } from './updates.ts';

export type Updater = {
  start: () => void;
  menu: () => MenuItemConstructorOptions[];
  /**
   * The product is closed: starts the version that a person chose to restart into, and tells `failed` when that does not
   * work. False where none was chosen, and where it was tried already.
   */
  restartNow: (failed: (thrown: unknown) => void) => boolean;
  /** They thought better of it. */
  stay: () => void;
};

type UpdaterParts = {
  window: BrowserWindow;
  file: string;
  /** Closes the app in order, which ends in `restartNow`. */
  close: () => void;
  changed: () => void;
  say: (text: string) => void;
};

/** The feed of a packaged app; unpackaged only if a variable names one. Null: none. */
function feedHere(): Feed | null {
  if (!electron.isPackaged) {
    const url = process.env['INTERJECT_UPDATE_URL'];
    return url === undefined ? null : readFeed(`provider: generic\nurl: ${url}`);
  }
  try {
    return readFeed(readFileSync(join(process.resourcesPath, 'app-update.yml'), 'utf8'));
  } catch {
    return null;
  }
}

const replacesItself = (): boolean =>
  canReplaceItself({
    platform: process.platform,
    isPackaged: electron.isPackaged,
    isAppImage: process.env['APPIMAGE'] !== undefined,
    packageType: textOf(join(process.resourcesPath, 'package-type')),
    isSigned: /"isSigned": ?true/.test(textOf(join(productFolder(), 'package.json')) ?? ''),
  });

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

const Choices = z.object({
  isCheckedAtStart: z.boolean().nullable().catch(null).default(null),
  channel: z
    .enum(['stable', 'beta'])
    .catch('stable')
    .default(VERSION.includes('-') ? 'beta' : 'stable'),
  skipped: z.string().nullable().catch(null).default(null),
});

/** Null where there is no place to look for updates: nothing is asked or offered then. */
export function openUpdater(parts: UpdaterParts): Updater | null {
  const feed = feedHere();
  if (feed === null) return null;
  const file = createJsonFile(parts.file, { isSecret: false, whenBroken: 'move_aside', tell: parts.say });
  const choices = {
    read: (): UpdateChoices => Choices.parse(file.read()),
    write: (given: UpdateChoices) => file.write(given),
  };
  let isChosen = false;
  const updates = createUpdates({
    version: VERSION,
    host: feedHost(feed),
    newest: (channel) => newestVersion(feed, channel, { fetch: fetchPublic, ...process }),
    choices,
    ask: (question) => askIn(parts.window, question),
    download: replacesItself() ? download : null,
    showPage: (page) => void shell.openExternal(page),
    restart: () => {
      isChosen = true;
      parts.close();
    },
    say: parts.say,
    changed: parts.changed,
  });
  const change = (part: Partial<UpdateChoices>): void => choices.write({ ...choices.read(), ...part });
  return {
    start: () => void updates.start().catch((thrown: unknown) => parts.say(failureShape(thrown).message)),
    menu: () => menuOf(updates, choices.read(), change),
    stay: () => (isChosen = false),
    restartNow: (failed) => {
      if (!isChosen) return false;
      isChosen = false;
      void loadUpdater()
        .then(({ autoUpdater }) => installNow(autoUpdater))
        .catch(failed);
      return true;
    },
  };
}

/** Through the system's proxy, and apart from the window's session, which reaches no network. */
const fetchPublic = (url: string): Promise<Response> =>
  session.fromPartition('updates', { cache: false }).fetch(url, { credentials: 'omit', cache: 'no-store' });

async function askIn(window: BrowserWindow, { keepId, ...shown }: UpdateQuestion): Promise<number> {
  const options = { type: 'question' as const, ...shown, defaultId: keepId, cancelId: keepId };
  if (window.isDestroyed()) return keepId;
  return (await dialog.showMessageBox(window, options)).response;
}

/** Loaded when it is first needed: most starts need none of it. */
const loadUpdater = () => import('electron-updater').then(({ default: updater }) => updater);

/** A packaged app has this file among its own. */
function configForTrial(url: string): string {
  const file = join(electron.getPath('userData'), 'app-update.yml');
  writeFileSync(file, `provider: generic\nurl: ${url}\nupdaterCacheDirName: interject-updater\n`);
  return file;
}

async function download({ folder }: Update, channel: Channel): Promise<void> {
  const { autoUpdater } = await loadUpdater();
  Object.assign(autoUpdater, {
    autoDownload: false,
    // Nothing is installed because somebody quits.
    autoInstallOnAppQuit: false,
    autoRunAppAfterInstall: true,
    forceDevUpdateConfig: !electron.isPackaged,
    logger: null,
  });
  if (!electron.isPackaged) autoUpdater.updateConfigPath = configForTrial(folder);
  autoUpdater.setFeedURL({ provider: 'generic', url: folder });
  autoUpdater.channel = channel === 'stable' ? 'latest' : channel;
  autoUpdater.allowDowngrade = false;
  await autoUpdater.checkForUpdates();
  await autoUpdater.downloadUpdate();
}

function menuOf(
  updates: Updates,
  { isCheckedAtStart, channel }: UpdateChoices,
  change: (part: Partial<UpdateChoices>) => void,
): MenuItemConstructorOptions[] {
  const ready = updates.ready();
  return [
    ready === null
      ? { label: 'Check for updates…', click: () => void updates.check() }
      : { label: `Restart to update to ${ready}…`, click: () => void updates.offerRestart() },
    {
      label: 'Check at each start',
      type: 'checkbox',
      checked: isCheckedAtStart === true,
      click: ({ checked }) => change({ isCheckedAtStart: checked }),
    },
    {
      label: 'Beta versions',
      type: 'checkbox',
      checked: channel === 'beta',
      click: ({ checked }) => change({ channel: checked ? 'beta' : 'stable' }),
    },
    { type: 'separator' },
  ];
}
