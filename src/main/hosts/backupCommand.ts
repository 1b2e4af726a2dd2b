// `interject backup`: a copy of a data folder that is proven whole, taken while Interject runs or not.
import {
  existsSync,
  writeFileSync,
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { isAbsolute, join, relative, dirname } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { copyDatabase, syncFile } from '../log/copyDatabase.ts';
import { checkLog, LOG_FILE, UNFINISHED_FILE } from '../log/openLog.ts';
import { markLog, readLog } from '../log/readOnly.ts';
import { CAME_WITH } from '../settings/cameWith.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath, fromCaller } from './paths.ts';
import { VERSION } from './version.ts';
import { createHash } from 'node:crypto';
import { createForOwner, makeFolder } from '../log/dataFolder.ts';

export type BackupOptions = { data?: string; out?: string; keys?: boolean };

/** Says what a backup holds; the folder opens with `--data`. */
const BACKUP_FILE = 'backup.json';

/** Takes no lock: the copy is how the log stood at one moment. Resolves with the exit code. */
export async function backupCommand(
  { data, out, keys }: BackupOptions,
  output: CommandOutput,
): Promise<number> {
  if (out === undefined) {
    throw new Failure('bad_input', 'where to write is not said', {
      next: 'Name an empty folder with --out.',
    });
  }
  const from = dataFolderPath(data);
  const to = fromCaller(out);
  const notice = checkLog(from);
  if (notice !== null) output.say(notice);
  if (!existsSync(join(from, LOG_FILE))) {
    throw new Failure('not_found', `there is no log in ${from}`, { next: 'Name its folder with --data.' });
  }
  if (!relative(from, to).startsWith('..') && !isAbsolute(relative(from, to)))
    throw new Failure('bad_input', 'a backup inside the data folder would be lost with it', {
      next: 'Name a folder elsewhere with --out.',
    });
  const made = fillFolder(to, () => copyInto(from, to, keys === true));
  const { log, files, broken_files: broken } = made;
  output.line({ ...made, type: 'backup', folder: to });
  output.say(
    `${log.events.toLocaleString('en')} events, ${log.texts.toLocaleString('en')} long texts and ${String(Object.keys(files).length)} files are in ${to}; they were read back and are alike`,
  );
  if (existsSync(join(from, CAME_WITH)))
    output.say('what came with the folder and waits for your word was left out: say it on the desk first');
  if (keys !== true) output.say('keys were left out: --keys takes them along');
  for (const name of broken) output.say(`not copied, its bytes are not what was imported: ${name}`);
  output.say(`it opens with --data ${to}; what is erased from the log later still stands in it`);
  return broken.length === 0 ? 0 : 1;
}

/** Copies the log and what lies beside it, and says in a file of its own what the copy holds. */
function copyInto(from: string, to: string, hasKeys: boolean) {
  const log = readLog(from, (db) => copyDatabase(db, join(to, LOG_FILE)));
  markLog(to);
  const names = [...SETTINGS_FILES, ...(hasKeys ? KEY_FILES : [])];
  const { files, broken } = copyBeside(from, to, names);
  const made = {
    type: 'interject.backup',
    version: VERSION,
    made_at: new Date().toISOString(),
    log,
    files,
    has_keys: hasKeys,
    broken_files: broken,
  };
  writeFileSync(join(to, BACKUP_FILE), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return made;
}

export const SETTINGS_FILES = ['settings.json'];
export const KEY_FILES = ['secrets.json', 'keychain.json', 'keys.json', 'key-use.json'];
const SOURCES_FOLDER = 'sources';

type FileCopy = { bytes: number; sha256: string };
type CopiedFiles = {
  files: Record<string, FileCopy>;
  /** Kept files of imports whose bytes are not those of their name: they were not copied. */
  broken: string[];
};

/**
 * Fills a folder that is empty or can be made; throws `bad_input` for another. Until all is there nothing opens it, and
 * where that fails nothing ever does.
 */
export function fillFolder<T>(path: string, fill: () => T): T {
  if (existsSync(path) && (!statSync(path).isDirectory() || readdirSync(path).length > 0)) {
    throw new Failure('bad_input', `${path} holds something already`, {
      next: 'Name an empty folder with --out.',
    });
  }
  makeFolder(path);
  const mark = join(path, UNFINISHED_FILE);
  createForOwner(mark);
  const made = fill();
  rmSync(mark);
  if (process.platform !== 'win32') syncFile(path);
  return made;
}

/** Copies the files named, where they are there, and every kept file of an import. */
export function copyBeside(from: string, to: string, names: readonly string[]): CopiedFiles {
  const files: Record<string, FileCopy> = {};
  const broken: string[] = [];
  for (const name of names) if (existsSync(join(from, name))) files[name] = copyOne(from, to, name);
  const kept = existsSync(join(from, SOURCES_FOLDER)) ? readdirSync(join(from, SOURCES_FOLDER)) : [];
  for (const sha256 of kept) {
    if (!/^[0-9a-f]{64}$/.test(sha256)) continue;
    const name = `${SOURCES_FOLDER}/${sha256}`;
    if (hashFile(join(from, name)).sha256 === sha256) files[name] = copyOne(from, to, name);
    else broken.push(name);
  }
  return { files, broken };
}

const copyOne = (from: string, to: string, name: string): FileCopy => copyFrom(join(from, name), to, name);

function copyFrom(source: string, to: string, name: string): FileCopy {
  const target = join(to, name);
  makeFolder(dirname(target));
  createForOwner(target);
  copyFileSync(source, target);
  syncFile(target);
  const copied = hashFile(target);
  if (copied.sha256 !== hashFile(source).sha256) {
    throw new Failure('data_unwritable', `the copy of ${name} is not like it`, {
      next: 'It may have been written to at that moment: try again.',
    });
  }
  return copied;
}

const COPY_CHUNK = 1024 * 1024;

function hashFile(file: string): FileCopy {
  const handle = openSync(file, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(COPY_CHUNK);
    let bytes = 0;
    for (let got = readSync(handle, buffer); got > 0; got = readSync(handle, buffer)) {
      hash.update(buffer.subarray(0, got));
      bytes += got;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(handle);
  }
}
