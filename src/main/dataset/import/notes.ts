// Owns: what was odd in a file: counted, named, and where it was seen first.
import type { Diagnostic } from '../../../shared/events/import.ts';
import { LIMITS } from './limits.ts';

export type Notes = {
  note(code: string, message: string, pointer?: string | null): void;
  /** Something that could not be read and was left out. */
  skip(code: string, message: string, pointer?: string | null): void;
  all(): Diagnostic[];
  skipped(): number;
};

/** A collector; what is told to it is told to `above` too. */
export function createNotes(above?: Notes): Notes {
  const seen = new Map<string, Diagnostic>();
  const ofCode = new Map<string, number>();
  let skipped = 0;
  const add = (code: string, message: string, pointer: string | null): void => {
    const known = ofCode.get(code) ?? 0;
    const isFull = known >= LIMITS.notesOfOneKind;
    const place = isFull ? null : pointer;
    const key = JSON.stringify(isFull ? [code] : [code, message, place]);
    const before = seen.get(key);
    if (before !== undefined) {
      seen.set(key, { ...before, count: before.count + 1 });
      return;
    }
    ofCode.set(code, known + 1);
    seen.set(key, {
      code,
      message: isFull ? 'and further places of this kind' : message,
      pointer: place,
      count: 1,
    });
  };
  return {
    note: (code, message, pointer = null) => {
      add(code, message, pointer);
      above?.note(code, message, pointer);
    },
    skip: (code, message, pointer = null) => {
      skipped += 1;
      add(code, message, pointer);
      above?.skip(code, message, pointer);
    },
    all: () => [...seen.values()],
    skipped: () => skipped,
  };
}

/** A path as a JSON pointer. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
