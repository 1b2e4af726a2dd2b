// The kinds of a person's acts on a running episode other than advice: control, approvals, notes, take-over. What was
// proposed is `move.proposed`; what was decided stands here; what took effect is `call.sent`.
import { z } from 'zod';
import { Privilege, Timing } from './actor.ts';
import { CallFallback } from './lifecycle.ts';
import { Text } from './textSchema.ts';
import { JsonObject, Move } from './turns.ts';
import { defineKind, DESK_STEP, NOTED, searched, SHOWN_STEP, STEP } from './kind.ts';
import { inherited } from './outcome.ts';

export const Phase = z.enum(['autonomous', 'paused', 'correcting']);
export type Phase = z.infer<typeof Phase>;

export const PhaseCause = z.enum(['person', 'step', 'breakpoint', 'rejections']);
export type PhaseCause = z.infer<typeof PhaseCause>;

/** A stop set beforehand. A glob takes `*` for anything; a pattern is a plain part of the arguments' JSON. */
export const Breakpoint = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('tool'), glob: z.string().min(1), argument: z.string().nullable() }),
  z.strictObject({ on: z.literal('error') }),
  z.strictObject({ on: z.literal('repeated_call') }),
  z.strictObject({ on: z.literal('consultation') }),
  z.strictObject({ on: z.literal('final') }),
  /** Tokens of the episode so far, input and output. */
  z.strictObject({ on: z.literal('tokens'), above: z.number().int().positive() }),
]);
export type Breakpoint = z.infer<typeof Breakpoint>;

/** Rule for calls that need a person. The first rule that fits decides. */
export const ApprovalRule = z.strictObject({
  glob: z.string().min(1),
  argument: z.string().nullable(),
  /**
   * `auto`: goes through. `ask`: waits for a person. `first`: the first `count` wait, later ones go through.
   * `escalate`: goes through until `count` such calls ended in an error or were rejected or edited; later ones wait.
   */
  does: z.enum(['auto', 'ask', 'first', 'escalate']),
  count: z.number().int().positive().nullable(),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

export { CallFallback };

const decided = { seen_seq: z.number().int(), timing: Timing } as const;

export const SuggestionReason = z.strictObject({
  rule: z.enum(['errors', 'repeats', 'stall']),
  count: z.number().int(),
  /** The call that is made again and again. */
  tool_name: z.string().nullable(),
});
export type SuggestionReason = z.infer<typeof SuggestionReason>;

/** `level` counts the steps of trouble over all reasons: it grows only when things get worse. */
export const Suggestion = z.strictObject({
  level: z.number().int().positive(),
  reasons: z.array(SuggestionReason).min(1),
});
export type Suggestion = z.infer<typeof Suggestion>;

export const stepInEvents = [
  defineKind('phase.changed', {
    from: Phase,
    to: Phase,
    cause: PhaseCause,
    reason: z.string().nullable(),
    /** The model's reply that is being written is given up; otherwise the change takes effect between turns. */
    at_once: z.boolean(),
  })({ ...SHOWN_STEP, words: ['reason'], search: ['note', 'reason'], isDecision: true }),
  defineKind('breakpoint.set', { breakpoint: z.string(), at: Breakpoint })(NOTED),
  defineKind('breakpoint.cleared', { breakpoint: z.string() })(NOTED),
  defineKind('breakpoint.hit', {
    breakpoint: z.string(),
    turn: z.number().int(),
    call: z.string().nullable(),
  })(NOTED),
  defineKind('policy.changed', { rules: z.array(ApprovalRule) })(NOTED),
  defineKind('call.held', {
    call: z.string(),
    turn: z.number().int(),
    why: z.enum(['rule', 'breakpoint', 'step', 'confidence']),
    rule: z.string().nullable(),
    deadline_at: z.number().nullable(),
    fallback: CallFallback,
  })(SHOWN_STEP),
  /** The wall clock has jumped, or the program was away: until when the call waits, by the clock of now. */
  defineKind('call.extended', { call: z.string(), deadline_at: z.number() })({ ...NOTED, isDeskNews: true }),
  /** The rule that let a call go through without asking anyone. */
  defineKind('call.waived', { call: z.string(), rule: z.string() })(SHOWN_STEP),
  defineKind('call.approved', {
    call: z.string(),
    /** Absent where nobody recorded it. */
    privilege: Privilege.optional(),
    ...decided,
  })({ ...DESK_STEP, settles: 'call', work: 'decision', isDecision: true }),
  defineKind('call.edited', {
    call: z.string(),
    tool_name: z.string(),
    arguments: JsonObject,
    reason: z.string().nullable(),
    privilege: Privilege,
    ...decided,
  })({
    ...DESK_STEP,
    settles: 'call',
    work: 'decision',
    words: ['arguments', 'reason'],
    search: ({ tool_name, arguments: args, reason }) =>
      searched('call', [tool_name, JSON.stringify(args), reason]),
    isDecision: true,
  }),
  defineKind('call.rejected', {
    call: z.string(),
    reason: z.string(),
    privilege: Privilege,
    ...decided,
  })({
    ...DESK_STEP,
    settles: 'call',
    work: 'decision',
    words: ['reason'],
    search: ['note', 'reason'],
    isDecision: true,
  }),
  /** A person gave the tool's result. It is fabricated: the environment never saw the call. */
  defineKind('call.answered', {
    call: z.string(),
    text: Text,
    is_error: z.boolean(),
    privilege: Privilege,
    ...decided,
  })({ ...DESK_STEP, settles: 'call', work: 'decision', search: ['result', 'text'], isDecision: true }),
  defineKind('call.expired', { call: z.string(), fallback: CallFallback })({
    ...DESK_STEP,
    settles: 'call',
    work: null,
  }),
  defineKind('call.cancelled', { call: z.string(), reason: z.string() })({
    ...DESK_STEP,
    settles: 'call',
    work: null,
    words: ['reason'],
  }),
  /** Unasked words; the agent reads them at its next turn. */
  defineKind('note.interjected', {
    note: z.string(),
    text: Text,
    privilege: Privilege,
    timing: Timing,
  })({ ...STEP, search: ['note', 'text'], isDecision: true, work: 'writing', reveals: inherited }),
  defineKind('note.delivered', { note: z.string(), turn: z.number().int() })(STEP),
  /** A running episode was pointed out on the desk, which nobody had asked for. Written once for a level. */
  defineKind('suggestion.shown', Suggestion.shape)(NOTED),
  /** What a person made of it. `watch` and `step_in` open the episode; the step-in itself is logged as what it is. */
  defineKind('suggestion.answered', {
    level: z.number().int(),
    act: z.enum(['watch', 'step_in', 'dismiss']),
  })(NOTED),
  /** A take-over whose moves are not to be learnt from; they stay in the log. */
  defineKind('correction.discarded', {
    from_turn: z.number().int(),
    to_turn: z.number().int(),
    reason: z.string().nullable(),
  })({ ...STEP, words: ['reason'], search: ['note', 'reason'], isDecision: true }),
  /** What the expert would have done at this state; the agent was not interrupted. */
  defineKind('label.given', {
    turn: z.number().int(),
    move: Move,
    agrees: z.boolean(),
    privilege: Privilege,
    timing: Timing,
    /** The share of turns whose label was asked for, drawn turn by turn; null when every such turn was. */
    beta: z.number().min(0).max(1).nullable(),
  })({ ...NOTED, words: ['move'], isDecision: true }),
] as const;
