// The file that `--experts` names.
import { readFileSync } from 'node:fs';
import { Failure } from '../../shared/failure.ts';
import { readRosterFile, type RosterFile } from '../settings/roster.ts';
import { fromCaller } from './paths.ts';

/** The roster of a file; null where none is named. Throws `bad_input`. */
export function readRoster(path: string | undefined): RosterFile | null {
  if (path === undefined) return null;
  let text: string;
  try {
    text = readFileSync(fromCaller(path), 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${path}`, { cause, next: 'Check the path.' });
  }
  return readRosterFile(text, path);
}
