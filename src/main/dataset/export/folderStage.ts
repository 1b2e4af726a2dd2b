// Writes an export folder aside and moves it into place when it is complete; a failed export leaves no trace.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Failure } from '../../../shared/failure.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import type { FileSum } from './lineWriter.ts';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { MANIFEST } from './manifest.ts';
import { isRecord, tryJson } from '../../../shared/json.ts';
import { BUNDLE } from '../import/eventBundle.ts';

export const CHECKSUMS = 'CHECKSUMS';
export const EVENTS_FILE = 'events.jsonl';
/** Lies beside files that do not say by themselves who wrote them. */
export const EXPORT_MARK = '.interject-export';
const MARK_TYPE = 'interject.files';
export const markText = (): string => `${JSON.stringify({ type: MARK_TYPE, v: 1 })}\n`;

/** Rules may name every episode one by one; what is larger than that is not ours. */
const RULES_BYTES_MAX = 64 * 1024 * 1024;
const HEAD_BYTES = 4096;

/** A data set has rows and rules; `files` are the log's own events, or what was written without rules. */
type OwnFolder = 'data_set' | 'files';

/** The export left in this folder; null where there is none. */
export function ownFolder(folder: string): OwnFolder | null {
  if (isRules(join(folder, RULES_FILE))) return 'data_set';
  return isBundle(join(folder, EVENTS_FILE)) || typeOf(readHead(join(folder, EXPORT_MARK))) === MARK_TYPE
    ? 'files'
    : null;
}

/** True if a file begins as a bundle of events does. */
export const isBundle = (path: string): boolean => typeOf(readHead(path).split('\n', 1)[0] ?? '') === BUNDLE;

/** Files that an earlier export put here, as its checksums name them; nothing outside of the folder. */
function ownFiles(folder: string): string[] {
  // Anybody may sum up files under this name: what lies beside it says whose it is.
  if (ownFolder(folder) === null) return [];
  const sums = join(folder, CHECKSUMS);
  // Bundles were written without before.
  if (!existsSync(sums)) return isBundle(join(folder, EVENTS_FILE)) ? [EVENTS_FILE] : [];
  const named = readFileSync(sums, 'utf8')
    .split('\n')
    .map((line) => line.slice(line.indexOf('  ') + 2))
    .filter((name) => name !== '' && isInside(folder, name));
  return [...named, CHECKSUMS];
}

function isInside(folder: string, name: string): boolean {
  const way = relative(folder, join(folder, name));
  return way !== '' && !way.startsWith('..');
}

const isRules = (path: string): boolean => typeOf(readTextFile(path, RULES_BYTES_MAX, 'whole')) === MANIFEST;
const readHead = (path: string): string => readTextFile(path, HEAD_BYTES, 'head');

/** Empty for anything but a file, and for what cannot be read: it is not known as ours. */
function readTextFile(path: string, max: number, part: 'head' | 'whole'): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || (part === 'whole' && stats.size > max)) return '';
  const buffer = Buffer.alloc(Math.min(stats.size, max));
  try {
    const file = openSync(path, 'r');
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

function typeOf(text: string): unknown {
  const value = tryJson(text);
  return isRecord(value) ? (value['type'] ?? null) : null;
}

/** The folder of an export until it is whole. */
const PARTIAL = '.interject-partial';
/** Put in place last, so that a folder that has it is whole. */
const WRITTEN_LAST: readonly string[] = ['README.md', CHECKSUMS];
/** Places of a data set; of a folder every file counts, since readers of the data would take it. */
export const DATA_SET: readonly string[] = [
  'data/',
  ...WRITTEN_LAST,
  RULES_FILE,
  EVENTS_FILE,
  'feedback.jsonl',
  'provenance.jsonl',
];
const HASH_CHUNK_BYTES = 1 << 20;

export type FolderStage = {
  /** Where a file is written to, its folder made. */
  path: (name: string) => string;
  /** Where what is thrown away in the end is written to. */
  scratch: (name: string) => string;
  /** Hashes what is not `known` yet, puts everything in place and says what is there. */
  finish: (known: ReadonlyMap<string, FileSum>) => { files: NamedFileSum[]; bytes: number };
  abandon: () => void;
};
type NamedFileSum = FileSum & { name: string };

/**
 * `places` are where this export puts something. Throws `export_refused` when the folder holds something and `isForced` is
 * false, and when one of the places holds what no export put there.
 */
export function openStage(
  folder: string,
  isForced: boolean,
  places: readonly string[] = DATA_SET,
): FolderStage {
  const isThere = existsSync(folder);
  if (isThere && !statSync(folder).isDirectory()) {
    throw new Failure('bad_input', `${folder} is a file`, { next: 'Name a folder to write into.' });
  }
  const held = isThere ? readdirSync(folder).filter((name) => name !== PARTIAL) : [];
  if (!isForced && held.length > 0) {
    throw new Failure('export_refused', `${folder} is not empty`, {
      next: 'Choose an empty folder, or overwrite with --force.',
    });
  }
  if (isForced) checkOwn(folder, places);
  // A folder that is there may be a mount of its own, out of which nothing can be moved in from beside it.
  const stage = isThere ? join(folder, PARTIAL) : `${folder}${PARTIAL}`;
  const work = join(stage, '.work');
  unless(folder, () => {
    rmSync(stage, { recursive: true, force: true });
    makeFolder(stage);
    mkdirSync(work, { mode: 0o700 });
  });
  return {
    path: (name) => {
      makeFolder(dirname(join(stage, name)));
      return join(stage, name);
    },
    scratch: (name) => join(work, name),
    finish: (known) =>
      unless(folder, () => {
        rmSync(work, { recursive: true, force: true });
        const sums = filesUnder(stage).map((name) => {
          const sum = known.get(name);
          return sum === undefined ? sumOfFile(stage, name) : { name, ...sum };
        });
        const text = sums.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
        writeFileSync(join(stage, CHECKSUMS), text, { mode: 0o600 });
        const files = [...sums, sumOfFile(stage, CHECKSUMS)];
        if (isThere) putInto(folder, stage, files);
        else renameSync(stage, folder);
        return { files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
      }),
    abandon: () => rmSync(stage, { recursive: true, force: true }),
  };
}

/** Throws if a place in the folder is neither free nor put there by an export. */
function checkOwn(folder: string, places: readonly string[]): void {
  const ours = new Set(ownFiles(folder));
  const foreign = places.flatMap((place) => pathsAlong(folder, place)).find((name) => !ours.has(name));
  if (foreign === undefined) return;
  throw new Failure('export_refused', `${join(folder, foreign)} was put there by no export`, {
    next: 'Move it away, or choose another folder. --force replaces what an earlier export wrote and nothing else.',
  });
}

/** The paths on the way to a place that should be folders; of a place that is a folder, all that lies in it. */
function pathsAlong(folder: string, place: string): string[] {
  const steps = place.split('/').filter((step) => step !== '');
  for (let count = 1; count <= steps.length; count += 1) {
    const name = steps.slice(0, count).join('/');
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (count === steps.length && !place.endsWith('/')) return [name];
    if (!isFolder(join(folder, name))) return [name];
  }
  return filesUnder(join(folder, place)).map((inner) => `${place}${inner}`);
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Removes what a killed process left among the folders of exports. */
export function removePartial(exports: string): void {
  if (!existsSync(exports)) return;
  for (const name of readdirSync(exports)) {
    if (name.endsWith(PARTIAL)) rmSync(join(exports, name), { recursive: true, force: true });
  }
}

function unless<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Failure('data_unwritable', `cannot write ${folder}: ${String(cause)}`, {
      cause,
      next: 'Check that the folder is writable and has space.',
    });
  }
}

/** An earlier export's files go first, and no other: the folder may hold more than ours. */
function putInto(folder: string, stage: string, files: readonly NamedFileSum[]): void {
  const earlier = ownFiles(folder);
  for (const name of earlier) rmSync(join(folder, name), { force: true });
  const names = files.map(({ name }) => name);
  const inOrder = [
    ...names.filter((name) => !WRITTEN_LAST.includes(name)),
    ...WRITTEN_LAST.filter((name) => names.includes(name)),
  ];
  for (const name of inOrder) {
    makeFolder(dirname(join(folder, name)));
    renameSync(join(stage, name), join(folder, name));
  }
  for (const emptied of new Set(earlier.map(dirname))) removeEmpty(folder, emptied);
  rmSync(stage, { recursive: true, force: true });
}

/** A folder that held nothing but an earlier export's files goes after them, and so do those it lay in. */
function removeEmpty(folder: string, emptied: string): void {
  for (let inner = emptied; inner !== '.'; inner = dirname(inner)) {
    const path = join(folder, inner);
    if (!existsSync(path)) continue;
    if (!isFolder(path) || readdirSync(path).length > 0) return;
    rmdirSync(path);
  }
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted((a, b) => (a < b ? -1 : 1));

/** SHA-256 and size of a file, a piece at a time. */
export function sumOfFile(folder: string, name: string): NamedFileSum {
  const hash = createHash('sha256');
  const file = openSync(join(folder, name), 'r');
  const buffer = Buffer.allocUnsafe(HASH_CHUNK_BYTES);
  let bytes = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer, 0, HASH_CHUNK_BYTES, null);
      if (read === 0) break;
      hash.update(buffer.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(file);
  }
  return { name, sha256: hash.digest('hex'), bytes };
}
