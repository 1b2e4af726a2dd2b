// Where the desktop app keeps things: the product's data where the command line keeps it too, Chromium's own files apart.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failureShape } from '../../shared/failure.ts';
import { takeDataFolder } from '../log/dataFolder.ts';

/** Chromium's own files of the console's window: what the page remembers, and caches. Each data folder has its own. */
export const windowFolder = (dataFolder: string): string => join(dataFolder, 'window');

const LOG = 'interject.db';
/** What Chromium keeps that is worth keeping: what the page remembers, and on Windows the key of what is encrypted. */
const KEPT_OF_CHROMIUM: ReadonlySet<string> = new Set(['Local Storage', 'Local State', 'Preferences']);
/** The product's own files; everything else in an earlier folder is Chromium's. */
const OURS =
  /^(interject\.|settings|secrets|keys|key-use|keychain|tap|window\.json|archive|imports|exports|texts|files|prompts|rubrics|projects|curriculum|servers|roster|split)/i;

/**
 * Earlier versions of the desktop app kept the log among Chromium's files, in a folder of its own (`earlier`). Moves it
 * to `dataFolder` and says so; says where it is when both hold a log; null where there is nothing to move. Throws
 * `data_in_use` when an earlier version runs there.
 */
export function moveEarlierData(earlier: string, dataFolder: string): string | null {
  const isSame = resolve(earlier).toLowerCase() === resolve(dataFolder).toLowerCase();
  if (isSame || !existsSync(join(earlier, LOG))) return null;
  if (existsSync(join(dataFolder, LOG))) {
    return `An earlier desktop app kept its episodes in ${earlier}; this library is ${dataFolder}. To look into the other: --data ${earlier}`;
  }
  takeDataFolder(earlier).release();
  mkdirSync(windowFolder(dataFolder), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(earlier)) {
    if (OURS.test(name)) move(join(earlier, name), join(dataFolder, name));
    else if (KEPT_OF_CHROMIUM.has(name)) move(join(earlier, name), join(windowFolder(dataFolder), name));
  }
  return `The episodes of the desktop app moved from ${earlier} to ${dataFolder}, where the command line finds them too.`;
}

function move(from: string, to: string): void {
  if (existsSync(to)) return;
  try {
    renameSync(from, to);
  } catch (thrown) {
    if (failureCode(thrown) !== 'EXDEV') throw thrown;
    cpSync(from, to, { recursive: true });
    rmSync(from, { recursive: true });
  }
}

const failureCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : failureShape(thrown).code;
