// Rows as an export makes them, without files.
import { ExportFormat, ExportRules, Preset } from '../../src/shared/contract/export.ts';
import { exportFormat } from '../../src/main/dataset/export/formats.ts';
import { collectRows } from '../../src/main/dataset/export/collectRows.ts';
import { createCompletions } from '../../src/main/dataset/export/outcomes.ts';
import { readReviews } from '../../src/main/dataset/export/loadEpisode.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';

export const rulesOf = (over: Partial<ExportRules> = {}): ExportRules => ({
  ...ExportRules.parse({}),
  ...over,
});

/** A format, or a preset of `sft`. */
export type RowKind = ExportFormat | Preset;
export const ROW_KINDS: readonly RowKind[] = [...ExportFormat.options, ...Preset.options];

export function formatAndPreset(kind: RowKind): { format: ExportFormat; preset: Preset | null } {
  const preset = Preset.safeParse(kind).data ?? null;
  return { format: preset === null ? ExportFormat.parse(kind) : 'sft', preset };
}

/** The format and the rules of a kind of rows. */
export function asked(kind: RowKind, over: Partial<ExportRules> = {}) {
  const { format, preset } = formatAndPreset(kind);
  const rules = rulesOf({ ...over, preset });
  return { format, rules, made: exportFormat(format, rules) };
}

/** Rows of every ended episode in the order they started, and how many each rule left out. */
export async function makeRows(log: EventLog, kind: RowKind, over: Partial<ExportRules> = {}) {
  const { rules, made } = asked(kind, over);
  const rows: Record<string, unknown>[] = [];
  const { dropped } = await collectRows({
    log,
    format: made,
    rules,
    untilSeq: log.lastSeq(),
    pace: () => Promise.resolve(),
    onEpisode: () => undefined,
    reviews: readReviews(log),
    completions: createCompletions(log, log.lastSeq()),
    sink: (line) => {
      for (const one of line.split('\n')) rows.push(JSON.parse(one) as Record<string, unknown>);
      return line.length + 1;
    },
  });
  return { rows, dropped };
}
