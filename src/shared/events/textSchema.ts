// Schema of a text of any length in an event; `text.ts`, which every page loads, needs no schema.
import { z } from 'zod';

/** A text stored beside the log: its SHA-256, its length in UTF-16 units, its lines, and its first characters. */
export const BlobRef = z.strictObject({
  $blob: z.string(),
  length: z.number().int(),
  lines: z.number().int(),
  head: z.string(),
});
export type BlobRef = z.infer<typeof BlobRef>;

/** A text in place, or a reference to it. Nothing is ever cut: `head` is a preview, the whole is one read away. */
export const Text = z.union([z.string(), BlobRef]);
export type Text = z.infer<typeof Text>;
