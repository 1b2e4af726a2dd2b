// What each expert was asked and answered.
import { z } from 'zod';
import { OWNER_READS } from './row.ts';

const EmptyInput = z.strictObject({});
const Count = z.number().int();

const ExpertFigures = z.strictObject({
  expert: z.string(),
  asked: Count,
  named: Count,
  answered: Count,
  declined: Count,
  drafts: z.strictObject({
    made: Count,
    failed: Count,
    accepted: Count,
    edited: Count,
    declined: Count,
    unused: Count,
  }),
  uptake: z.strictObject({ followed: Count, partly: Count, ignored: Count, contradicted: Count }),
  outcomes: z.strictObject({ episodes: Count, complete: Count }),
  median_answer_ms: z.number().nullable(),
  tokens: z.strictObject({ input: z.number(), output: z.number(), unknown: Count }),
});

export const experts = {
  /** Over every episode in which a question went to an expert. */
  'experts.figures': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({ episodes: Count, figures: z.array(ExpertFigures) }),
  },
} as const;
