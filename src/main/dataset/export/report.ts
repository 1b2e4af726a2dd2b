// Owns: what a person is told of an export: counts, findings, and some rows as they will be written.
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import type { Format } from './format.ts';
import type { Gathered } from './gathered.ts';
import { findingsOf } from './preflight/findings.ts';
import { readTold, type ReadAsk } from './told.ts';
import { inOrder } from './totals.ts';

/** How many rows are shown. */
const SAMPLES = 5;

export function reportOf(gathered: Gathered, format: Format, rules: ExportRules): ExportReport {
  const { totals, dropped, read, range } = gathered;
  return {
    format: format.id,
    rows: totals.rows,
    splits: { train: totals.train, validation: totals.validation },
    episodes: { read, kept: totals.episodes },
    dropped: inOrder(dropped),
    classes: totals.classes,
    tokens: totals.tokens,
    findings: findingsOf(gathered, { format, rules }),
    sample: [],
    log_from: range.from,
    log_to: range.to,
    folder: null,
    files: [],
    bytes: totals.bytes,
  };
}

type Asked = ReadAsk & { format: Format; rules: ExportRules };

/** The first rows that are kept, made again: formats are pure. */
export function samplesOf({ index, episodes }: Gathered, asked: Asked): ExportReport['sample'] {
  const samples: ExportReport['sample'] = [];
  for (const row of index.kept()) {
    if (samples.length >= SAMPLES) break;
    const { episode, nth } = index.at(row);
    const id = episodes[episode] ?? '';
    const made = asked.format.rows(readTold(asked, id), asked.rules).rows[nth];
    if (made === undefined) continue;
    samples.push({
      episode: id,
      json: [made.row, ...(made.more ?? [])].map((one) => JSON.stringify(one, null, 2)).join('\n'),
      mask: made.facts.mask(),
    });
  }
  return samples;
}
