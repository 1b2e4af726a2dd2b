// Prices of a model's tokens, as a person entered them, and the tokens that a reply took.
import { z } from 'zod';

export const Usage = z.strictObject({
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** Of the input, what the server had in its cache; absent where it did not say. */
  cached_tokens: z.number().optional(),
  /** Of the output, what was thinking; absent where the server did not say. */
  reasoning_tokens: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** For a million tokens each. Cached input and reasoning cost what the rest does where they have no price. */
export const ModelPrice = z.strictObject({
  currency: z.string().min(1).max(8),
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative().nullable(),
  reasoning: z.number().nonnegative().nullable(),
  /** The day it was true, as 2026-11-23. */
  as_of: z.string().regex(/^\d{4}-\d\d-\d\d$/),
});
export type ModelPrice = z.infer<typeof ModelPrice>;
