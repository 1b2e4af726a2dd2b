// The kinds of one consultation, from asked to delivered. Drafted, decided and delivered are separate facts; a
// timeout or a cancel is never a rejection.
import { z } from 'zod';
import { Privilege, Timing } from './actor.ts';
import { Fallback } from './lifecycle.ts';
import { Leak } from '../leak.ts';
import { Routing } from '../experts/roster.ts';
import { SplitSide } from '../split.ts';
import { Usage } from './prices.ts';
import { FailureShape } from '../failureCodes.ts';
import { Text } from './textSchema.ts';
import { defineKind, DESK_STEP, NOTED, SHOWN_STEP } from './kind.ts';
import { inherited } from './outcome.ts';

export const DraftRef = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  draft: z.string(),
});
export type DraftRef = z.infer<typeof DraftRef>;

/** The use of a draft, whichever ask it was made for. */
export const Act = z.enum(['accept', 'edit', 'send']);
export type Act = z.infer<typeof Act>;

/**
 * The link of a client's ask to a tapped episode: the client named it, or (`only_live`) it is the only episode that its
 * key ever began, which is shown and never makes rows. `score` is 1 for these and 0 for `none`.
 */
export const Link = z.strictObject({
  by: z.enum(['key', 'header', 'metadata', 'only_live', 'none']),
  score: z.number().min(0).max(1),
  /** Why it was not linked; absent where it was. */
  why: z.enum(['no_episode', 'not_here', 'unnamed', 'ambiguous', 'not_recorded']).optional(),
});
export type Link = z.infer<typeof Link>;

/** A person's words to the advisor, with the seat they came from. */
export const Hint = z.strictObject({ text: z.string(), seat: z.string() });
export type Hint = z.infer<typeof Hint>;

/**
 * A stretch of a client's request that tells what the verifier checks. `request` holds a mark from `start` to `end` in
 * its place; `text` is what stood there, null on its way to a screen.
 */
export const CoveredSpan = z.strictObject({
  start: z.number().int(),
  end: z.number().int(),
  text: Text.nullable(),
});
export type CoveredSpan = z.infer<typeof CoveredSpan>;

/** The client's purpose: advice for its agent, or a verifier distilled into criteria. */
export const Purpose = z.enum(['advice', 'analysis']);
export type Purpose = z.infer<typeof Purpose>;

/** The episode a brief is made of, its verdict, and whether the task is known not to be held out. */
export const Baseline = z.strictObject({
  episode: z.string(),
  reward_type: z.string().nullable(),
  split: SplitSide,
});
export type Baseline = z.infer<typeof Baseline>;

export const DeliveredAs = z.enum(['advice', 'draft', 'declined', 'timed_out', 'nobody']);
export type DeliveredAs = z.infer<typeof DeliveredAs>;

/** Sign by which a returning client was told from others who ask the same. */
export const RejoinedBy = z.enum(['idempotency_key', 'retry']);
export type RejoinedBy = z.infer<typeof RejoinedBy>;

export const consultationEvents = [
  defineKind('consultation.asked', {
    consultation: z.string(),
    turn: z.number().int(),
    call: z.string().nullable(),
    /** `confidence`: the agent was unsure of a call, which was not made. `brief`: nobody asked; it is written before the agent starts, of an earlier run of the task. */
    trigger: z.enum(['agent_call', 'error', 'stall', 'operator', 'brief', 'confidence']),
    task: z.string().nullable(),
    available_tools: z.string().nullable(),
    question: Text.nullable(),
    /** Who may answer: a person, or the advisor alone. */
    answered_by: z.enum(['human', 'model', 'nobody']),
    deadline_at: z.number().nullable(),
    fallback: Fallback,
    /** The door it came through: our own loop, or a client's request. */
    via: z.enum(['loop', 'chat_completions', 'mcp']),
    /** A client's whole request as JSON (messages, tools); null where the loop asked. */
    request: Text.nullable(),
    /** How it was matched to its episode; null where there was nothing to match. */
    link: Link.nullable(),
    /** What of the request was recognised as criteria; absent where the loop asked. */
    covered: z.array(CoveredSpan).optional(),
    /** So many characters of an answer its client takes, as it said; absent where it said nothing. */
    limit_chars: z.number().int().positive().optional(),
    /** By what its client finds it again: digests of the request and of the client's own name for it. */
    client: z
      .strictObject({ request_sha256: z.string(), idempotency_sha256: z.string().nullable() })
      .optional(),
    /** What the request tells of the answer; whoever answers it inherits that. Absent where the loop asked. */
    privilege: Privilege.optional(),
    purpose: Purpose.optional(),
    /** The earlier run that a brief is written of. */
    baseline: Baseline.optional(),
    /** Which expert it went to, and why; absent where no roster of experts was set. */
    routed: Routing.optional(),
  })({
    ...SHOWN_STEP,
    words: ['task', 'available_tools', 'covered', 'routed'],
    search: ['advice', 'task', 'question'],
  }),
  /** A model was asked what the task's verifier checks, or its words were there already. The words are not in the log. */
  defineKind('criteria.prepared', {
    /** Whose words are used: the model's, or those of the environment's data where it failed. */
    from: z.enum(['model', 'data']),
    verifier_sha256: z.string(),
    prompt_sha256: z.string(),
    model: z.string().nullable(),
    /** Nothing was spent for this episode; `usage` is what the words cost when they were made. */
    is_cached: z.boolean(),
    usage: Usage.nullable(),
    latency_ms: z.number(),
    failure: FailureShape.nullable(),
  })(NOTED),
  defineKind('advice.drafted', {
    consultation: z.string(),
    draft: z.string(),
    text: Text,
    generator: z.enum(['model', 'rule']),
    model: z.string().nullable(),
    privilege: Privilege,
    usage: Usage.nullable(),
    latency_ms: z.number().nullable(),
    /** What a person asked this draft to take into account; absent from a draft nobody asked for. */
    hint: Hint.optional(),
    /** How much of it the agent could not know; absent where nothing of the answer is known here. */
    leak: Leak.optional(),
    /** The expert of the roster whose model wrote it; absent from the advisor's own. */
    expert: z.string().optional(),
  })({ ...SHOWN_STEP, words: ['hint', 'leak'], search: ['advice', 'text'], reveals: inherited }),
  defineKind('advice.draft_failed', {
    consultation: z.string(),
    draft: z.string(),
    hint: Hint.optional(),
    code: z.string(),
    message: z.string(),
    expert: z.string().optional(),
  })({ ...SHOWN_STEP, words: ['hint', 'message'] }),
  defineKind('advice.approved', {
    consultation: z.string(),
    /** accept = the draft as it is; edit = the draft changed; send = written without a draft. */
    act: Act,
    text: Text,
    draft: z.string().nullable(),
    /** The draft of another ask it came from: one act answered both, and this one has no draft of the same words. */
    draft_from: DraftRef.optional(),
    privilege: Privilege,
    /** The one human act behind several copies of the same advice; counted once. Null for an act of its own. */
    human_act: z.string().nullable(),
    /** The last seq of the episode that the decider had been shown. */
    seen_seq: z.number().int(),
    timing: Timing,
    /** How much of it the agent could not know; absent where nothing of the answer is known here. */
    leak: Leak.optional(),
    /** The expert of the roster who answered; absent where it was nobody of it. */
    expert: z.string().optional(),
  })({
    ...DESK_STEP,
    settles: 'question',
    work: 'decision',
    words: ['leak'],
    search: ['advice', 'text'],
    isDecision: true,
    isProjected: true,
    reveals: inherited,
  }),
  defineKind('advice.declined', {
    consultation: z.string(),
    reason: z.string(),
    seen_seq: z.number().int(),
    timing: Timing,
    expert: z.string().optional(),
  })({
    ...DESK_STEP,
    settles: 'question',
    work: 'decision',
    words: ['reason'],
    search: ['advice', 'reason'],
    isDecision: true,
    isProjected: true,
  }),
  defineKind('consultation.expired', {
    consultation: z.string(),
    fallback: Fallback,
    /** `nobody`: no seat was on duty. `not_admitted`: the rule kept it from people. */
    reason: z.enum(['deadline', 'nobody', 'not_admitted']),
  })({ ...DESK_STEP, settles: 'question', work: null }),
  /** Whether a person is asked at all, decided when the ask arrives. */
  defineKind('consultation.admitted', {
    consultation: z.string(),
    is_admitted: z.boolean(),
    rule: z.enum(['open', 'share', 'capacity', 'hourly_budget']),
    /** The sampled share and the number drawn in [0, 1), where the rule drew one. */
    p: z.number().nullable(),
    draw: z.number().nullable(),
  })(SHOWN_STEP),
  /** The seat that was to see it first did not answer: from here on every seat may. */
  defineKind('consultation.opened', {
    consultation: z.string(),
    why: z.enum(['time', 'passed', 'left']),
  })({ ...NOTED, isDeskNews: true }),
  /** A seat is at it until `until` (UTC ms); others see that. It keeps nobody from answering. */
  defineKind('consultation.claimed', {
    consultation: z.string(),
    seat: z.string(),
    until: z.number(),
  })({ ...NOTED, isDeskNews: true }),
  /** "I do not know": left for another seat, no outcome. */
  defineKind('consultation.passed', { consultation: z.string(), seat: z.string() })({
    ...NOTED,
    isDeskNews: true,
  }),
  /** Its client had lost its connection and is there again. */
  defineKind('consultation.rejoined', { consultation: z.string(), by: RejoinedBy })(NOTED),
  defineKind('consultation.extended', {
    consultation: z.string(),
    deadline_at: z.number(),
  })({ ...NOTED, isDeskNews: true }),
  defineKind('consultation.cancelled', {
    consultation: z.string(),
    reason: z.string(),
  })({ ...DESK_STEP, settles: 'question', work: null, words: ['reason'] }),
  defineKind('advice.delivered', {
    consultation: z.string(),
    as: DeliveredAs,
    /** Exactly what the agent reads in answer to its ask, nudges not included. */
    text: Text,
    full_length: z.number().int(),
    delivered_length: z.number().int(),
    privilege: Privilege,
    /** `client`: given to a client's request; what it does with the text is not seen. */
    to: z.enum(['agent', 'client']),
  })({ ...SHOWN_STEP, reveals: inherited }),
] as const;

/** Kinds of a `late/<episode>` stream: advice that came after the ask was over. Never delivered, kept for that state. */
export const lateEvents = [
  defineKind('advice.late', {
    episode: z.string(),
    consultation: z.string(),
    text: Text,
    privilege: Privilege,
    timing: Timing,
  })({ ...NOTED, search: ['advice', 'text'], isDecision: true, isDeskNews: true, reveals: inherited }),
] as const;
