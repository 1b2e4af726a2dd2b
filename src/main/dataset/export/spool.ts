// Owns: rows on disk until it is known which are kept, and what was made of their episodes at the same time.
import { closeSync, openSync, readSync } from 'node:fs';
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { Format, MadeRow } from './format.ts';
import { feedbackLines } from './feedback.ts';
import type { Stage } from './folder.ts';
import type { RowSink } from './gathered.ts';
import { jsonLine, openLines } from './lines.ts';

export type Spool = {
  sink: RowSink;
  /** Where the lines lie, one for each row in order of the index. */
  rows: string;
  /** Where each row comes from, for formats that have no room for it; null where the rows say so themselves. */
  provenance: { path: string; bytes: readonly number[] } | null;
  feedback: { path: string; bytes: readonly number[] };
  close: () => void;
};

export function openSpool(stage: Stage, format: Format, rules: ExportRules): Spool {
  const rows = stage.scratch('rows');
  const rowLines = openLines(rows);
  const feedback = { path: stage.scratch('feedback'), bytes: [] as number[] };
  const feedbackOut = openLines(feedback.path);
  const saysWhere = format.columns?.some(({ name }) => name === 'episode') ?? false;
  const provenance = saysWhere ? null : { path: stage.scratch('provenance'), bytes: [] as number[] };
  const provenanceOut = provenance === null ? null : openLines(provenance.path);
  return {
    rows,
    feedback,
    provenance,
    sink: {
      row: (line, made, episode) => {
        if (provenance !== null && provenanceOut !== null)
          provenance.bytes.push(provenanceOut.add(jsonLine(whereFrom(made, episode))));
        return rowLines.add(line);
      },
      episode: (told) => {
        let bytes = 0;
        for (const line of feedbackLines(told, rules)) bytes += feedbackOut.add(line);
        feedback.bytes.push(bytes);
      },
    },
    close: () => {
      for (const lines of [rowLines, feedbackOut, provenanceOut]) lines?.close();
    },
  };
}

const whereFrom = ({ facts }: MadeRow, episode: string) => ({
  episode,
  scenario: facts.task[0],
  task_idx: facts.task[1],
  n: facts.n ?? -1,
  turn: facts.turn ?? -1,
  consultation: facts.consultation ?? '',
  actor: facts.actor,
  privilege:
    facts.privilege === 'unknown'
      ? 'unknown'
      : facts.privilege.length === 0
        ? 'none'
        : facts.privilege.join('+'),
});

const CHUNK = 1 << 20;

/** Stretches of a file, those side by side read together, a piece at a time. */
export function* stretches(
  path: string,
  wanted: Iterable<{ from: number; bytes: number }>,
): Generator<Uint8Array> {
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

function* joined(
  wanted: Iterable<{ from: number; bytes: number }>,
): Generator<{ from: number; bytes: number }> {
  let open: { from: number; bytes: number } | null = null;
  for (const { from, bytes } of wanted) {
    if (open !== null && open.from + open.bytes === from) open.bytes += bytes;
    else {
      if (open !== null) yield open;
      open = { from, bytes };
    }
  }
  if (open !== null) yield open;
}
