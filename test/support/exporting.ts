// Rows as an export makes them, without files.
import type { ExportFormat } from '../../src/shared/contract/export.ts';
import { ExportRules } from '../../src/shared/contract/export.ts';
import { exportFormat } from '../../src/main/dataset/export/formats.ts';
import { collectRows } from '../../src/main/dataset/export/collectRows.ts';
import { createCompletions } from '../../src/main/dataset/export/outcomes.ts';
import { readReviews } from '../../src/main/dataset/export/loadEpisode.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';

export const rulesOf = (over: Partial<ExportRules> = {}): ExportRules => ({
  ...ExportRules.parse({}),
  ...over,
});

/** Rows of every ended episode in the order they started, and how many each rule left out. */
export async function makeRows(log: EventLog, format: ExportFormat, over: Partial<ExportRules> = {}) {
  const rows: Record<string, unknown>[] = [];
  const { dropped } = await collectRows({
    log,
    format: exportFormat(format),
    rules: rulesOf(over),
    untilSeq: log.lastSeq(),
    pace: () => Promise.resolve(),
    onEpisode: () => undefined,
    reviews: readReviews(log),
    completions: createCompletions(log, log.lastSeq()),
    sink: {
      row: (line) => {
        // A session's messages are lines of their own.
        for (const one of line.split('\n')) rows.push(JSON.parse(one) as Record<string, unknown>);
        return line.length + 1;
      },
      episode: () => undefined,
    },
  });
  return { rows, dropped };
}
