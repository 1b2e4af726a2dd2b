// Collects what was odd in a file: counted, named, and with the place it was first seen.
import type { PassedOver } from '../../../shared/contract/import.ts';
import type { Conservation, Diagnostic, UnreadField } from '../../../shared/events/import.ts';
import { LIMITS } from './limits.ts';

export type ImportNotes = {
  note(code: string, message: string, pointer?: string | null): void;
  /** Something of the whole file, however often it is come upon. */
  once(code: string, message: string): void;
  /** Something that could not be read and was left out; `left` where no record of an episode holds it. */
  skip(code: string, message: string, pointer?: string | null, left?: LeftOut): void;
  /** A value that was passed over unread, and its bytes. */
  passOver(path: Path, bytes: number): void;
  all(): Diagnostic[];
  skipped(): number;
  passedOver(): PassedOver[];
  /** The text of what was left out, none of it kept; null where nothing was. */
  leftOut(): Conservation | null;
};

/** A person's name for it, and the characters of its text. */
export type LeftOut = { kind: string; characters: number };

/** A collector; what is told to it is told to `above` too. */
export function createNotes(above?: ImportNotes): ImportNotes {
  const seen = new Map<string, Diagnostic>();
  const ofCode = new Map<string, number>();
  const passed = new Map<string, PassedOver>();
  let left: Conservation | null = null;
  let skipped = 0;
  const passOver = (path: Path, bytes: number): void => {
    const pattern = pathPattern(path);
    const known = passed.get(pattern);
    if (known !== undefined) {
      known.count += 1;
      known.bytes += bytes;
    } else if (passed.size < LIMITS.pathsNamed) passed.set(pattern, { path: pattern, count: 1, bytes });
    above?.passOver(path, bytes);
  };
  const add = (code: string, message: string, pointer: string | null): void => {
    const known = ofCode.get(code) ?? 0;
    const isFull = known >= LIMITS.notesOfOneKind;
    const place = isFull ? null : pointer;
    const key = isFull ? JSON.stringify([code]) : noteKey(code, message, place);
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
      if (!seen.has(noteKey(code, message, null))) add(code, message, null);
      above?.once(code, message);
    },
    skip: (code, message, pointer = null, out) => {
      skipped += 1;
      add(code, message, pointer);
      above?.skip(code, message, pointer, out);
      if (out === undefined) return;
      const { kind: path, characters } = out;
      const not_read = [{ path, count: 1, characters, is_label: false }];
      left = addConservation(left, { characters, kept: 0, not_read, further: 0 });
    },
    passOver,
    leftOut: () => left,
    all: () => [...seen.values()],
    skipped: () => skipped,
    passedOver: () => [...passed.values()],
  };
}

const noteKey = (code: string, message: string, pointer: string | null): string =>
  JSON.stringify([code, message, pointer]);

export type Path = readonly (string | number)[];

/** A path as a JSON pointer. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const KEY_MAX = 60;

/** A path with dots, list places as `*`: `messages.*.content`. */
export const pathPattern = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '*' : step.slice(0, KEY_MAX))).join('.');

/** The sum of two. */
export function addConservation(one: Conservation | null, other: Conservation): Conservation {
  if (one === null) return other;
  const fields = new Map(one.not_read.map((field) => [field.path, field]));
  let further = one.further + other.further;
  for (const field of other.not_read) {
    const known = fields.get(field.path);
    if (known !== undefined)
      fields.set(field.path, {
        ...known,
        count: known.count + field.count,
        characters: known.characters + field.characters,
      });
    else if (fields.size < LIMITS.pathsNamed || field.is_label) fields.set(field.path, field);
    else further += field.count;
  }
  const named = ranked([...fields.values()]);
  return {
    characters: one.characters + other.characters,
    kept: one.kept + other.kept,
    not_read: named.slice(0, LIMITS.pathsNamed),
    further: named.slice(LIMITS.pathsNamed).reduce((sum, { count }) => sum + count, further),
  };
}

export const ranked = (fields: UnreadField[]): UnreadField[] =>
  fields.toSorted((a, b) => Number(b.is_label) - Number(a.is_label) || b.characters - a.characters);
