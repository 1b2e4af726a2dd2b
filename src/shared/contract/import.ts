// The commands by which files reach main in pieces, and what a console is told of an import. Owner only.
import { z } from 'zod';
import { Conservation, Diagnostic, ImportFormat } from '../events/import.ts';
import { FailureShape } from '../failureCodes.ts';
import { OWNER_READS, OWNER_WRITES } from './row.ts';

/** Values a reader passes over unread: where (list places as `*`), how many, how many bytes. */
export const PassedOver = z.strictObject({
  path: z.string(),
  count: z.number().int().positive(),
  bytes: z.number().int().nonnegative(),
});
export type PassedOver = z.infer<typeof PassedOver>;

/** The report on one file. */
export const FileReport = z.strictObject({
  name: z.string(),
  format: ImportFormat.nullable(),
  version: z.string().nullable(),
  sha256: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  /** Episodes that are in the log now; `known` of them were there before. */
  episodes: z.number().int().nonnegative(),
  known: z.number().int().nonnegative(),
  /** Records that could not be read and were left out. */
  skipped: z.number().int().nonnegative(),
  /** The first of its episodes, to open them. */
  first: z.array(z.string()),
  not_recorded: z.array(z.string()),
  diagnostics: z.array(Diagnostic),
  /** How much of the records that were read now stands in their episodes, in all; null where none was read. */
  conservation: Conservation.nullable(),
  /** What repeats other values by the format's own rule, or is no part of an episode, and was never looked at. */
  passed_over: z.array(PassedOver),
  failure: FailureShape.nullable(),
});
export type FileReport = z.infer<typeof FileReport>;

export const ImportJob = z.strictObject({
  import: z.string(),
  /** The file's name, or how many there are. */
  name: z.string(),
  state: z.enum(['receiving', 'waiting', 'reading', 'done', 'cancelled']),
  /** Work done and in all: bytes that came, were copied and were read. */
  done: z.number().nonnegative(),
  total: z.number().nonnegative(),
  episodes: z.number().int().nonnegative(),
  reports: z.array(FileReport),
  /** Files of a folder that are no logs. */
  ignored: z.number().int().nonnegative(),
});
export type ImportJob = z.infer<typeof ImportJob>;

/** Bytes of a file that travel at once, before base64. */
export const IMPORT_CHUNK = 1024 * 1024;
const IMPORT_FILES_MAX = 20_000;

export const importing = {
  /** Announces files; their bytes follow in order, file by file. */
  'import.begin': {
    ...OWNER_WRITES,
    input: z.strictObject({
      files: z
        .array(
          z.strictObject({
            /** Its path within what was dropped, with `/`. */
            name: z.string().min(1).max(2000),
            bytes: z.number().int().nonnegative(),
          }),
        )
        .min(1)
        .max(IMPORT_FILES_MAX),
      /** Takes in episodes however little of their record can be read. */
      lossy: z.boolean().optional(),
    }),
    output: z.strictObject({ import: z.string() }),
  },
  'import.chunk': {
    ...OWNER_WRITES,
    input: z.strictObject({
      import: z.string(),
      file: z.number().int().nonnegative(),
      offset: z.number().int().nonnegative(),
      data: z.string().max(Math.ceil((IMPORT_CHUNK * 4) / 3) + 4),
    }),
    output: z.strictObject({}),
  },
  'import.end': {
    ...OWNER_WRITES,
    input: z.strictObject({ import: z.string() }),
    output: z.strictObject({}),
  },
  /** Stops one that runs, or takes one that is over from the list. */
  'import.cancel': {
    ...OWNER_READS,
    input: z.strictObject({ import: z.string() }),
    output: z.strictObject({}),
  },
  /** A stretch of the file an episode was imported from, as it was. */
  'import.source': {
    ...OWNER_READS,
    input: z.strictObject({
      episode: z.string(),
      offset: z.number().int().nonnegative(),
    }),
    output: z.strictObject({ name: z.string(), bytes: z.number().int(), data: z.string() }),
  },
} as const;
