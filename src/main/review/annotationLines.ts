// Writes a project's annotations as lines of JSON: whole, by whom, under which schema, and with whose last word;
// without a word of the episodes themselves.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { foldProject } from '../../shared/review/fold.ts';
import type { ItemRecord, ProjectRecord } from '../../shared/review/record.ts';
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { makeFolder } from '../log/dataFolder.ts';
import type { EventLog } from '../log/eventLog.ts';
import { annotationRow, correctionRow } from './rows.ts';

/** One object per annotation, correction, preference and adjudication, item by item; episodes by their ids alone. */
export function* exportLines(project: ProjectRecord): Generator<Record<string, unknown>> {
  for (const { queue, name, is_blind, hides_outcome, items } of project.queues.values()) {
    const at = { project: project.id, queue, queue_name: name, is_blind, hides_outcome };
    for (const item of items) yield* itemLines(project, item, { ...at, item: item.item });
  }
}

function* itemLines(
  { schemas }: ProjectRecord,
  item: ItemRecord,
  at: Record<string, unknown>,
): Generator<Record<string, unknown>> {
  const stateOf = (seat: string): string => item.seats.get(seat)?.state ?? 'open';
  for (const one of item.annotations) {
    const dimension = schemas.get(one.schemaVersion)?.find(({ id }) => id === one.dimension);
    yield {
      type: 'annotation',
      ...at,
      ...annotationRow(one),
      dimension_name: dimension?.name ?? null,
      use: dimension?.use ?? null,
      review: stateOf(one.reviewer),
    };
  }
  for (const one of item.corrections) {
    yield { type: 'correction', ...at, ...correctionRow(one), review: stateOf(one.reviewer) };
  }
  for (const { id, ...one } of item.preferences) {
    yield { type: 'preference', ...at, preference: id, ...one, review: stateOf(one.reviewer) };
  }
  for (const { id, schemaVersion, ...one } of item.adjudications) {
    yield { type: 'adjudication', ...at, adjudication: id, schema_version: schemaVersion, ...one };
  }
}

export const ANNOTATIONS_FILE = 'annotations.jsonl';

export function writeAnnotations(
  log: EventLog,
  folder: string,
): { rows: number; dropped: Record<string, number>; folder: string; files: string[] } {
  makeFolder(folder);
  const file = openSync(join(folder, ANNOTATIONS_FILE), 'w', 0o600);
  let rows = 0;
  try {
    for (const stream of log.streams(ANNOTATE_PREFIX)) {
      for (const line of exportLines(foldProject(stream.slice(ANNOTATE_PREFIX.length), log.read(stream)))) {
        writeSync(file, `${JSON.stringify(line)}\n`);
        rows += 1;
      }
    }
  } finally {
    closeSync(file);
  }
  return { rows, dropped: {}, folder, files: [ANNOTATIONS_FILE] };
}
