// Paths on this machine: the product's own files, and the data folder.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';

/** The product's own folder: the nearest one upward that holds `resources`. */
export function productFolder(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'resources', 'prompts'))) return folder;
    if (dirname(folder) === folder) return resolve(from, '../..');
  }
}

/**
 * The folder of the product's own threads and processes. A packaged desktop app is one archive that only Electron
 * reads: there they lie beside it as files, with the packages they need.
 */
function helperFolder(): string {
  const packaged = process.versions['electron'] === undefined ? null : join(process.resourcesPath, 'helpers');
  return packaged !== null && existsSync(packaged) ? packaged : productFolder();
}

/** The program of a thread or process of ours: beside the built hosts, or beside this file when run from source. */
export const programPath = (name: 'tap' | 'thread', here: string = import.meta.dirname): string =>
  here.includes(`${sep}out${sep}`)
    ? join(helperFolder(), 'out', 'main', `${name}.js`)
    : join(here, `${name}.ts`);

/** An absolute path without detours. Relative ones belong to the folder the person called from; npm changes it and leaves it in INIT_CWD. */
export const fromCaller = (path: string, environment: NodeJS.ProcessEnv = process.env): string =>
  resolve(environment['INIT_CWD'] ?? process.cwd(), path);

/** `--data`, else INTERJECT_HOME, else the platform's place for application data. */
export function dataFolderPath(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (flag !== undefined) return fromCaller(flag, environment);
  const home = environment['INTERJECT_HOME'];
  if (home !== undefined && home !== '') return fromCaller(home, environment);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Interject');
  if (process.platform === 'win32') {
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Interject');
  }
  return xdgFolder(environment['XDG_DATA_HOME'], '.local/share');
}

/** The key by which a data folder is known as this user’s own lies apart from it, among this user’s settings. */
export function userKeyPath(environment: NodeJS.ProcessEnv = process.env): string {
  const name = 'user.key';
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'Interject', name);
  if (process.platform === 'win32')
    return join(environment['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Interject', name);
  return join(xdgFolder(environment['XDG_CONFIG_HOME'], '.config'), name);
}

/** Ours in the folder that is given, else in the usual one of the home. */
const xdgFolder = (given: string | undefined, usual: string): string =>
  join(given !== undefined && given !== '' ? given : join(homedir(), usual), 'interject');

/** INTERJECT_WORLD_DIR: packs of a person's own. Null where none is named. */
export function worldFolderPath(environment: NodeJS.ProcessEnv = process.env): string | null {
  const given = environment['INTERJECT_WORLD_DIR'] ?? '';
  return given === '' ? null : fromCaller(given, environment);
}

/** The folder of the built-in worlds' packs. */
export const packsFolder = (): string => join(productFolder(), 'resources', 'worlds');
