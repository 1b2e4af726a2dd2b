// What a person is told of an export: counts, findings, and sample rows.
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import type { Format } from './format.ts';
import type { CollectedRows } from './collectedRows.ts';
import { findingsOf } from './preflight/findings.ts';
import { loadEpisode, type ReadRequest } from './loadEpisode.ts';
import { sortedCounts } from './totals.ts';

/** How many rows are shown. */
const SAMPLES = 5;

export function exportReport(collected: CollectedRows, format: Format, rules: ExportRules): ExportReport {
  const { totals, dropped, read, range } = collected;
  return {
    format: format.id,
    rows: totals.rows,
    splits: { train: totals.train, validation: totals.validation },
    episodes: { read, kept: totals.episodes },
    dropped: sortedCounts(dropped),
    ...(collected.damaged.length === 0 ? {} : { damaged: collected.damaged }),
    ...(rules.privilege === 'flag' && totals.privileged > 0 ? { privileged: totals.privileged } : {}),
    classes: totals.classes,
    tokens: totals.tokens,
    findings: findingsOf(collected, { format, rules }),
    sample: [],
    log_from: range.from,
    log_to: range.to,
    folder: null,
    files: [],
    bytes: totals.bytes,
  };
}

type ReportRequest = ReadRequest & { format: Format; rules: ExportRules };

/** The first rows that are kept, made again: formats are pure. */
export function sampleRows({ index, episodes }: CollectedRows, asked: ReportRequest): ExportReport['sample'] {
  const samples: ExportReport['sample'] = [];
  for (const row of index.kept()) {
    if (samples.length >= SAMPLES) break;
    const { episode, nth } = index.at(row);
    const id = episodes[episode] ?? '';
    const made = asked.format.rows(loadEpisode(asked, id), asked.rules).rows[nth];
    if (made === undefined) continue;
    samples.push({
      episode: id,
      json: [made.row, ...(made.more ?? [])].map((one) => JSON.stringify(one, null, 2)).join('\n'),
      mask: made.facts.mask(),
    });
  }
  return samples;
}
