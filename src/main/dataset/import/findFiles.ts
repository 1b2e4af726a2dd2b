// The files a path stands for: itself, or what lies in a folder, each with its companion files.
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../../shared/failure.ts';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { CHECKSUMS, EVENTS_FILE, isBundle, ownFolder } from '../export/folderStage.ts';
import { LIMITS } from './limits.ts';
import type { ImportNotes } from './importNotes.ts';
import type { FileToImport, Remarks } from './readFile.ts';
import type { CompanionFile } from './formatReader.ts';

export type FoundFile = FileToImport & {
  /** Named by the person, not only found in a folder. */
  isNamed: boolean;
};

/** Files that go with another one and are no log by themselves. */
const COMPANION = /\.(db|sqlite3?)$|^verify\.(code|sql)\.json$|^metadata\.json$/i;
export const isCompanion = (name: string): boolean => COMPANION.test(name);

/** The files behind a path. A link inside a folder is not followed. Throws `not_found`. */
export function findFiles(path: string, notes: ImportNotes): FoundFile[] {
  const stats = statOf(path);
  if (stats.isFile()) return [{ name: path, path, beside: besideOf(path), isNamed: true }];
  if (!stats.isDirectory()) throw new Failure('import_failed', `${path} is neither a file nor a folder`);
  const found: FoundFile[] = [];
  walkFolder(realpathSync(path), path, { depth: 0, found, notes });
  return found;
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw new Failure('not_found', `there is no file ${path}`, { cause, next: 'Check the path.' });
  }
}

/** Files beside the rows of our data sets: no logs. */
const NO_LOGS: readonly string[] = [
  RULES_FILE,
  'provenance.jsonl',
  'feedback.jsonl',
  CHECKSUMS,
  'README.md',
  'kit',
];
const SAME_EPISODES: Remarks = {
  whole: {
    code: 'same_episodes',
    message: 'the rows in the folder data beside it are of the same episodes, and were not read again',
  },
  damaged: {
    code: 'rows_unread',
    message:
      'it is not whole, and the rows in the folder data beside it were not read: import that folder for what they hold',
  },
};

/** The files to skip in a folder that an export wrote, and the remarks on the file that stands for it all. */
function ownIn(folder: string): { passed: readonly string[]; remarks: Remarks | null } {
  const own = ownFolder(folder);
  if (own === null) return { passed: [], remarks: null };
  if (own === 'files') return { passed: [CHECKSUMS], remarks: null };
  // Its events hold all that the rows were made from, rewards and tasks among them.
  return isBundle(join(folder, EVENTS_FILE))
    ? { passed: [...NO_LOGS, 'data'], remarks: existsSync(join(folder, 'data')) ? SAME_EPISODES : null }
    : { passed: NO_LOGS, remarks: null };
}

type Walking = { depth: number; found: FoundFile[]; notes: ImportNotes };

function walkFolder(folder: string, shown: string, { depth, found, notes }: Walking): void {
  if (depth > LIMITS.folderDepth) {
    notes.skip('too_deep', `folders deeper than ${String(LIMITS.folderDepth)} are not looked into`, shown);
    return;
  }
  const { passed, remarks } = ownIn(folder);
  const names = readdirSync(folder)
    .filter((name) => !passed.includes(name))
    .toSorted();
  const beside = names.flatMap((name) => besideIn(folder, name));
  for (const name of names) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) notes.skip('link', 'a link is not followed', join(shown, name));
    else if (name.startsWith('.')) continue;
    else if (stats.isDirectory()) walkFolder(path, join(shown, name), { depth: depth + 1, found, notes });
    else if (stats.isFile() && !isCompanion(name)) {
      if (found.length >= LIMITS.folderFiles) {
        notes.skip('too_many', `more than ${String(LIMITS.folderFiles)} files`, shown);
        return;
      }
      const said = name === EVENTS_FILE && remarks !== null ? { remarks } : {};
      found.push({ name: join(shown, name), path, beside, isNamed: false, ...said });
    }
  }
}

const besideOf = (path: string): CompanionFile[] => {
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => name !== basename(path))
    .flatMap((name) => besideIn(folder, name));
};

function besideIn(folder: string, name: string): CompanionFile[] {
  if (!isCompanion(name)) return [];
  const path = join(folder, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? [{ name, path, bytes: stats.size }] : [];
}
