// The command that takes texts of an episode out of the log for good.
import { z } from 'zod';
import { OWNER_WRITES } from './row.ts';

/** A shorter text would be found in what it has nothing to do with. */
export const ERASED_TEXT_MIN = 6;

export const EraseResult = z.strictObject({
  /** Events that hold tombstones now. */
  events: z.number().int(),
  /** Events of annotation projects that lost words about the episode. */
  judgements: z.number().int(),
  /** Places the text was taken out of, in whatever spelling; null when all texts were. */
  places: z.number().int().nullable(),
  /** Events in which it still stands, as a number or across fields. */
  left: z.number().int(),
  /** Of the text that was taken out; null when all were. */
  sha256: z.string().nullable(),
  /** Episodes that hold copies of its turns: they were not touched. */
  copies: z.array(z.string()),
  /** Kept files that were removed with it, by their names. */
  files: z.array(z.string()),
  /** Other episodes that came from those files and can no longer be written back. */
  shared: z.number().int(),
});
export type EraseResult = z.infer<typeof EraseResult>;

export const erasing = {
  /** Every text of an episode, or with `text` that one wherever it stands in it. */
  'episode.erase': {
    ...OWNER_WRITES,
    input: z.strictObject({
      episode: z.string().max(200),
      text: z.string().min(ERASED_TEXT_MIN).max(1_000_000).nullable(),
      reason: z.string().trim().min(1).max(2000).nullable(),
    }),
    output: EraseResult,
  },
} as const;
