// Owns: the small projections a console shows: a line of the episode list, an item of the desk.
import { z } from 'zod';
import { Privilege } from '../events/actor.ts';
import { Condition, Fallback, Outcome } from '../events/lifecycle.ts';
import { Text } from '../events/text.ts';
import { FailureShape } from '../failure.ts';

export const Status = z.enum(['starting', 'running', 'waiting', 'ended']);

export const EpisodeRow = z.strictObject({
  id: z.string(),
  seq: z.number().int(),
  status: Status,
  outcome: Outcome.nullable(),
  failure: FailureShape.nullable(),
  environment: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** The first 300 characters of the task. */
  task: z.string().nullable(),
  condition: Condition,
  policy: z.string(),
  model: z.string().nullable(),
  started_at: z.number(),
  updated_at: z.number(),
  turns: z.number().int(),
  turn_limit: z.number().int(),
  consultations: z.number().int(),
  waiting: z.number().int(),
  tool_errors: z.number().int(),
  human_acts: z.number().int(),
  reward_type: z.string().nullable(),
  reward: z.number().nullable(),
});
export type EpisodeRow = z.infer<typeof EpisodeRow>;

/** One of the last steps before an ask: enough to see what was tried. */
export const Attempt = z.strictObject({
  turn: z.number().int(),
  tool_name: z.string(),
  /** Compact JSON, first 300 characters. */
  arguments: z.string(),
  /** First 600 characters of the error, or null when the call succeeded. */
  error: z.string().nullable(),
});
export type Attempt = z.infer<typeof Attempt>;

export const DeskItem = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  /** Last seq of the episode folded into this item; send it back as `seen_seq`. */
  seq: z.number().int(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: Text.nullable(),
  condition: Condition,
  turn: z.number().int(),
  turn_limit: z.number().int(),
  ask: z.number().int(),
  ask_limit: z.number().int(),
  asked_task: z.string().nullable(),
  question: Text.nullable(),
  asked_at: z.number(),
  deadline_at: z.number().nullable(),
  fallback: Fallback,
  draft: z
    .strictObject({
      id: z.string(),
      text: Text,
      generator: z.enum(['model', 'rule']),
      model: z.string().nullable(),
      privilege: Privilege,
    })
    .nullable(),
  draft_failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  attempts: z.array(Attempt),
  tool_names: z.array(z.string()),
});
export type DeskItem = z.infer<typeof DeskItem>;
