// Rows as an export makes them, without files.
import type { ExportFormat } from '../../src/shared/contract/export.ts';
import { ExportRules } from '../../src/shared/contract/export.ts';
import { formatOf } from '../../src/main/dataset/export/formats.ts';
import { gather } from '../../src/main/dataset/export/gather.ts';
import { readReviews } from '../../src/main/dataset/export/told.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';

export const rulesOf = (over: Partial<ExportRules> = {}): ExportRules => ({
  ...ExportRules.parse({}),
  ...over,
});

/** Rows of every ended episode in the order they started, and how many each rule left out. */
export async function makeRows(log: EventLog, format: ExportFormat, over: Partial<ExportRules> = {}) {
  const rows: Record<string, unknown>[] = [];
  const { dropped } = await gather({
    log,
    format: formatOf(format),
    rules: rulesOf(over),
    untilSeq: log.lastSeq(),
    pace: () => Promise.resolve(),
    onEpisode: () => undefined,
    reviews: readReviews(log),
    sink: {
      row: (line) => {
        rows.push(JSON.parse(line) as Record<string, unknown>);
        return line.length + 1;
      },
      episode: () => undefined,
    },
  });
  return { rows, dropped };
}
