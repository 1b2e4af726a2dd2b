// Owns: from the log to rows and files. Same log, same bytes.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFormat } from '../../shared/contract/areas.ts';
import { Failure } from '../../shared/failure.ts';
import { makeFolder } from '../log/dataFolder.ts';
import type { EventLog } from '../log/eventLog.ts';
import { datasetCard } from './card.ts';
import { preferenceRows } from './preference.ts';
import { sftRows, type Made } from './sft.ts';

export type Rows = { rows: object[]; dropped: Record<string, number>; episodes: number };
export type Written = { rows: number; dropped: Record<string, number>; folder: string; files: string[] };

/** Rows of every ended episode in the order they started, and how many each rule dropped. */
export function makeRows(log: EventLog, format: ExportFormat): Rows {
  const rows: object[] = [];
  const dropped: Record<string, number> = {};
  const ids = log.projections.ended();
  for (const id of ids) {
    const record = log.record(id);
    if (record.erased !== null) {
      dropped['erased'] = (dropped['erased'] ?? 0) + 1;
      continue;
    }
    const whole = (text: Parameters<typeof log.texts.whole>[0]): string => log.texts.whole(text);
    const made: Made<object> = format === 'sft' ? sftRows(record, whole) : preferenceRows(record, whole);
    rows.push(...made.rows);
    for (const [rule, count] of Object.entries(made.dropped)) dropped[rule] = (dropped[rule] ?? 0) + count;
  }
  return { rows, dropped, episodes: ids.length };
}

/**
 * Writes the data set folder: `data/<format>-train.jsonl` and a README.md card that loads.
 * Throws `export_refused` when the folder holds something and `isForced` is false.
 */
export function writeExport(
  log: EventLog,
  { format, folder, isForced }: { format: ExportFormat; folder: string; isForced: boolean },
): Written {
  if (!isForced && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Failure('export_refused', `${folder} is not empty`, {
      next: 'Choose an empty folder, or overwrite with --force.',
    });
  }
  const { rows, dropped, episodes } = makeRows(log, format);
  const data = `data/${format}-train.jsonl`;
  const lines = rows.map((row) => `${jsonLine(row)}\n`).join('');
  const card = datasetCard({ format, data, rows: rows.length, dropped, episodes, lastSeq: log.lastSeq() });
  try {
    makeFolder(join(folder, 'data'));
    writeFileSync(join(folder, data), lines);
    writeFileSync(join(folder, 'README.md'), card);
  } catch (cause) {
    throw new Failure('data_unwritable', `cannot write ${folder}: ${String(cause)}`, {
      cause,
      next: 'Check that the folder is writable and has space.',
    });
  }
  return { rows: rows.length, dropped, folder, files: [data, 'README.md'] };
}

/** JSON that every line reader takes: the two line separators of Unicode are escaped. */
export const jsonLine = (row: object): string =>
  JSON.stringify(row).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
