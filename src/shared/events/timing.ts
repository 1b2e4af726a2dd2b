// How long a person was at an act.
import { z } from 'zod';

/** UTC ms and active ms of one human decision; null where it was not measured. */
export const Timing = z.strictObject({
  first_seen_at: z.number().nullable(),
  active_ms: z.number().nullable(),
});
export type Timing = z.infer<typeof Timing>;
