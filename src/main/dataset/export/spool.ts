// Holds rows on disk until it is known which are kept: some rules need to see all rows first, and so does a table.
import { parseJson } from '../../../shared/json.ts';
import { closeSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Format } from './format.ts';
import type { FolderStage } from './folderStage.ts';
import { keptEpisodes, type CollectedRows, type RowSink } from './collectedRows.ts';
import { openLineWriter } from './lineWriter.ts';
import { dataName, SPLITS, splitName, type Split } from './dataFiles.ts';
import { lacksPlace, placeFields, type ExportOutput } from './output.ts';
import type { YieldToOthers } from './pace.ts';
import { writeTable } from './parquet.ts';
import { loadEpisode, type ReadRequest } from './loadEpisode.ts';

export type RowSpool = {
  sink: RowSink;
  rows: string;
  /** Where each row comes from, for formats that have no room for it; null where the rows say so themselves. */
  places: { path: string; bytes: readonly number[] } | null;
  close: () => void;
};

export function openSpool(stage: FolderStage, format: Format): RowSpool {
  const rows = stage.scratch('rows');
  const out = openLineWriter(rows);
  const places = lacksPlace(format) ? { path: stage.scratch('places'), bytes: [] as number[] } : null;
  const placesOut = places === null ? null : openLineWriter(places.path);
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

type SpoolReplay = ReadRequest & {
  stage: FolderStage;
  spool: RowSpool;
  collected: CollectedRows;
  format: Format;
  files: 'jsonl' | 'parquet';
  pace: YieldToOthers;
};

/** Sends what is kept on to where it is to lie. */
export async function replay(replaying: SpoolReplay, output: ExportOutput): Promise<void> {
  const { spool, collected, pace, files } = replaying;
  for (const split of SPLITS) {
    if (files === 'parquet') await tabulate(replaying, split);
    else {
      for (const piece of readRanges(spool.rows, keptLines(collected, split))) {
        output.bytes(piece, split === 'validation');
        await pace();
      }
    }
  }
  await replayPlaces(replaying, output);
  for (const episode of keptEpisodes(collected)) {
    output.episode(loadEpisode(replaying, collected.episodes[episode] ?? ''));
    await pace();
  }
}

async function tabulate({ stage, spool, collected, format, pace }: SpoolReplay, split: Split): Promise<void> {
  if (split === 'validation' && collected.totals.validation === 0) return;
  const { columns } = format;
  if (columns === null) throw new Error(`${format.id} has no columns`);
  const path = stage.path(dataName(format, split, 'parquet'));
  await writeTable(path, columns, rowsIn(spool.rows, keptLines(collected, split), pace));
}

async function* rowsIn(
  path: string,
  wanted: Iterable<ByteRange>,
  pace: YieldToOthers,
): AsyncGenerator<Record<string, unknown>> {
  for await (const line of linesIn(path, wanted)) {
    await pace();
    yield parseJson(line) as Record<string, unknown>;
  }
}

/** Made where it is read at once: what comes before somebody listens is lost. */
const linesIn = (path: string, wanted: Iterable<ByteRange>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(readRanges(path, wanted)), crlfDelay: Infinity });

async function replayPlaces({ spool, collected, pace }: SpoolReplay, output: ExportOutput): Promise<void> {
  const { places } = spool;
  if (places === null) return;
  const numbers = { train: 0, validation: 0 };
  let row = 0;
  for await (const line of linesIn(places.path, [all(places.bytes)])) {
    const { isValidation } = collected.index.at(row);
    const split = splitName(isValidation);
    if (collected.index.fate(row) === 'kept') {
      output.place(line, { isValidation, number: numbers[split] });
      numbers[split] += 1;
    }
    row += 1;
    await pace();
  }
}

const all = (bytes: readonly number[]): ByteRange => ({
  from: 0,
  bytes: bytes.reduce((sum, one) => sum + one, 0),
});

/** Where the kept lines of a split lie. */
function* keptLines({ index }: CollectedRows, split: Split): Generator<ByteRange> {
  let from = 0;
  for (let row = 0; row < index.size(); row += 1) {
    const { bytes, isValidation } = index.at(row);
    if (splitName(isValidation) === split && index.fate(row) === 'kept') yield { from, bytes };
    from += bytes;
  }
}

type ByteRange = { from: number; bytes: number };
const READ_CHUNK_BYTES = 1 << 20;

/** Stretches of a file, those side by side read together, a piece at a time. */
function* readRanges(path: string, wanted: Iterable<ByteRange>): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (const { from, bytes } of joinRanges(wanted)) {
      for (let at = 0; at < bytes;) {
        const buffer = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, bytes - at));
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

function* joinRanges(wanted: Iterable<ByteRange>): Generator<ByteRange> {
  let open: ByteRange | null = null;
  for (const { from, bytes } of wanted) {
    if (open !== null && open.from + open.bytes === from) open.bytes += bytes;
    else {
      if (open !== null) yield open;
      open = { from, bytes };
    }
  }
  if (open !== null) yield open;
}
