// The commands that move old episodes into archive files, and back.
import { z } from 'zod';
import { FailureShape } from '../failure.ts';

export const ArchiveStage = z.enum(['writing', 'checking', 'removing', 'compacting', 'restoring', 'undoing']);
export type ArchiveStage = z.infer<typeof ArchiveStage>;

export const ArchiveJob = z.strictObject({
  job: z.string(),
  act: z.enum(['archive', 'bring_back']),
  state: z.enum(['waiting', 'running', 'done', 'cancelled', 'failed']),
  progress: z
    .strictObject({ stage: ArchiveStage, done: z.number().int(), total: z.number().int() })
    .nullable(),
  /** The archive file, by its name in the log and its whole path; null where episodes of several are brought back. */
  file: z.string().nullable(),
  path: z.string().nullable(),
  /** Episodes that were moved, and those that were left: they have not ended, or are where they are to be. */
  episodes: z.number().int(),
  skipped: z.number().int(),
  /** Bytes that the log's file takes less. */
  freed: z.number().int(),
  failure: FailureShape.nullable(),
});
export type ArchiveJob = z.infer<typeof ArchiveJob>;

const EpisodeIds = z.array(z.string().max(200)).min(1).max(10_000);

/** Episodes by their ids, or all that ended before a time (UTC ms). */
export const ArchiveChoice = z.union([
  z.strictObject({ episodes: EpisodeIds }),
  z.strictObject({ ended_before: z.number() }),
]);
export type ArchiveChoice = z.infer<typeof ArchiveChoice>;

const Job = z.strictObject({ job: z.string() });

export const archiving = {
  /** What archiving these would do. */
  'archive.estimate': {
    input: z.strictObject({ choice: ArchiveChoice }),
    output: z.strictObject({
      /** Those that can be archived, those that are, and those that have not ended. */
      episodes: z.number().int(),
      archived: z.number().int(),
      open: z.number().int(),
      /** What they take in the log, from a sample of them. */
      bytes: z.number().int(),
      /** What the log takes, and what is free where the file would go; null where nobody can tell. */
      log_bytes: z.number().int(),
      free_bytes: z.number().nullable(),
      /** Where the file would go. */
      folder: z.string(),
      /** Episodes that run: the log is not written anew meanwhile. */
      running: z.number().int(),
    }),
  },
  'archive.start': {
    input: z.strictObject({
      choice: ArchiveChoice,
      /** Whether the space goes back to the disk at once: the log is written anew, and everything waits for that. */
      compact: z.boolean(),
    }),
    output: Job,
  },
  /** Episodes by their ids, or all that lie in a file, by its name in the log. */
  'archive.bring_back': {
    input: z.strictObject({
      from: z.union([
        z.strictObject({ episodes: EpisodeIds }),
        z.strictObject({ file: z.string().max(4096) }),
      ]),
    }),
    output: Job,
  },
  /** What is going on, and what was done since the start of this process, oldest first. */
  'archive.jobs': { input: z.strictObject({}), output: z.strictObject({ jobs: z.array(ArchiveJob) }) },
  /** Stops a job, or takes one that is over off the list. */
  'archive.cancel': { input: Job, output: z.strictObject({}) },
  /** The files that episodes lie in. */
  'archive.files': {
    input: z.strictObject({}),
    output: z.strictObject({
      files: z.array(
        z.strictObject({
          file: z.string(),
          path: z.string(),
          episodes: z.number().int(),
          /** Null where the file is not there. */
          bytes: z.number().int().nullable(),
        }),
      ),
    }),
  },
} as const;
