// Tells a folder that an export wrote from any other, and which of its files belong to the export.
import { closeSync, existsSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isRecord, tryJson } from '../../../shared/json.ts';
import { BUNDLE } from '../import/eventBundle.ts';
import { MANIFEST, RULES_FILE } from './manifest.ts';

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

/** What an export left in this folder; null where none did. */
export function ownFolder(folder: string): OwnFolder | null {
  if (isRules(join(folder, RULES_FILE))) return 'data_set';
  return isBundle(join(folder, EVENTS_FILE)) || typeOf(readHead(join(folder, EXPORT_MARK))) === MARK_TYPE
    ? 'files'
    : null;
}

/** Whether a file begins as a bundle of events does. */
export const isBundle = (path: string): boolean => typeOf(readHead(path).split('\n', 1)[0] ?? '') === BUNDLE;

/** Files that an earlier export put here, as its checksums name them; nothing outside of the folder. */
export function ownFiles(folder: string): string[] {
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
