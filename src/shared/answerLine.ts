// A line of a file that answers in a person's place.
import { z } from 'zod';

/** One line of an answers file. `ask` counts an episode's consultations from 1; without `task_idx` it is for any task. */
export const AnswerLine = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('accept'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
  }),
  z.strictObject({
    do: z.literal('send'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
    text: z.string().min(1),
  }),
  z.strictObject({
    do: z.literal('decline'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
    reason: z.string().min(1),
  }),
]);
export type AnswerLine = z.infer<typeof AnswerLine>;
