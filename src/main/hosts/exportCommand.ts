// Owns: `interject export`.
import { newId, nodeEdges } from './edges.ts';
import type { ExportFormat } from '../../shared/contract/areas.ts';
import { checkFolder, writeBundle, writeSources } from '../dataset/bundle.ts';
import { createSources } from '../dataset/import/sources.ts';
import { writeExport } from '../dataset/exportData.ts';
import { takeDataFolder } from '../log/dataFolder.ts';
import { openDatabase } from '../log/database.ts';
import { createEventLog } from '../log/eventLog.ts';
import { writeAnnotations } from '../review/writeAnnotations.ts';
import type { Output } from './output.ts';
import { dataFolderPath, fromCaller } from './paths.ts';

/** Rows for a trainer, what reviewers said, or the log itself: every event, or the files episodes were imported from. */
export type ExportOptions = {
  format: ExportFormat | 'events' | 'source' | 'annotations';
  out: string;
  force?: boolean;
  data?: string;
};

/** Reads the log and writes the data set folder. Needs no more of the product than the log. */
export async function exportCommand(
  { format, out, force, data }: ExportOptions,
  output: Output,
): Promise<number> {
  const folder = takeDataFolder(dataFolderPath(data));
  const { clock, report } = nodeEdges((text) => output.say(text));
  try {
    const db = openDatabase(folder.file('interject.db'));
    const log = createEventLog({ db, clock, onListenerError: report });
    const where = { folder: fromCaller(out), isForced: force === true };
    if (format === 'annotations') checkFolder(where.folder, where.isForced);
    const written =
      format === 'events'
        ? writeBundle(log, where)
        : format === 'annotations'
          ? writeAnnotations(log, where.folder)
          : format === 'source'
            ? await writeSources(log, createSources(folder.file('sources'), newId), where)
            : writeExport(log, { format, ...where });
    db.close();
    const { rows, dropped, files } = written;
    output.line({ type: 'export', format, rows, dropped, files });
    const left = Object.entries(dropped).map(([rule, count]) => `${rule} ${String(count)}`);
    output.say(
      `${String(rows)} rows in ${written.folder}${left.length === 0 ? '' : `; left out: ${left.join(', ')}`}`,
    );
    return 0;
  } finally {
    folder.release();
  }
}
