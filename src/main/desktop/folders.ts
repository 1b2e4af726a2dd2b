// Where the desktop app keeps things: the product's data where the command line keeps it too, Chromium's own files apart.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failureShape } from '../../shared/failure.ts';
import { LOCK_FILE, takeDataFolder } from '../log/dataFolder.ts';
import { foldWal } from '../log/foldWal.ts';
import { LOG_FILE } from '../log/openLog.ts';

/** Chromium's own files of the console's window: what the page remembers, and caches. Each data folder has its own. */
export const windowFolder = (dataFolder: string): string => join(dataFolder, 'window');

/** Where the window's place on the screens is kept. */
export const placeFile = (dataFolder: string): string => join(windowFolder(dataFolder), 'place.json');

/** What Chromium keeps that is worth keeping: what the page remembers, and on Windows the key of what is encrypted. */
const KEPT_OF_CHROMIUM: ReadonlySet<string> = new Set(['Local Storage', 'Local State', 'Preferences']);
/** As earlier versions named the window's place. */
const EARLIER_PLACE = 'window.json';
/** The product's own files; everything else in an earlier folder is Chromium's. */
const OURS =
  /^(interject\.|(settings|secrets|keychain|keys|key-use|tap)\.|(backups|came-with|criteria|curriculum|exports|reports|sessions|sources)$)/;
/** Held while files move, and made anew where it is missing. */
const LOCKS: ReadonlySet<string> = new Set([LOCK_FILE, 'interject.lock']);

type Rename = (from: string, to: string) => void;

/** The folder of a person who named none: where earlier versions of the desktop app may have left episodes. */
export const isUsualFolder = (flag: string | undefined, environment: NodeJS.ProcessEnv): boolean =>
  flag === undefined && (environment['INTERJECT_HOME'] ?? '') === '';

/**
 * Earlier versions of the desktop app kept the log among Chromium's files, in a folder of its own (`earlier`), which on
 * macOS and Windows is the data folder itself. Moves what is the product's to `dataFolder` and what the page remembers to
 * its window's folder, and says so; says where it is when both hold a log; null where no episodes move. One that was
 * interrupted goes on at the next start: the log moves last. Throws `data_in_use` when somebody uses one of the folders.
 */
export function moveEarlierData(
  earlier: string,
  dataFolder: string,
  rename: Rename = renameSync,
): string | null {
  if (isSameFolder(earlier, dataFolder)) {
    if (existsSync(earlier)) moveWindowFiles(earlier, dataFolder, rename);
    return null;
  }
  if (!existsSync(join(earlier, LOG_FILE))) return null;
  if (existsSync(join(dataFolder, LOG_FILE))) {
    return `An earlier desktop app kept its episodes in ${earlier}; this library is ${dataFolder}. To look into the other: --data ${earlier}`;
  }
  const held = [takeDataFolder(earlier), takeDataFolder(dataFolder)];
  try {
    moveWindowFiles(earlier, dataFolder, rename);
    foldWal(join(earlier, LOG_FILE));
    for (const name of ourFiles(earlier)) move(join(earlier, name), join(dataFolder, name), rename);
  } finally {
    for (const folder of held) folder.release();
  }
  const stayed = ourFiles(earlier);
  const others =
    stayed.length === 0 ? '' : ` Not moved, because there were such already: ${stayed.join(', ')}.`;
  return `The episodes of the desktop app moved from ${earlier} to ${dataFolder}, where the command line finds them too.${others}`;
}

/** On a disk that does not tell capital letters apart, two names lead to one folder. */
function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  if (a === undefined || b === undefined) return resolve(one) === resolve(other);
  return a.ino === b.ino && a.dev === b.dev;
}

/** The log comes last: while it is there, the rest is looked for. */
const ourFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => OURS.test(name) && !LOCKS.has(name))
    .toSorted((a, b) => Number(a === LOG_FILE) - Number(b === LOG_FILE));

function moveWindowFiles(earlier: string, dataFolder: string, rename: Rename): void {
  const to = windowFolder(dataFolder);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(earlier))
    if (KEPT_OF_CHROMIUM.has(name)) move(join(earlier, name), join(to, name), rename);
  const place = join(earlier, EARLIER_PLACE);
  if (existsSync(place)) move(place, placeFile(dataFolder), rename);
}

/** What is there already stays. To another disk it is copied under another name first, so that no half of it is taken for all. */
function move(from: string, to: string, rename: Rename): void {
  if (existsSync(to)) return;
  try {
    rename(from, to);
  } catch (thrown) {
    if (failureCode(thrown) !== 'EXDEV') throw thrown;
    const arriving = `${to}.arriving`;
    rmSync(arriving, { recursive: true, force: true });
    cpSync(from, arriving, { recursive: true });
    renameSync(arriving, to);
    rmSync(from, { recursive: true });
  }
}

const failureCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : failureShape(thrown).code;
