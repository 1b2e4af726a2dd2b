// Owns: the files of an export: the rows of each split, and beside them where they come from.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { EventLog } from '../../log/eventLog.ts';
import { addEvents, bundleHead } from './evidence.ts';
import { sumOf, type Stage, type Sum } from './folder.ts';
import type { Column, Format } from './format.ts';
import type { Gathered } from './gathered.ts';
import { openLines } from './lines.ts';
import type { Pace } from './pace.ts';
import { writeTable } from './parquet.ts';
import { stretches, type Spool } from './spool.ts';

export type Split = 'train' | 'validation';
export type Written = {
  data: { split: Split; sum: Sum; rows: number }[];
  /** What lies beside the rows, a sentence each. */
  beside: string[];
};
type Parts = {
  stage: Stage;
  spool: Spool;
  gathered: Gathered;
  format: Format;
  files: 'jsonl' | 'parquet';
  untilSeq: number;
  pace: Pace;
};

export const writeText = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o600 });

export async function writeAll(log: EventLog, parts: Parts): Promise<Written> {
  const { stage, format, gathered, files } = parts;
  const data: Written['data'] = [];
  for (const split of ['train', 'validation'] as const) {
    const rows = gathered.totals[split];
    // A set without rows still has a file to be read from.
    if (rows === 0 && split === 'validation') continue;
    const name = `data/${format.id}-${split}.${files}`;
    if (files === 'jsonl') await writeLines(stage.path(name), parts, split);
    else await writeTable(stage.path(name), columnsOf(format), rowsOf(parts, split));
    data.push({ split, sum: sumOf(stage.path(''), name), rows });
  }
  const beside = [
    '`rules.json`: the rules, to export by again or to go on from here.',
    ...(await writeProvenance(parts)),
    ...(await writeFeedback(parts)),
    ...(await writeEvents(log, parts)),
    ...writeBeside(parts),
    '`CHECKSUMS`: of every file (`sha256sum -c CHECKSUMS`).',
  ];
  return { data, beside };
}

function writeBeside({ stage, format: { beside = {} } }: Parts): string[] {
  return Object.entries(beside).map(([name, value]) => {
    writeText(stage.path(`data/${name}`), `${JSON.stringify(value, null, 2)}\n`);
    return `\`data/${name}\`: what readers of the format look for beside its lines.`;
  });
}

const columnsOf = ({ columns, id }: Format): readonly Column[] => {
  if (columns === null) throw new Error(`${id} has no columns`);
  return columns;
};

/** Where the lines of a split lie in the spool. */
function* places(
  { index }: Gathered,
  split: Split,
  bytesOf: (row: number) => number = (row) => index.at(row).bytes,
) {
  let from = 0;
  for (let row = 0; row < index.size(); row += 1) {
    const bytes = bytesOf(row);
    const isOurs = (split === 'validation') === index.at(row).isValidation;
    if (isOurs && index.fate(row) === 'kept') yield { row, from, bytes };
    from += bytes;
  }
}

async function writeLines(path: string, { spool, gathered, pace }: Parts, split: Split): Promise<void> {
  await copy(path, stretches(spool.rows, places(gathered, split)), pace);
}

async function copy(path: string, pieces: Iterable<Uint8Array>, pace: Pace): Promise<void> {
  const file = openSync(path, 'w', 0o600);
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at, piece.length - at);
      await pace();
    }
  } finally {
    closeSync(file);
  }
}

async function* rowsOf(
  { spool, gathered, pace }: Parts,
  split: Split,
): AsyncGenerator<Record<string, unknown>> {
  const lines = createInterface({
    input: Readable.from(stretches(spool.rows, places(gathered, split))),
    crlfDelay: Infinity,
  });
  for await (const line of lines) {
    await pace();
    yield JSON.parse(line) as Record<string, unknown>;
  }
}

/** A line for each row, in the order of the files. */
async function writeProvenance({ stage, spool, gathered, format, files, pace }: Parts): Promise<string[]> {
  const { provenance } = spool;
  if (provenance === null) return [];
  const out = openLines(stage.path('provenance.jsonl'));
  try {
    for (const split of ['train', 'validation'] as const) {
      let number = 0;
      for (const place of places(gathered, split, (row) => provenance.bytes[row] ?? 0)) {
        const [bytes] = stretches(provenance.path, [place]);
        const line = Buffer.from(bytes ?? [])
          .toString()
          .trimEnd();
        out.add(
          `{"file":${JSON.stringify(`data/${format.id}-${split}.${files}`)},"row":${String(number)},${line.slice(1)}`,
        );
        number += 1;
        await pace();
      }
    }
  } finally {
    out.close();
  }
  return ['`provenance.jsonl`: where each row comes from; the format itself has no room for it.'];
}

/** Of the episodes that gave rows in the end. */
function keptEpisodes({ index }: Gathered): Set<number> {
  const kept = new Set<number>();
  for (const row of index.kept()) kept.add(index.at(row).episode);
  return kept;
}

async function writeFeedback({ stage, spool, gathered, pace }: Parts): Promise<string[]> {
  const kept = keptEpisodes(gathered);
  const wanted: { from: number; bytes: number }[] = [];
  let from = 0;
  spool.feedback.bytes.forEach((bytes, episode) => {
    if (kept.has(episode) && bytes > 0) wanted.push({ from, bytes });
    from += bytes;
  });
  await copy(stage.path('feedback.jsonl'), stretches(spool.feedback.path, wanted), pace);
  return ['`feedback.jsonl`: what people said and did, as OpenEnv’s HumanFeedback.'];
}

async function writeEvents(log: EventLog, { stage, gathered, untilSeq, pace }: Parts): Promise<string[]> {
  const out = openLines(stage.path('events.jsonl'));
  try {
    out.add(bundleHead());
    for (const episode of keptEpisodes(gathered)) {
      addEvents(log, gathered.episodes[episode] ?? '', untilSeq, out);
      await pace();
    }
  } finally {
    out.close();
  }
  return [
    '`events.jsonl`: every event of the episodes that gave rows (`interject import events.jsonl`); addresses and folders are left out.',
  ];
}
