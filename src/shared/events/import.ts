// The kind that says where an episode came from when a file told of it: which file, what it lacked, what was odd.
import { z } from 'zod';
import { JsonObject } from './turns.ts';
import { Text } from './textSchema.ts';
import { defineKind, NOTED, searched } from './kind.ts';

export const ImportFormat = z.enum([
  'awm_trajectory',
  'snowflake_run',
  'openenv_collect',
  'echo_fixture',
  'inspect',
  'atif',
  'swe_agent',
  'mini_swe_agent',
  'chat',
  'hf_session',
  'interject_events',
]);
export type ImportFormat = z.infer<typeof ImportFormat>;

/** Something odd in a file: what, and where first (a JSON pointer; `line 12` stands before it in a file of lines). */
export const Diagnostic = z.strictObject({
  code: z.string(),
  message: z.string(),
  pointer: z.string().nullable(),
  count: z.number().int().positive(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

/** A file that lay beside the one that was read: kept as it was, found again by its hash. */
export const Companion = z.strictObject({
  name: z.string(),
  role: z.enum(['initial_database', 'final_database', 'verdict', 'metadata']),
  sha256: z.string(),
  bytes: z.number().int().nonnegative(),
});
export type Companion = z.infer<typeof Companion>;

/** Values of the source that stand nowhere in the episode: where (list places as `*`), how many, how much text. */
export const UnreadField = z.strictObject({
  path: z.string(),
  count: z.number().int().positive(),
  /** Characters of text; 0 where it is numbers, flags or identifiers only. */
  characters: z.number().int().nonnegative(),
  /** Its name is that of a label, a score or a verdict. */
  is_label: z.boolean(),
});
export type UnreadField = z.infer<typeof UnreadField>;

/** Share of a record that an episode holds, measured by comparing the two, whatever the reader says it read. */
export const Conservation = z.strictObject({
  /** Characters of the record's texts; identifiers, times and words of structure are no text. */
  characters: z.number().int().nonnegative(),
  /** How many of them stand in the episode or in its metadata. */
  kept: z.number().int().nonnegative(),
  /** The most telling first: labels, then by how much text they hold. */
  not_read: z.array(UnreadField),
  /** Unread values under further paths, which are too many to name. */
  further: z.number().int().nonnegative(),
});
export type Conservation = z.infer<typeof Conservation>;

/** Identity and content of a record as keyed hashes: they stay when the episode is erased, and tell nothing of it. */
export const RecordIdentity = z.strictObject({
  identity: z.string(),
  content: z.string(),
  /** How many steps it had, and the hash of all of them: by it a longer version of the record is known. */
  steps: z.number().int().nonnegative(),
  last_step: z.string(),
});
export type RecordIdentity = z.infer<typeof RecordIdentity>;

export const importEvents = [
  defineKind('episode.imported', {
    /** The episode; of our own bundles its stream is exactly what was exported, and this event stands beside it. */
    episode: z.string(),
    format: ImportFormat,
    version: z.string().nullable(),
    source: z.strictObject({
      name: z.string(),
      sha256: z.string(),
      bytes: z.number().int().nonnegative(),
      index: z.number().int().nonnegative(),
    }),
    /** Absent from our own bundles, and where it was imported before this was kept. */
    record: RecordIdentity.optional(),
    companions: z.array(Companion),
    task: Text.nullable(),
    /** What this format or this file does not record. */
    not_recorded: z.array(z.string()),
    diagnostics: z.array(Diagnostic),
    /** What the file says beyond the words of this log. */
    extra: JsonObject,
    /** How much of its record the episode holds; absent where it was imported before this was measured. */
    conservation: Conservation.optional(),
  })({
    ...NOTED,
    words: ['extra', 'diagnostics'],
    search: ({ task, source }) => searched('task', [task, source.name]),
    outcome: { extra: {} },
  }),
] as const;
