// `rules.json` beside an export: all that is needed to make it again, or to continue from it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { EventLog } from '../../log/eventLog.ts';
import { ExportFormat, ExportRules, type ExportReport } from '../../../shared/contract/export.ts';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { Failure } from '../../../shared/failure.ts';

/** The file's name for its own kind. */
export const MANIFEST = 'interject.export';

export const ExportManifest = z.object({
  type: z.literal(MANIFEST),
  v: z.literal(1),
  format: ExportFormat,
  files: z.enum(['jsonl', 'parquet']),
  kit: z.enum(['trl']).nullable(),
  despite: z.array(z.string()),
  rules: ExportRules,
  /** First and last seq of what was taken; null where nothing was. */
  log: z.object({
    from: z.number().int().nullable(),
    to: z.number().int().nullable(),
    /** Where the last event that was taken stands, which tells the log it came from. */
    last: z.object({ episode: z.string(), n: z.number().int() }).nullable().optional(),
  }),
  rows: z.object({ train: z.number().int(), validation: z.number().int() }),
  episodes: z.object({ read: z.number().int(), kept: z.number().int() }),
  dropped: z.record(z.string(), z.number().int()),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

/** From a folder that was exported, or the file itself. Throws `bad_input`. */
export function readManifest(path: string): ExportManifest {
  try {
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, RULES_FILE) : path;
    return ExportManifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Failure('bad_input', `${path} holds no rules of an export`, {
      cause,
      next: 'Name a folder that was exported, or its rules.json.',
    });
  }
}

/** Start of an export that continues this one: what ended after it. */
export const goesOnFrom = ({ log, rules }: Pick<ExportManifest, 'log' | 'rules'>): number | null =>
  log.to ?? rules.after_seq;

/** Throws `bad_input` where the export was made from another log: its places mean nothing in this one. */
export function checkSameLog(
  log: Pick<EventLog, 'read'>,
  { log: { to, last } }: { log: Pick<ExportManifest['log'], 'to' | 'last'> },
): void {
  if (last === undefined || last === null) return;
  if (log.read(last.episode, last.n - 1, 1)[0]?.seq === to) return;
  throw new Failure('bad_input', 'that export was made from another log', {
    next: 'Go on from an export of this data folder, or leave --since out.',
  });
}

/** The file's text: what was asked for, and what was taken. */
export function manifestText(
  {
    format,
    files,
    kit,
    despite,
    rules,
    last,
  }: Pick<ExportManifest, 'format' | 'files' | 'kit' | 'rules'> & {
    despite: readonly string[];
    last: NonNullable<ExportManifest['log']['last']> | null;
  },
  { log_from, log_to, splits, episodes, dropped }: ExportReport,
): string {
  const manifest: ExportManifest = {
    type: MANIFEST,
    v: 1,
    format,
    files,
    kit,
    despite: [...despite],
    rules,
    log: { from: log_from, to: log_to, last },
    rows: splits,
    episodes,
    dropped,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
