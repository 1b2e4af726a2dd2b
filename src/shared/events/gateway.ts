// Owns: the kinds of an episode that a foreign client plays through the tap, and of what its wire does not carry.
import { z } from 'zod';
import { NativeCall, Usage } from './turns.ts';
import { Text } from './text.ts';

/** What a client reads when a person's act changed its turn: pass it on marked, or end the episode as a server error. */
export const OnTouch = z.enum(['mark', 'discard']);
export type OnTouch = z.infer<typeof OnTouch>;

export const Touch = z.enum([
  'edited',
  'answered',
  'rejected',
  'set_aside',
  'stopped',
  'taken_over',
  'note_in_result',
]);
export type Touch = z.infer<typeof Touch>;

export const gatewayEvents = [
  z.strictObject({
    kind: z.literal('tap.opened'),
    /** Name of the key the client came with; never the key. */
    key: z.string(),
    user_agent: z.string().nullable(),
    /** Whether people may act through this tap, beyond advice and notes. */
    may_act: z.boolean(),
    on_touch: OnTouch,
    /** Held frames are released before this many ms: clients give up after a time of their own. */
    hold_limit_ms: z.number().int().positive(),
  }),
  /** A frame that is neither a reset, a step of a known action nor their reply; kept as it was. */
  z.strictObject({
    kind: z.literal('frame.passed'),
    direction: z.enum(['to_environment', 'to_client']),
    frame: Text,
  }),
  /** Frames went through that could not be written to the log: what is missing, from when to when (UTC ms). */
  z.strictObject({
    kind: z.literal('recording.gap'),
    from_at: z.number(),
    to_at: z.number(),
    frames: z.number().int().nonnegative(),
    reason: z.string(),
  }),
  /** A person changed what the client's turn did: its sampled tokens no longer earned what came back. */
  z.strictObject({
    kind: z.literal('turn.touched'),
    turn: z.number().int(),
    touch: Touch,
  }),
  /** `ask_expert` reached the wire: it was passed on unchanged, and never should have been there. */
  z.strictObject({ kind: z.literal('ask.leaked'), turn: z.number().int(), call: z.string() }),
  /** What the model wrote in a turn, told by the client or seen by the model proxy. */
  z.strictObject({
    kind: z.literal('turn.transcribed'),
    turn: z.number().int(),
    content: Text,
    reasoning: Text.nullable(),
    tool_calls: z.array(NativeCall),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    by: z.enum(['client', 'proxy']),
  }),
  /** All that the client's agent read and wrote so far, as chat messages in JSON; a later one supersedes it. */
  z.strictObject({
    kind: z.literal('conversation.told'),
    messages: Text,
    /** What the agent was offered natively, in JSON; null where that was not told. */
    tools: Text.nullable(),
    by: z.enum(['client', 'proxy']),
  }),
] as const;
