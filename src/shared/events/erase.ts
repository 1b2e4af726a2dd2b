// The kind that says that texts of an episode were taken out of the log, and what stands in their place.
import { z } from 'zod';
import { defineKind, NOTED } from './kind.ts';

export const eraseEvents = [
  defineKind('episode.erased', {
    /** All texts of the episode, or one text wherever it stood. */
    what: z.enum(['episode', 'text']),
    reason: z.string().nullable(),
    /** Events whose body was changed. */
    events: z.number().int().nonnegative(),
    /** Of the text that was taken out; null when all were. */
    sha256: z.string().nullable(),
  })({ ...NOTED, isDecision: true }),
] as const;

/** What stands where a text was. Long enough a part of the hash to recognise the text by, if one has it. */
export const tombstone = (sha256: string): string => `[erased sha256:${sha256}]`;
