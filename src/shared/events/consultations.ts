// Owns: the kinds of one consultation, from asked to delivered.
// Drafted, decided and delivered are separate facts; a timeout or a cancel is never a rejection.
import { z } from 'zod';
import { Privilege } from './actor.ts';
import { Fallback } from './lifecycle.ts';
import { Usage } from './turns.ts';
import { Text } from './text.ts';

/** UTC ms and active ms of one human decision; null where it was not measured. */
export const Timing = z.strictObject({
  first_seen_at: z.number().nullable(),
  active_ms: z.number().nullable(),
});
export type Timing = z.infer<typeof Timing>;

export const Act = z.enum(['accept', 'edit', 'send']);
export type Act = z.infer<typeof Act>;

export const DeliveredAs = z.enum(['advice', 'draft', 'declined', 'timed_out', 'nobody']);
export type DeliveredAs = z.infer<typeof DeliveredAs>;

export const consultationEvents = [
  z.strictObject({
    kind: z.literal('consultation.asked'),
    consultation: z.string(),
    turn: z.number().int(),
    call: z.string().nullable(),
    trigger: z.enum(['agent_call', 'error', 'stall', 'operator']),
    task: z.string().nullable(),
    available_tools: z.string().nullable(),
    question: Text.nullable(),
    /** Who may answer: a person, or the advisor alone. */
    answered_by: z.enum(['human', 'model', 'nobody']),
    deadline_at: z.number().nullable(),
    fallback: Fallback,
  }),
  z.strictObject({
    kind: z.literal('advice.drafted'),
    consultation: z.string(),
    draft: z.string(),
    text: Text,
    generator: z.enum(['model', 'rule']),
    model: z.string().nullable(),
    privilege: Privilege,
    usage: Usage.nullable(),
    latency_ms: z.number().nullable(),
  }),
  z.strictObject({
    kind: z.literal('advice.draft_failed'),
    consultation: z.string(),
    draft: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  z.strictObject({
    kind: z.literal('advice.approved'),
    consultation: z.string(),
    /** accept = the draft as it is; edit = the draft changed; send = written without a draft. */
    act: Act,
    text: Text,
    draft: z.string().nullable(),
    privilege: Privilege,
    /** The last seq of the episode that the decider had been shown. */
    seen_seq: z.number().int(),
    timing: Timing,
  }),
  z.strictObject({
    kind: z.literal('advice.declined'),
    consultation: z.string(),
    reason: z.string(),
    seen_seq: z.number().int(),
    timing: Timing,
  }),
  z.strictObject({
    kind: z.literal('consultation.expired'),
    consultation: z.string(),
    fallback: Fallback,
    reason: z.enum(['deadline', 'nobody']),
  }),
  z.strictObject({
    kind: z.literal('consultation.cancelled'),
    consultation: z.string(),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal('advice.delivered'),
    consultation: z.string(),
    as: DeliveredAs,
    /** Exactly what the agent reads in answer to its ask, nudges not included. */
    text: Text,
    full_length: z.number().int(),
    delivered_length: z.number().int(),
    privilege: Privilege,
  }),
] as const;
