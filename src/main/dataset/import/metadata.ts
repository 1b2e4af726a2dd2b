// What a record holds beyond the keys a reader reads, kept beside the episode unchanged.
import type { JsonObject } from '../../../shared/events/turns.ts';
import { jsonText } from './jsonText.ts';
import { LIMITS } from './limits.ts';
import type { ImportNotes } from './importNotes.ts';
import { jsonFrom, type JsonRecord } from './values.ts';

/** Every field of a record but those that were read and those that are empty; what is too large is named. */
export function metadataOf(record: JsonRecord, read: ReadonlySet<string>, notes: ImportNotes): JsonObject {
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries(record)) {
    if (read.has(key) || isEmpty(value)) continue;
    if (jsonText(value).length <= LIMITS.metadataCharacters) metadata[key] = jsonFrom(value);
    else notes.note('column_left_out', `the column ${key} is large; it is in the kept file only`);
  }
  return metadata;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Names in one text, as a set. */
export const keySet = (names: string): ReadonlySet<string> => new Set(names.split(' '));
