// The high-water mark of the log, in a small file outside the database: it tells what SQLite has lost.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { damagedLog } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import type { Database } from './database.ts';
import { createForOwner } from './dataFolder.ts';

/** The last event that was committed, and up to where the disk is known to have everything. */
const HighWaterMark = z.object({
  /** Counts what was written to the file; the newest of its two slots counts. */
  count: z.number().int(),
  /** 0 while the log is empty. */
  seq: z.number().int(),
  durable: z.number().int(),
  /** Says which event that is, so that other events under the same number are noticed. */
  event: z.string(),
  /** The run of the operating system: without it, what was written but not flushed may rightly be gone. */
  boot: z.string().nullable(),
});
export type HighWaterMark = z.infer<typeof HighWaterMark>;

type EventPlace = Pick<Recorded, 'seq' | 'stream' | 'n'>;

export type HighWater = {
  /** Call after a commit with its last event. `isFlushed` says that it was committed with `synchronous=FULL`. */
  note(place: EventPlace, isFlushed: boolean): void;
  /** Call before events from `seq` on are taken out: their places are given out again. */
  lower(seq: number): void;
  /** Call when they are out: the mark is that of the newest event there is. */
  catchUp(): void;
  /** Call when the database is closed, which flushes it. */
  close(): void;
};

export const NO_HIGH_WATER: HighWater = {
  note: () => undefined,
  lower: () => undefined,
  catchUp: () => undefined,
  close: () => undefined,
};

/** Bytes of a slot. Two of them are written in turn, so that a torn write leaves the other. */
const SLOT = 256;

/** The newest slot that is whole; null where there is none. */
export function readHighWater(file: string): HighWaterMark | null {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch {
    return null;
  }
  const marks = [text.slice(0, SLOT), text.slice(SLOT, 2 * SLOT)].flatMap((slot) => parseSlot(slot) ?? []);
  return marks.toSorted((a, b) => b.count - a.count)[0] ?? null;
}

function parseSlot(slot: string): HighWaterMark | null {
  const [sum, body = ''] = slot.trimEnd().split(' ', 2);
  if (sum !== crc32(body).toString(16)) return null;
  return HighWaterMark.safeParse(tryJson(body)).data ?? null;
}

const eventOf = ({ stream, n }: EventPlace): string =>
  createHash('sha256')
    .update(`${stream}\n${String(n)}`)
    .digest('hex')
    .slice(0, 16);

/** Linux tells runs of the system apart; elsewhere nothing unflushed is counted on. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Keeps the mark of a log in `file` from now on, beginning with what the log holds. A write costs a few microseconds and
 * waits for no disk: it outlives this process, and a power cut can only set it back. It never fails a commit:
 * `report` hears once that it could not be written.
 */
export function createHighWater(file: string, db: Database, report: (thrown: unknown) => void): HighWater {
  const known = readHighWater(file);
  createForOwner(file);
  const handle = openSync(file, 'r+');
  const newestBelow = db.prepare<[number], EventPlace>(
    'SELECT seq, stream, n FROM events WHERE seq < ? ORDER BY seq DESC LIMIT 1',
  );
  const boot = bootId();
  let mark: HighWaterMark = { count: known?.count ?? 0, seq: 0, durable: 0, event: '', boot };
  let hasFailed = false;
  const write = (next: Omit<HighWaterMark, 'count' | 'boot'>): void => {
    mark = { ...next, count: mark.count + 1, boot };
    const body = JSON.stringify(mark);
    try {
      const line = `${crc32(body).toString(16)} ${body}`.padEnd(SLOT - 1);
      writeSync(handle, `${line}\n`, (mark.count % 2) * SLOT, 'latin1');
    } catch (thrown) {
      if (!hasFailed) report(thrown);
      hasFailed = true;
    }
  };
  const setTo = (place: EventPlace | undefined): void =>
    write({
      seq: place?.seq ?? 0,
      durable: Math.min(mark.durable, place?.seq ?? 0),
      event: place === undefined ? '' : eventOf(place),
    });
  const catchUp = (): void => setTo(newestBelow.get(Number.MAX_SAFE_INTEGER));
  catchUp();
  return {
    note: (place, isFlushed) => {
      if (place.seq < mark.seq) return;
      write({ seq: place.seq, durable: isFlushed ? place.seq : mark.durable, event: eventOf(place) });
    },
    lower: (seq) => {
      if (seq <= mark.seq) setTo(newestBelow.get(seq));
    },
    catchUp,
    close: () => {
      write({ ...mark, durable: mark.seq });
      fsyncSync(handle);
      closeSync(handle);
    },
  };
}

/**
 * Compares a log with its mark before anything is written to it. Throws `log_damaged` when events that it held are gone;
 * returns what to tell a person when only what a power cut may take is.
 */
export function checkHighWater(db: Database, mark: HighWaterMark | null, path: string): string | null {
  if (mark === null || mark.seq === 0) return null;
  const last = lastSeq(db);
  const lost = mark.seq - last;
  if (lost > 0) {
    const gone = `${String(lost)} event${lost === 1 ? '' : 's'}`;
    if (last >= mark.durable && (mark.boot === null || mark.boot !== bootId())) {
      return `${gone} written just before the power went were not on disk yet and are gone; every human decision is there.`;
    }
    throw damagedLog(
      `${path} ends with event ${String(last)}, but event ${String(mark.seq)} was written: ${gone} are gone. ${ACCEPT}`,
    );
  }
  const place = db
    .prepare<[number], EventPlace>('SELECT seq, stream, n FROM events WHERE seq = ?')
    .get(mark.seq);
  if (place !== undefined && eventOf(place) === mark.event) return null;
  throw damagedLog(
    `${path} is not the log that this folder held: event ${String(mark.seq)} is another one. ${ACCEPT}`,
  );
}

export const ACCEPT =
  'If that is meant (an older backup was put in its place), `interject repair --accept-loss` goes on with what is there.';

/** The last event of a log; 0 where it is empty or was never begun. */
export function lastSeq(db: Database): number {
  const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'").get();
  if (has === undefined) return 0;
  return db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events').get()?.seq ?? 0;
}
