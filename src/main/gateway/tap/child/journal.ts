// Records as they are made, in files that outlive this process: an answer goes to its client only once what is known
// of it lies there. Written to the system's memory and not flushed to the disk: a killed process loses nothing of it.
import { closeSync, ftruncateSync, openSync, rmSync, writeSync, writevSync } from 'node:fs';
import { readRecords } from '../linkProtocol.ts';

export type Journal = {
  /** Keeps records, the last of which is number `last`. What the files do not take is counted instead. */
  write(pieces: readonly Buffer[], last: number): void;
  /** Records up to this one are kept elsewhere. */
  release(upTo: number): void;
  /** Ends it; the files go where all of it was released. */
  close(): void;
};

type JournalLimits = {
  /** A file that has grown so large gives way to the other one. */
  file: number;
  /** A file takes no more than this. */
  most: number;
};

const JOURNAL_LIMITS: JournalLimits = { file: 4 << 20, most: 256 << 20 };
/** Room for the numbers of some thousand records, taken from the disk before it can be full. */
const UNSAVED_BYTES = 128 << 10;
const UNSAVED_MAX = 2_000;

/** Number, UTC ms and episode. */
type UnsavedRecord = [number, number, string];
/** What the file beside the journal says: records that it could not take. `more` are those there was no room to name. */
type UnsavedRecords = { records: UnsavedRecord[]; more: number };

/** What the files of a run begin with. */
export const journalNames = (run: string) => ({
  first: `tap-${run}.a.journal`,
  second: `tap-${run}.b.journal`,
  unsaved: `tap-${run}.unsaved`,
});

type JournalFile = { path: string; handle: number | null; end: number; last: number };

/** A journal in two files, so that one can be emptied while the other is written. */
export function createJournal(
  paths: { first: string; second: string; unsaved: string },
  limits: JournalLimits = JOURNAL_LIMITS,
): Journal {
  const unsaved = createUnsaved(paths.unsaved);
  let [current, other] = [fileAt(paths.first), fileAt(paths.second)];
  let released = 0;
  const turnOver = (): void => {
    if (current.end < limits.file || other.last > released) return;
    [current, other] = [other, current];
    empty(current);
  };
  return {
    write: (pieces, last) => {
      turnOver();
      if (!append(current, pieces, last, limits.most)) unsaved.add(pieces);
    },
    release: (upTo) => {
      released = Math.max(released, upTo);
      // What is emptied before the system has brought it to the disk never gets there.
      for (const file of [current, other]) if (file.end > 0 && file.last <= released) empty(file);
      unsaved.release(released);
    },
    close: () => {
      unsaved.close();
      for (const file of [current, other]) closeFile(file, file.last <= released);
    },
  };
}

const fileAt = (path: string): JournalFile => ({ path, handle: null, end: 0, last: 0 });

/** A write that was cut short leaves nothing behind: its records would be taken for whole ones. */
function append(file: JournalFile, pieces: readonly Buffer[], last: number, most: number): boolean {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (file.end + length > most) return false;
  try {
    file.handle ??= openSync(file.path, 'w', 0o600);
    if (writevSync(file.handle, pieces, file.end) === length) {
      file.end += length;
      file.last = last;
      return true;
    }
  } catch {
    // A full disk: who asks is told that it was not kept.
  }
  if (file.handle !== null) ftruncateSync(file.handle, file.end);
  return false;
}

function empty(file: JournalFile): void {
  if (file.handle !== null) ftruncateSync(file.handle, 0);
  file.end = 0;
  file.last = 0;
}

function closeFile({ path, handle }: JournalFile, isDone: boolean): void {
  if (handle === null) return;
  closeSync(handle);
  if (isDone) rmSync(path, { force: true });
}

/** Names the records that the journal could not take, in a file whose room was taken beforehand. */
function createUnsaved(path: string) {
  const handle = reserve(path);
  let records: UnsavedRecord[] = [];
  let more = { last: 0, count: 0 };
  let length = 0;
  const say = (): void => {
    const said: UnsavedRecords = { records, more: more.count };
    const text = JSON.stringify(said);
    // What a longer list left behind this one is written over.
    if (handle !== null) tryTo(() => writeSync(handle, text.padEnd(length), 0, 'latin1'));
    ({ length } = text);
  };
  return {
    add: (pieces: readonly Buffer[]): void => {
      const fresh = pieces.flatMap((piece) => readRecords(piece).records);
      const room = UNSAVED_MAX - records.length;
      for (const { seq, at, episode } of fresh.slice(0, room)) records.push([seq, Math.round(at), episode]);
      const rest = fresh.length - Math.min(fresh.length, room);
      if (rest > 0) more = { last: fresh.at(-1)?.seq ?? 0, count: more.count + rest };
      say();
    },
    release: (upTo: number): void => {
      if (records.length === 0) return;
      records = records.filter(([seq]) => seq > upTo);
      if (more.last <= upTo) more = { last: 0, count: 0 };
      say();
    },
    close: (): void => {
      if (handle === null) return;
      closeSync(handle);
      if (records.length === 0) rmSync(path, { force: true });
    },
  };
}

/** Null where not even that could be had. */
function reserve(path: string): number | null {
  let handle: number | null = null;
  tryTo(() => {
    const opened = openSync(path, 'w', 0o600);
    handle = opened;
    return writeSync(opened, Buffer.alloc(UNSAVED_BYTES, ' '), 0, UNSAVED_BYTES, 0);
  });
  return handle;
}

/** A disk that takes nothing keeps no frame from its client. */
function tryTo(write: () => number): void {
  try {
    write();
  } catch {
    // Nothing is left to write it to.
  }
}
