// Owns: what was odd in a file: counted, named, and where it was seen first.
import type { Diagnostic } from '../../../shared/events/import.ts';
import { LIMITS } from './limits.ts';

export type Notes = {
  note(code: string, message: string, pointer?: string | null): void;
  /** Something of the whole file, however often it is come upon. */
  once(code: string, message: string): void;
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
    const key = isFull ? JSON.stringify([code]) : keyOf(code, message, place);
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
    once: (code, message) => {
      if (!seen.has(keyOf(code, message, null))) add(code, message, null);
      above?.once(code, message);
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

const keyOf = (code: string, message: string, pointer: string | null): string =>
  JSON.stringify([code, message, pointer]);

/** A path as a JSON pointer. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
