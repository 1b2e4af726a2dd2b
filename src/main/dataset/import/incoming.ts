// The files of an import while they arrive: where they lie, that their pieces follow each other, which of them are
// read.
import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { IMPORT_CHUNK } from '../../../shared/contract/import.ts';
import { Failure } from '../../../shared/failure.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import { findFiles, isCompanion, type FoundFile } from './findFiles.ts';
import { createIncomingPaths } from './incomingPaths.ts';
import { LIMITS, sizeWords } from './limits.ts';
import { createNotes } from './importNotes.ts';

export type FileToCome = { name: string; bytes: number };
type Coming = FileToCome & { got: number; path: string };
export type IncomingFiles = { folder: string; files: Coming[]; total: number };

const INCOMING_PREFIX = '.incoming-';

/** Makes room for what is announced. Throws `limit_exceeded`. */
export function openIncoming(folder: string, id: string, files: readonly FileToCome[]): IncomingFiles {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > LIMITS.fileBytes) {
    const words = `${sizeWords(total)} at once; the limit is ${sizeWords(LIMITS.fileBytes)}`;
    throw new Failure('limit_exceeded', words, {
      next: 'Import it with `interject import` on the command line, in parts.',
    });
  }
  const place = join(folder, `${INCOMING_PREFIX}${id}`);
  const placeFor = createIncomingPaths(INCOMING_PREFIX);
  const coming = files.map((file, index) => ({
    ...file,
    got: 0,
    path: join(place, placeFor(file.name, index)),
  }));
  try {
    for (const { path } of coming) {
      makeFolder(dirname(path));
      writeFileSync(path, '', { mode: 0o600 });
    }
  } catch (thrown) {
    rmSync(place, { recursive: true, force: true });
    throw thrown;
  }
  return { folder: place, files: coming, total };
}

/** Adds a piece. Throws `bad_input` when it does not follow the one before it. */
export function addPiece({ files }: IncomingFiles, index: number, offset: number, data: Buffer): void {
  const file = files[index];
  const follows = file !== undefined && offset === file.got && file.got + data.length <= file.bytes;
  if (!follows || data.length > IMPORT_CHUNK) {
    throw new Failure('bad_input', 'a piece of a file that does not follow the one before it');
  }
  try {
    appendFileSync(file.path, data);
  } catch (thrown) {
    // A disk that filled up took a part: the piece may come again.
    truncateSync(file.path, file.got);
    throw thrown;
  }
  file.got += data.length;
}

/** Throws `bad_input` naming a file that did not come whole. */
export function checkWhole({ files }: IncomingFiles): void {
  const short = files.find(({ bytes, got }) => got !== bytes);
  if (short !== undefined) throw new Failure('bad_input', `${short.name} did not come whole`);
}

export const removeIncoming = ({ folder }: IncomingFiles): void =>
  rmSync(folder, { recursive: true, force: true });

/** Removes what a killed process left. */
export function removeStaleIncoming(folder: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Nothing was ever imported here.
  }
  for (const name of names)
    if (name.startsWith(INCOMING_PREFIX)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** What was dropped by itself is read whatever it is; of a folder what may be a log. Each under the person's name. */
export function filesToRead({ folder, files }: IncomingFiles): FoundFile[] {
  const alone = files.filter(({ name }) => !name.includes('/'));
  const isAllCompanions = alone.every(({ name }) => isCompanion(name));
  const named = alone
    .filter(({ name }) => isAllCompanions || !isCompanion(name))
    .flatMap(({ path }) => findFiles(path, createNotes()));
  const paths = new Set(alone.map(({ path }) => path));
  const inFolders = findFiles(folder, createNotes()).filter(({ path }) => !paths.has(path));
  const names = new Map(files.map(({ path, name }) => [path, name]));
  return [...named, ...inFolders].map((file) => ({ ...file, name: names.get(file.path) ?? file.name }));
}
