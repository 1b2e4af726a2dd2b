// The files of an import while they arrive: where they lie, that their pieces follow each other, which of them are
// read.
import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, extname } from 'node:path';
import { IMPORT_CHUNK } from '../../../shared/contract/import.ts';
import { Failure } from '../../../shared/failure.ts';
import { makeFolder } from '../../log/dataFolder.ts';
import { findFiles, isCompanion, type FoundFile } from './findFiles.ts';
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

/** Files to read: one dropped by itself whatever it is; of a folder what may be a log. Each under the person's name. */
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

const STEP_NAME_MAX = 80;
const FOLDERS_MAX = 7;
/** Stands in no name that is kept as it is. */
const SUFFIX_MARK = '~';

type Folder = {
  /** By their names as the person has them. */
  folders: Map<string, { name: string; inside: Folder }>;
  files: Set<string>;
  /** Names that are given away; some file systems know no case. */
  taken: Set<string>;
};

/** The place of each file, in turn. One that came alone under the name of another lies in a hidden folder, alone. */
export function createIncomingPaths(hidden: string): (name: string, index: number) => string {
  const root = emptyFolder();
  return (name, index) => {
    const steps = name.split(/[\\/]+/).filter((step) => step !== '' && step !== '.' && step !== '..');
    const file = steps.pop() ?? 'file';
    const path: string[] = [];
    let folder = root;
    for (const step of shortened(steps)) {
      const known = folder.folders.get(step) ?? {
        name: freeStepName(folder, step, ''),
        inside: emptyFolder(),
      };
      folder.folders.set(step, known);
      path.push(known.name);
      folder = known.inside;
    }
    if (folder.files.has(file)) return join(`${hidden}${String(index)}`, safe(file));
    folder.files.add(file);
    const ending = extname(file);
    return join(...path, freeStepName(folder, file, ending.length < 12 ? ending : ''));
  };
}

const emptyFolder = (): Folder => ({ folders: new Map(), files: new Set(), taken: new Set() });

/** Of folders nested too deep the outer ones are one. */
const shortened = (steps: readonly string[]): readonly string[] =>
  steps.length <= FOLDERS_MAX
    ? steps
    : [steps.slice(0, 1 - FOLDERS_MAX).join('/'), ...steps.slice(1 - FOLDERS_MAX)];

const safe = (step: string): string => step.replace(/[^\p{L}\p{N}._ -]/gu, '_').slice(0, STEP_NAME_MAX);

/** The name itself where it is safe and free, else one like it that no other has. */
function freeStepName({ taken }: Folder, step: string, ending: string): string {
  const give = (name: string): string => {
    taken.add(name.toLowerCase());
    return name;
  };
  const own = safe(step);
  if (own === step && !taken.has(own.toLowerCase())) return give(own);
  const stem = safe(step.slice(0, step.length - ending.length));
  return give(`${stem}${SUFFIX_MARK}${String(taken.size)}${safe(ending)}`);
}
