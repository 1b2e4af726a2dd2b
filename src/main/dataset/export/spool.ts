// Owns: rows on disk until it is known which are kept: where a rule needs to have seen them all, or a table is written.
import { closeSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Format } from './format.ts';
import type { Stage } from './folder.ts';
import { keptEpisodes, type Gathered, type RowSink } from './gathered.ts';
import { openLines } from './lines.ts';
import { dataName, SPLITS, splitName, type Split } from './dataFiles.ts';
import { lacksPlace, placeFields, type Output } from './output.ts';
import type { Pace } from './pace.ts';
import { writeTable } from './parquet.ts';
import { readTold, type ReadAsk } from './told.ts';

export type Spool = {
  sink: RowSink;
  rows: string;
  /** Where each row comes from, for formats that have no room for it; null where the rows say so themselves. */
  places: { path: string; bytes: readonly number[] } | null;
  close: () => void;
};

export function openSpool(stage: Stage, format: Format): Spool {
  const rows = stage.scratch('rows');
  const out = openLines(rows);
  const places = lacksPlace(format) ? { path: stage.scratch('places'), bytes: [] as number[] } : null;
  const placesOut = places === null ? null : openLines(places.path);
  return {
    rows,
    places,
    sink: {
      row: (line, made, { episode }) => {
        if (placesOut !== null) places?.bytes.push(placesOut.add(placeFields(made, episode)));
        return out.add(line);
      },
      episode: () => undefined,
    },
    close: () => {
      out.close();
      placesOut?.close();
    },
  };
}

type Replay = ReadAsk & {
  stage: Stage;
  spool: Spool;
  gathered: Gathered;
  format: Format;
  files: 'jsonl' | 'parquet';
  pace: Pace;
};

/** Sends what is kept on to where it is to lie. */
export async function replay(replaying: Replay, output: Output): Promise<void> {
  const { spool, gathered, pace, files } = replaying;
  for (const split of SPLITS) {
    if (files === 'parquet') await tabulate(replaying, split);
    else if (replaying.format.isFilePerRow === true) await replayWhole(replaying, split, output);
    else {
      for (const piece of stretches(spool.rows, linesOf(gathered, split))) {
        output.bytes(piece, split === 'validation');
        await pace();
      }
    }
  }
  await replayPlaces(replaying, output);
  for (const episode of keptEpisodes(gathered)) {
    output.episode(readTold(replaying, gathered.episodes[episode] ?? ''));
    await pace();
  }
}

/** Rows that go to files of their own. */
async function replayWhole({ spool, gathered, pace }: Replay, split: Split, output: Output): Promise<void> {
  const isValidation = split === 'validation';
  let number = 0;
  for (const line of linesOf(gathered, split)) {
    const text = Buffer.concat([...stretches(spool.rows, [line])]).toString('utf8', 0, line.bytes - 1);
    output.row(text, { isValidation, number, episode: gathered.episodes[line.episode] ?? '' });
    number += 1;
    await pace();
  }
}

async function tabulate({ stage, spool, gathered, format, pace }: Replay, split: Split): Promise<void> {
  if (split === 'validation' && gathered.totals.validation === 0) return;
  const { columns } = format;
  if (columns === null) throw new Error(`${format.id} has no columns`);
  const path = stage.path(dataName(format, split, 'parquet'));
  await writeTable(path, columns, rowsIn(spool.rows, linesOf(gathered, split), pace));
}

async function* rowsIn(
  path: string,
  wanted: Iterable<Stretch>,
  pace: Pace,
): AsyncGenerator<Record<string, unknown>> {
  for await (const line of linesIn(path, wanted)) {
    await pace();
    yield JSON.parse(line) as Record<string, unknown>;
  }
}

/** Made where it is read at once: what comes before somebody listens is lost. */
const linesIn = (path: string, wanted: Iterable<Stretch>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(stretches(path, wanted)), crlfDelay: Infinity });

async function replayPlaces({ spool, gathered, pace }: Replay, output: Output): Promise<void> {
  const { places } = spool;
  if (places === null) return;
  const numbers = { train: 0, validation: 0 };
  let row = 0;
  for await (const line of linesIn(places.path, [all(places.bytes)])) {
    const { isValidation, episode } = gathered.index.at(row);
    const split = splitName(isValidation);
    if (gathered.index.fate(row) === 'kept') {
      output.place(line, {
        isValidation,
        number: numbers[split],
        episode: gathered.episodes[episode] ?? '',
      });
      numbers[split] += 1;
    }
    row += 1;
    await pace();
  }
}

const all = (bytes: readonly number[]): Stretch => ({
  from: 0,
  bytes: bytes.reduce((sum, one) => sum + one, 0),
});

/** Where the kept lines of a split lie. */
function* linesOf({ index }: Gathered, split: Split): Generator<Stretch & { episode: number }> {
  let from = 0;
  for (let row = 0; row < index.size(); row += 1) {
    const { bytes, isValidation, episode } = index.at(row);
    if (splitName(isValidation) === split && index.fate(row) === 'kept') yield { from, bytes, episode };
    from += bytes;
  }
}

type Stretch = { from: number; bytes: number };
const CHUNK = 1 << 20;

/** Stretches of a file, those side by side read together, a piece at a time. */
function* stretches(path: string, wanted: Iterable<Stretch>): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (const { from, bytes } of joined(wanted)) {
      for (let at = 0; at < bytes;) {
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK, bytes - at));
        const read = readSync(file, buffer, 0, buffer.length, from + at);
        if (read === 0) throw new Error(`${path} ended early`);
        yield buffer.subarray(0, read);
        at += read;
      }
    }
  } finally {
    closeSync(file);
  }
}

function* joined(wanted: Iterable<Stretch>): Generator<Stretch> {
  let open: Stretch | null = null;
  for (const { from, bytes } of wanted) {
    if (open !== null && open.from + open.bytes === from) open.bytes += bytes;
    else {
      if (open !== null) yield open;
      open = { from, bytes };
    }
  }
  if (open !== null) yield open;
}
