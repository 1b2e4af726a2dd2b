// What was said in every project as one file of lines, without a word of the episodes themselves.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { foldProject } from '../../shared/annotate/fold.ts';
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { makeFolder } from '../log/dataFolder.ts';
import type { EventLog } from '../log/eventLog.ts';
import { exportLines } from './exportLines.ts';

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
