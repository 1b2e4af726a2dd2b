// The kinds of an episode that a foreign client plays through the tap, and of what its wire does not carry.
import { z } from 'zod';
import { Usage } from './prices.ts';
import { NativeCall } from './turns.ts';
import { Text } from './textSchema.ts';
import { defineKind, NOTED } from './kind.ts';
import { COVERED } from './outcome.ts';

/** Handling of a turn that a person's act changed: passed on marked, or the episode ends as a server error. */
export const OnTouch = z.enum(['mark', 'discard']);
export type OnTouch = z.infer<typeof OnTouch>;

/** Fate of a client's held call when nobody decides in time: refused, or executed all the same. */
export const HoldFallback = z.enum(['reject', 'approve']);
export type HoldFallback = z.infer<typeof HoldFallback>;

/** `expired`: nobody did anything, and the agent read that nobody approved the call in time. */
export const Touch = z.enum([
  'edited',
  'answered',
  'rejected',
  'expired',
  'set_aside',
  'stopped',
  'taken_over',
  'note_in_result',
]);
export type Touch = z.infer<typeof Touch>;

export const gatewayEvents = [
  defineKind('tap.opened', {
    /** Name of the key the client came with; never the key. */
    key: z.string(),
    /** Its id: a client's own names hold within it. */
    key_id: z.string(),
    user_agent: z.string().nullable(),
    /** Whether people may act through this tap, beyond advice and notes. */
    may_act: z.boolean(),
    on_touch: OnTouch,
    /** A held call is decided before this many ms: clients give up after a time of their own. */
    hold_limit_ms: z.number().int().positive(),
    /** Absent: nobody chose that a call which nobody decides is executed. */
    hold_fallback: HoldFallback.optional(),
  })(NOTED),
  /** A frame that is neither a reset, a step of a known action nor their reply; kept as it was. */
  defineKind('frame.passed', {
    direction: z.enum(['to_environment', 'to_client']),
    frame: Text,
  })({ ...NOTED, outcome: { frame: COVERED } }),
  /** Frames went through that could not be written to the log: what is missing, from when to when (UTC ms). */
  defineKind('recording.gap', {
    from_at: z.number(),
    to_at: z.number(),
    frames: z.number().int().nonnegative(),
    reason: z.string(),
  })(NOTED),
  /** The client's turn did not go on as it was: its sampled tokens no longer earned what came back. */
  defineKind('turn.touched', {
    turn: z.number().int(),
    touch: Touch,
  })(NOTED),
  /** `ask_expert` reached the wire: it was passed on unchanged, and never should have been there. */
  defineKind('ask.leaked', { turn: z.number().int(), call: z.string() })(NOTED),
  /** What the model wrote in a turn, told by the client or seen by the model proxy. */
  defineKind('turn.transcribed', {
    turn: z.number().int(),
    content: Text,
    reasoning: Text.nullable(),
    tool_calls: z.array(NativeCall),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    by: z.enum(['client', 'proxy']),
  })({ ...NOTED, words: ['tool_calls'], search: ['message', 'content', 'reasoning'] }),
  /** What the client's agent read and wrote, as chat messages in JSON. A later one supersedes it, or goes on from it. */
  defineKind('conversation.told', {
    messages: Text,
    /** `messages` go on from those told before; absent where they are all there are. */
    follows: z.literal(true).optional(),
    /** What the agent was offered natively, in JSON; null where that was not told. */
    tools: Text.nullable(),
    by: z.enum(['client', 'proxy']),
    /** The client declares that its agent has no expert but this one. */
    no_other_expert: z.literal(true).optional(),
  })({ ...NOTED, inPlace: ['messages', 'tools'] }),
] as const;
