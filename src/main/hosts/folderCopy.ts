// Copies what lies beside the log of a data folder: the files that imports came from, settings, keys. Each copy is hashed.
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { syncFile } from '../log/copyDatabase.ts';
import { createForOwner, makeFolder } from '../log/dataFolder.ts';
import { UNFINISHED_FILE } from '../log/openLog.ts';

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
