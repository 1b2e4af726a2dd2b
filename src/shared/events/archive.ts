// The kinds that say that an episode's events lie in an archive file, or are back. They stand in `archive/<episode>`: an
// episode's own events never change.
import { z } from 'zod';
import { defineKind, NOTED } from './kind.ts';
import { JsonObject } from './turns.ts';

export const ARCHIVE_PREFIX = 'archive/';
export const archiveStream = (episode: string): string => `${ARCHIVE_PREFIX}${episode}`;

export const archiveEvents = [
  /** Written in the transaction that takes the events out of the log, once the file was read back and compared. */
  defineKind('episode.archived', {
    episode: z.string(),
    /** Within the data folder its path there, else the whole path. */
    file: z.string(),
    events: z.number().int().positive(),
    /** Over the episode's rows: `[seq,stream,n,at,kind,actor,body]` as JSON, a line each. */
    sha256: z.string(),
    /** Where the log says that it ended. */
    ended_seq: z.number().int().nullable(),
    is_erased: z.boolean(),
    /** Its line of the list, read with the schema of the day. */
    row: JsonObject,
    /** The files it was imported from, and its place in each. */
    imported: z.array(z.strictObject({ sha256: z.string(), source_index: z.number().int() })),
  })({ ...NOTED, words: ['row'], isDecision: true, isProjected: true }),
  defineKind('episode.brought_back', { episode: z.string(), file: z.string() })({
    ...NOTED,
    isDecision: true,
    isProjected: true,
  }),
] as const;
