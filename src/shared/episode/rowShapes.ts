// The small projections a console shows: a line of the episode list, an item of the desk.
import { z } from 'zod';
import { Spending } from './spending.ts';
import { Privilege } from '../events/actor.ts';
import { Baseline, Link, Purpose } from '../events/consultations.ts';
import { Condition, Fallback, LiftArm, Outcome, Probe, Source } from '../events/lifecycle.ts';
import { CallFallback } from '../events/stepIns.ts';
import { Text } from '../events/textSchema.ts';
import { JsonObject } from '../events/turns.ts';
import { Routing } from '../experts/roster.ts';
import { FailureShape } from '../failureCodes.ts';
import { Leak } from '../leak.ts';
import { Suggestion } from '../events/stepIns.ts';
import { InterventionLift } from '../lift/intervention.ts';

export const Status = z.enum(['starting', 'running', 'waiting', 'ended']);

export const EpisodeRow = z.strictObject({
  id: z.string(),
  seq: z.number().int(),
  status: Status,
  outcome: Outcome.nullable(),
  failure: FailureShape.nullable(),
  environment: z.string(),
  /** Tells scenarios of one name in several environments apart; see `environmentKey`. */
  environment_key: z.string().optional(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** The first 300 characters of the task. */
  task: z.string().nullable(),
  condition: Condition.nullable(),
  source: Source,
  policy: z.string(),
  model: z.string().nullable(),
  started_at: z.number(),
  updated_at: z.number(),
  turns: z.number().int(),
  turn_limit: z.number().int().nullable(),
  consultations: z.number().int(),
  waiting: z.number().int(),
  tool_errors: z.number().int(),
  human_acts: z.number().int(),
  reward_type: z.string().nullable(),
  reward: z.number().nullable(),
  /** The last turns at a glance, one character each: see `stripOf`. */
  strip: z.string(),
  /** Since when a person is waited for; null while nobody is. */
  waiting_since: z.number().nullable(),
  /** The episode its first turns were copied from. */
  forked_from: z.string().nullable(),
  /** Rollouts of one prompt share it. */
  group: z.string().nullable(),
  /** A trainer's run and step, where it told. */
  run: z.string().nullable(),
  step: z.number().int().nullable(),
  /** Turns that a person changed for a client's agent. */
  touched: z.number().int(),
  /** Experts' seats are not shown how it went. */
  is_blinded: z.boolean().default(false),
  /** Set where reward and verdict were left out on the way to such a seat. */
  is_covered: z.boolean().default(false),
  /** Questions that got advice, and turns that a person labelled; absent from rows of before they were counted. */
  advised: z.number().int().optional(),
  /** There may have been help that nobody recorded: without advice in the log it need not be without help. */
  help_unknown: z.boolean().optional(),
  labels: z.number().int().optional(),
  /** What its models took; absent where none was asked. `cost` is null where a price is not known. */
  spent: Spending.optional(),
  /** Values in the advice given that the agent could not know; absent where none was measured. */
  leaked: z.number().int().optional(),
  /** Absent where the episode was played for its own sake. */
  probe: Probe.optional(),
  /** A continuation that measures what an answer was worth; absent from every other episode. */
  lift_arm: LiftArm.optional(),
  /** What advice in it was worth; absent where that was not measured. Of several the last causal figure, else the last. */
  lift: InterventionLift.optional(),
  /** It fails without asking; absent where it does not, or where a person dismissed that. */
  suggestion: Suggestion.optional(),
  /** It broke off with the program and goes on only with a person's word: since when, and why. Absent where it does not. */
  broke_off: z
    .strictObject({ at: z.number(), why: z.string(), came_with_folder: z.literal(true).optional() })
    .optional(),
  /** A call of it was sent, and its answer was lost with the program: it waits for a person. Absent where none does. */
  is_in_doubt: z.boolean().optional(),
  /** The person's own words on it; never part of the episode's events. */
  tags: z.array(z.string()).optional(),
});
export type EpisodeRow = z.infer<typeof EpisodeRow>;

/** One of the last steps before an ask: enough to see what was tried. */
export const Attempt = z.strictObject({
  turn: z.number().int(),
  tool_name: z.string(),
  /** Compact JSON, first 300 characters. */
  arguments: z.string(),
  /** First 600 characters of the error, or null where there was none. */
  error: z.string().nullable(),
  /**
   * What became of it. Absent from a recorded ask, where the error says it. `answered`: a person gave the result;
   * `unknown`: it was sent, and its answer was lost with the program.
   */
  fate: z.enum(['went_through', 'failed', 'rejected', 'answered', 'not_sent', 'unknown']).optional(),
  /** A person's reason for a rejection, or why it was not sent. */
  reason: z.string().nullable().optional(),
  /** Who made it: the agent, or a person in its place. */
  by: z.enum(['agent', 'human']).optional(),
  /** A person's move that is not to be learnt from. */
  is_discarded: z.boolean().optional(),
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
  condition: Condition.nullable(),
  turn: z.number().int(),
  turn_limit: z.number().int().nullable(),
  ask: z.number().int(),
  ask_limit: z.number().int().nullable(),
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
      /** How much of it the agent could not know; absent where it was not measured. */
      leak: Leak.optional(),
    })
    .nullable(),
  draft_failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  attempts: z.array(Attempt),
  tool_names: z.array(z.string()),
  /** The seat that is at it, and until when (UTC ms). */
  claim: z.strictObject({ seat: z.string(), until: z.number() }).nullable(),
  passed_by: z.array(z.string()),
  error_streak: z.number().int(),
  repeated_calls: z.number().int(),
  turns_left: z.number().int().nullable(),
  /** When its episode last went on after the program had been killed; absent where it never did. */
  restarted_at: z.number().optional(),
  via: z.enum(['loop', 'chat_completions', 'mcp']),
  link: Link.nullable(),
  /** A client's whole request as JSON, its criteria covered; null or absent where the loop asked. */
  request: Text.nullable().optional(),
  /** Where in `request` a mark stands for criteria. */
  covered: z.array(z.strictObject({ start: z.number().int(), end: z.number().int() })).optional(),
  /** So many characters of an answer its client takes, where it said so. */
  limit_chars: z.number().int().nullable().default(null),
  purpose: Purpose.optional(),
  /** It is a brief before the start, of this earlier run. */
  baseline: Baseline.optional(),
  /** Which expert it went to, and why; absent where no roster was set. */
  routed: Routing.optional(),
  /** The seat that may answer before others do; absent where every seat may. */
  first: z.strictObject({ seat: z.string(), until: z.number() }).optional(),
  /** Asks with the same task and the same failing call share it: one card may answer them all. */
  group: z.string(),
  /** Its episode stopped when Interject ended and goes on only with the owner's word; absent where it runs. */
  is_stopped: z.boolean().optional(),
});
export type DeskItem = z.infer<typeof DeskItem>;

/** A call that waits for approval, one that is in doubt, or an episode that stopped and waits for a person. */
export const HoldItem = z.strictObject({
  type: z.enum(['call', 'pause', 'doubt']),
  /** Unique: the episode and, for a call, its id. */
  key: z.string(),
  episode: z.string(),
  seq: z.number().int(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: Text.nullable(),
  turn: z.number().int(),
  turn_limit: z.number().int().nullable(),
  since: z.number(),
  deadline_at: z.number().nullable(),
  fallback: CallFallback.nullable(),
  /** Why it waits, in words: the rule, the breakpoint, who paused it. */
  why: z.string(),
  /** Of a client's agent: it hears of an act only what the tap lets through. */
  is_tapped: z.boolean().default(false),
  /** As on a question. */
  is_stopped: z.boolean().optional(),
  call: z
    .strictObject({ id: z.string(), tool_name: z.string(), arguments: JsonObject, said: z.string() })
    .nullable(),
  /** The call that was sent before a restart, at that time, and whose answer is lost. */
  doubt: z
    .strictObject({ id: z.string(), tool_name: z.string(), arguments: JsonObject, sent_at: z.number() })
    .optional(),
});
export type HoldItem = z.infer<typeof HoldItem>;

/** An ask that nobody answered in time: it may still get advice that is never delivered. */
export const MissedAsk = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: Text.nullable(),
  turn: z.number().int(),
  asked_task: z.string().nullable(),
  question: Text.nullable(),
  asked_at: z.number(),
  missed_at: z.number(),
  reason: z.enum(['deadline', 'nobody', 'not_admitted']),
  /** The rule that kept it from people. */
  rule: z.enum(['open', 'share', 'capacity', 'hourly_budget']).nullable(),
  via: DeskItem.shape.via,
  link: Link.nullable(),
  attempts: z.array(Attempt),
  /** Late advice it has got since. */
  late: z.number().int(),
});
export type MissedAsk = z.infer<typeof MissedAsk>;

/** Counts of what waited and was lost because Interject closed, or was killed. */
export const Losses = z.strictObject({
  episodes: z.number().int(),
  questions: z.number().int(),
  /** Held calls. */
  calls: z.number().int(),
  /** When the last of it was lost (UTC ms); 0 where nothing was. */
  at: z.number(),
});
export type Losses = z.infer<typeof Losses>;

/** Advice a person gave before, and how its episode ended. */
export const PastAdvice = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  environment_key: z.string().optional(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** How its task begins; absent where its environment told none. */
  task: z.string().optional(),
  text: Text,
  at: z.number(),
  privilege: Privilege,
  /** The verifier's word on the episode; null while it runs, or where nothing was verified. */
  reward_type: z.string().nullable(),
});
export type PastAdvice = z.infer<typeof PastAdvice>;

export const SeatRow = z.strictObject({ seat: z.string(), presence: z.enum(['on_duty', 'away', 'off']) });
export type SeatRow = z.infer<typeof SeatRow>;
