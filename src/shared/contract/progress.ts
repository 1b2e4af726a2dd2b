// How far a queue of reviews is, and how far its reviewers agree.
import { z } from 'zod';
import { Metric } from '../annotate/alpha.ts';

const ReviewerRow = z.strictObject({
  seat: z.string(),
  done: z.number().int(),
  skipped: z.number().int(),
  postponed: z.number().int(),
  assigned: z.number().int().nullable(),
  median_ms: z.number().nullable(),
});

export const ProgressRow = z.strictObject({
  items: z.number().int(),
  complete: z.number().int(),
  leased: z.number().int(),
  reviews_done: z.number().int(),
  reviews_wanted: z.number().int(),
  conflicts: z.number().int(),
  adjudicated: z.number().int(),
  reviewers: z.array(ReviewerRow),
});

export const AgreementRow = z.strictObject({
  dimension: z.string(),
  metric: Metric,
  alpha: z.number().nullable(),
  /** Parts of episodes that at least two reviewers judged. */
  units: z.number().int(),
  values: z.number().int(),
  same: z.number().nullable(),
  options: z.array(
    z.strictObject({
      option: z.string(),
      alpha: z.number().nullable(),
      chosen: z.number().int(),
      judgements: z.number().int(),
      overlap: z.number().nullable(),
    }),
  ),
});
export type AgreementRow = z.infer<typeof AgreementRow>;
