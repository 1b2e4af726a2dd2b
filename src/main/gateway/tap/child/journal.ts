// Records as they are made, in files that outlive this process: an answer goes to its client only once what is known
// of it lies there. Written to the system's memory and not flushed to the disk: a killed process loses nothing of it.
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
  writevSync,
} from 'node:fs';
import { errorMessage } from '../../../../shared/failure.ts';
import { readRecords, type TapRecord, type Unsaved, UNSAVED_BYTES } from '../linkProtocol.ts';

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
/** Records are named up to here, then counted by episode; both fit the file beside the journal. */
const UNSAVED_MAX = 1_000;
const EPISODES_MAX = 600;
/** The interval of asking for room that the disk did not have. */
const RESERVE_AGAIN_MS = 1_000;

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

/** Names or counts the records that the journal could not take, in a file whose room was taken beforehand. */
function createUnsaved(path: string) {
  let room = reserve(path);
  let triedAt = performance.now();
  let unsaved: Unsaved = { records: [], more: {}, rest: 0 };
  let restLast = 0;
  let length = 0;
  const say = (): void => {
    const text = JSON.stringify(unsaved);
    const handle = room;
    // What a longer list left behind this one is written over.
    if (handle !== null) tryTo(() => writeSync(handle, text.padEnd(length), 0, 'latin1'));
    ({ length } = text);
  };
  const count = ({ seq, at, episode }: TapRecord): void => {
    const when = Math.round(at);
    const { records, more } = unsaved;
    if (records.length < UNSAVED_MAX) return void records.push([seq, when, episode]);
    const [frames, from] = more[episode] ?? [0, when];
    if (frames > 0 || Object.keys(more).length < EPISODES_MAX) more[episode] = [frames + 1, from, when, seq];
    else [unsaved.rest, restLast] = [unsaved.rest + 1, seq];
  };
  return {
    add: (pieces: readonly Buffer[]): void => {
      for (const piece of pieces) readRecords(piece).records.forEach(count);
      say();
    },
    release: (upTo: number): void => {
      if (room === null && performance.now() - triedAt > RESERVE_AGAIN_MS) {
        room = reserve(path);
        triedAt = performance.now();
        if (!isEmpty(unsaved)) say();
      }
      if (isEmpty(unsaved)) return;
      unsaved = {
        records: unsaved.records.filter(([seq]) => seq > upTo),
        more: Object.fromEntries(Object.entries(unsaved.more).filter(([, [, , , last]]) => last > upTo)),
        rest: restLast > upTo ? unsaved.rest : 0,
      };
      say();
    },
    close: (): void => {
      if (room !== null) closeSync(room);
      if (isEmpty(unsaved)) rmSync(path, { force: true });
    },
  };
}

const isEmpty = ({ records, more, rest }: Unsaved): boolean =>
  records.length === 0 && rest === 0 && Object.keys(more).length === 0;

/** Null where not even that could be had: the file is shorter then, which says so to who finds it. */
function reserve(path: string): number | null {
  let handle: number | null = null;
  try {
    handle = openSync(path, 'w', 0o600);
    if (writeSync(handle, Buffer.alloc(UNSAVED_BYTES, ' '), 0, UNSAVED_BYTES, 0) === UNSAVED_BYTES)
      return handle;
  } catch {
    // A full disk.
  }
  if (handle !== null) closeSync(handle);
  return null;
}

/** A disk that takes nothing keeps no frame from its client. */
function tryTo(write: () => number): void {
  try {
    write();
  } catch {
    // Nothing is left to write it to.
  }
}

/** Records that travel together; `last` is the number of the last one. */
export type RecordBatch = { bytes: Buffer; records: number; last: number };

export type Spool = {
  /** Keeps a batch. False when the file is full or cannot be written. */
  write(batch: RecordBatch): boolean;
  /** The oldest batch that was not read since the last rewind; null when all were. */
  next(): RecordBatch | null;
  /** What was read but not acknowledged is read again. */
  rewind(): void;
  acknowledge(upTo: number): void;
  records(): number;
  isEmpty(): boolean;
  isFull(): boolean;
  /** Why the last write was refused. */
  problem(): string | null;
  close(): void;
};

const SPOOL_MAX = 256 << 20;

/** A spool at a path; the file is made with the first batch and removed with the last. */
export function createSpool(path: string, max = SPOOL_MAX): Spool {
  let kept: { offset: number; length: number; records: number; last: number; isRead: boolean }[] = [];
  let handle: number | null = null;
  let end = 0;
  let problem: string | null = null;

  const drop = (): void => {
    if (handle === null) return;
    closeSync(handle);
    handle = null;
    end = 0;
    rmSync(path, { force: true });
  };
  return {
    // In step, not in the background: memory would grow behind a disk that is slower than the frames.
    write: ({ bytes, records, last }) => {
      if (end + bytes.length > max) {
        problem = 'the file that keeps what nobody takes is full';
        return false;
      }
      try {
        handle ??= openSync(path, 'w+', 0o600);
        writeAt(handle, bytes, end);
      } catch (thrown) {
        problem = errorMessage(thrown);
        if (handle !== null) ftruncateSync(handle, end);
        return false;
      }
      problem = null;
      kept.push({ offset: end, length: bytes.length, records, last, isRead: false });
      if ((kept.at(-2)?.last ?? 0) > last) kept.sort((a, b) => a.last - b.last);
      end += bytes.length;
      return true;
    },
    next: () => {
      const found = kept.find(({ isRead }) => !isRead);
      if (found === undefined || handle === null) return null;
      found.isRead = true;
      const bytes = Buffer.allocUnsafe(found.length);
      readSync(handle, bytes, 0, found.length, found.offset);
      return { bytes, records: found.records, last: found.last };
    },
    rewind: () => {
      for (const one of kept) one.isRead = false;
    },
    acknowledge: (upTo) => {
      if (kept.length === 0) return;
      kept = kept.filter(({ last }) => last > upTo);
      if (kept.length === 0) drop();
    },
    records: () => kept.reduce((sum, { records }) => sum + records, 0),
    isEmpty: () => kept.length === 0,
    isFull: () => problem !== null && end > max / 2,
    problem: () => problem,
    close: () => {
      if (handle === null) return;
      fsyncSync(handle);
      closeSync(handle);
      handle = null;
    },
  };
}

function writeAt(handle: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, at + written);
  }
}
