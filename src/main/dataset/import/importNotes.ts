// Collects what was odd in a file: counted, named, and with the place it was first seen.
import type { PassedOver } from '../../../shared/contract/import.ts';
import type { Conservation, Diagnostic } from '../../../shared/events/import.ts';
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

/** What a person calls it, and the characters of its text. */
export type LeftOut = { kind: string; characters: number };

/** A collector; what is told to it is told to `above` too. */
export function createNotes(above?: ImportNotes): ImportNotes {
  const seen = new Map<string, Diagnostic>();
  const ofCode = new Map<string, number>();
  const passed = new Map<string, PassedOver>();
  const left = createLeftOut();
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
      if (out !== undefined) left.add(out);
    },
    passOver,
    leftOut: left.all,
    all: () => [...seen.values()],
    skipped: () => skipped,
    passedOver: () => [...passed.values()],
  };
}

function createLeftOut() {
  const kinds = new Map<string, Conservation['not_read'][number]>();
  return {
    add: ({ kind, characters }: LeftOut): void => {
      const path = kinds.has(kind) || kinds.size < LIMITS.pathsNamed ? kind : 'other records';
      const known = kinds.get(path) ?? { count: 0, characters: 0 };
      const sum = { count: known.count + 1, characters: known.characters + characters };
      kinds.set(path, { path, ...sum, is_label: false });
    },
    all: (): Conservation | null => {
      const fields = [...kinds.values()];
      const characters = fields.reduce((sum, one) => sum + one.characters, 0);
      return fields.length === 0 ? null : { characters, kept: 0, not_read: fields, further: 0 };
    },
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
