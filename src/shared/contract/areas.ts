// Every command, one row each: what goes in, what comes out. A new command is a row here and a handler in main.
import { z } from 'zod';
import { Saw, Timing } from '../events/actor.ts';
import { ApprovalRule, CallFallback } from '../events/stepIns.ts';
import {
  Admission,
  AgentSpec,
  Condition,
  ConfidenceRule,
  Fallback,
  GuideOutcome,
  Json,
  Limits,
  VerifierMode,
} from '../events/lifecycle.ts';
import { Recorded } from '../events/vocabulary.ts';
import { Spending } from '../episode/spending.ts';
import { FailureShape } from '../failureCodes.ts';
import { ADVICE_MAX } from '../truncate.ts';
import {
  ANY_OF_IT,
  EXPERT_READS,
  EXPERT_WRITES,
  OWNER_READS,
  OWNER_WRITES,
  EmptyInput,
  PageInput,
} from './row.ts';
import { EpisodeFilter, EpisodeOrder } from './library.ts';
import { Role } from './seat.ts';
import { EpisodeRow, Losses, MissedAsk, PastAdvice, Status } from '../episode/rowShapes.ts';

export const app = {
  'app.describe': {
    ...EXPERT_READS,
    input: EmptyInput,
    output: z.strictObject({
      version: z.string(),
      host: z.enum(['desktop', 'browser']),
      seat: z.string(),
      role: Role,
      /** Empty for an expert's seat. */
      data_folder: z.string(),
      /** Of the log, for the owner alone: it is written anew when something is erased. */
      log_bytes: z.number().int().nonnegative().optional(),
      agent_model: z.string().nullable(),
      expert_model: z.string().nullable(),
      notices: z.array(z.string()),
      /** What came with a data folder that was made elsewhere and waits for the owner's word; absent where nothing does. */
      came_with: z.array(z.string()).optional(),
      /** Whether a queue of reviews is for this seat. */
      may_review: z.boolean().optional(),
      /** Until an invited seat has gone through the guided first question, or skipped it. */
      is_guide_required: z.boolean().optional(),
      /** The cut that clients of the gateway are known to make; null for none. */
      cut_chars: z.number().int().positive().nullable(),
    }),
  },
  /** The owner's word on it: it holds from now on, or is removed. Not for keys to the console. */
  'folder.settle': {
    ...OWNER_WRITES,
    who: 'owner alone',
    input: z.strictObject({ keep: z.boolean() }),
    output: EmptyInput,
  },
  /** Gives up what this seat asked for under that name: a probe, an audit, a try. What is over is left alone. */
  'request.cancel': {
    ...EXPERT_READS,
    input: z.strictObject({ id: z.string().max(100) }),
    output: EmptyInput,
  },
  /** A stretch of a text stored beside the log. Offsets and lengths are UTF-16 units. */
  'text.read': {
    ...EXPERT_READS,
    input: z.strictObject({
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      offset: z.number().int().nonnegative(),
      length: z.number().int().min(1).max(1_000_000),
    }),
    output: z.strictObject({ text: z.string(), total: z.number().int() }),
  },
} as const;

/** Rollouts of one task that are started together. */
export const REPEATS_MAX = 64;

export const StartEpisode = z.strictObject({
  environment: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nonnegative().nullable(),
  agent: AgentSpec,
  condition: Condition,
  deadline_ms: z.number().int().positive().nullable(),
  fallback: Fallback,
  seed: z.number().int(),
  repeats: z.number().int().min(1).max(REPEATS_MAX),
  limits: Limits.partial(),
  /** Further reset kwargs, sent as they are. */
  reset: z.record(z.string(), Json),
  /** Experts' seats are shown neither reward, verdict nor uptake. */
  is_blinded: z.boolean().optional(),
  /** Experts' seats may look at the answer key; their advice is marked then. */
  is_key_open: z.boolean().optional(),
  /** Whether experts are shown what their calls return on a throw-away session; they are by default. */
  effect: z.enum(['shown', 'not_shown']).optional(),
  /** How the task is verified; by default as the settings say. */
  verifier_mode: VerifierMode.optional(),
  /** Asks a server that is not ours to keep the session's folder, so that its state can be read at the end. */
  keeps_session: z.boolean().optional(),
  /** The run it belongs to: the library finds its episodes by it. */
  run: z.string().min(1).max(200).optional(),
  /** How often connecting and resetting are tried again where that may help; not at all by default. */
  start_retries: z.number().int().min(0).max(20).optional(),
  /** Which asks come before a person; all of them by default. */
  admission: Admission.optional(),
  /** The agent states how sure it is of each move. */
  confidence: ConfidenceRule.optional(),
  /** The ended episode of the same task that a brief is written of; only, and always, with a brief. */
  baseline: z.string().optional(),
  /** Which calls need a person, how long they may wait, and what happens then. */
  approval: z
    .strictObject({
      rules: z.array(ApprovalRule).max(100),
      deadline_ms: z.number().int().positive().nullable(),
      fallback: CallFallback,
    })
    .optional(),
});
export type StartEpisode = z.infer<typeof StartEpisode>;

export const episodes = {
  'episodes.page': {
    ...EXPERT_READS,
    reveals: ['verdict'],
    input: z.strictObject({
      query: z.string().max(200),
      status: Status.nullable(),
      condition: Condition.nullable(),
      filter: EpisodeFilter.optional(),
      /** Newest first by default. */
      order: EpisodeOrder.optional(),
      ...PageInput,
    }),
    /** `seq`: the newest event of the log that these rows know of. */
    output: z.strictObject({
      total: z.number().int(),
      rows: z.array(EpisodeRow),
      seq: z.number().int(),
      /** Left out of those without advice, since nobody knows whether they had some; only where these are asked for. */
      help_unknown: z.number().int().optional(),
      /** What all matches spent on models together, where the filter names a run; absent where no model was asked. */
      spent: Spending.optional(),
    }),
  },
  'episode.start': {
    ...OWNER_WRITES,
    input: StartEpisode,
    output: z.strictObject({ episodes: z.array(z.string()) }),
  },
  'episode.stop': {
    ...OWNER_WRITES,
    input: z.strictObject({ episode: z.string(), reason: z.string().max(2000).nullable() }),
    output: EmptyInput,
  },
  /**
   * A person's word on an episode that broke off with the program: it goes on as the same episode, or ends as
   * interrupted, and can be resumed as a new one.
   */
  'episode.settle': {
    ...OWNER_WRITES,
    input: z.strictObject({ episode: z.string(), act: z.enum(['go_on', 'end']) }),
    output: EmptyInput,
  },
  'episode.read': {
    ...EXPERT_READS,
    reveals: ANY_OF_IT,
    input: z.strictObject({
      episode: z.string(),
      after: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(2000),
      /** Of the `limit` events after `after`, only those that may hold these words, case ignored. An expert’s seat gets all. */
      holding: z.string().max(1000).optional(),
    }),
    output: z.strictObject({ events: z.array(Recorded), last_n: z.number().int() }),
  },
  /** Whether an answer key is known, without telling any of it; why not, and how to come by it. */
  'answer_key.describe': {
    ...EXPERT_READS,
    input: z.strictObject({ episode: z.string() }),
    output: z.strictObject({
      is_known: z.boolean(),
      message: z.string().nullable(),
      next: z.string().nullable(),
    }),
  },
  /**
   * Shows what the verifier checks, and marks this seat's later advice on the task with what it saw. An expert's seat
   * may only where the run grants it.
   */
  'answer_key.show': {
    ...EXPERT_WRITES,
    reveals: ['criteria', 'reference'],
    input: z.strictObject({ episode: z.string() }),
    output: z.strictObject({
      criteria: z.string(),
      reference: z.string().nullable(),
      saw: z.array(Saw),
      /** The verifier's own code, where it is known. */
      verifier: z.string().nullable().optional(),
      /** The model that put the criteria into words; null where they stand in the data. */
      criteria_model: z.string().nullable().optional(),
    }),
  },
} as const;

export const desk = {
  /** Gives advice. `draft` is the draft it was edited from, or null when written without one. */
  'desk.answer': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      consultation: z.string(),
      text: z.string().min(1).max(ADVICE_MAX),
      draft: z.string().nullable(),
      seen_seq: z.number().int(),
      timing: Timing,
      /** Earlier advice whose words were used or read for this: what its authors had seen is inherited. */
      reused: z
        .array(z.strictObject({ episode: z.string(), consultation: z.string() }))
        .max(50)
        .optional(),
      /**
       * Other asks that get the same words with this one act. `seen_seq`: the last event of that episode that was shown;
       * without it that of the first ask counts.
       */
      also: z
        .array(
          z.strictObject({
            episode: z.string(),
            consultation: z.string(),
            seen_seq: z.number().int().optional(),
          }),
        )
        .max(200)
        .optional(),
    }),
    output: z.strictObject({
      seq: z.number().int(),
      act: z.enum(['accept', 'edit', 'send']),
      /** Of `also`: how many got it, and why the others did not. */
      also: z.strictObject({ answered: z.number().int(), failed: z.array(FailureShape) }),
    }),
  },
  /** Says that this seat is at it. Renewed while the person types, which also extends a near deadline. */
  'desk.claim': {
    ...EXPERT_WRITES,
    input: z.strictObject({ episode: z.string(), consultation: z.string(), is_typing: z.boolean() }),
    output: z.strictObject({ until: z.number(), deadline_at: z.number().nullable() }),
  },
  /** "I do not know": leaves it for another seat, without an outcome. */
  'desk.pass': {
    ...EXPERT_WRITES,
    input: z.strictObject({ episode: z.string(), consultation: z.string() }),
    output: EmptyInput,
  },
  /** Advice for an ask that is over. Never delivered; kept for that state. */
  'desk.advise_late': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      consultation: z.string(),
      text: z.string().min(1).max(ADVICE_MAX),
      timing: Timing,
    }),
    output: z.strictObject({ seq: z.number().int() }),
  },
  /**
   * Asks nobody answered in the last `within_ms`: still open to late advice, newest first. And what closing Interject
   * took since `lost_since` (UTC ms), of the last week.
   */
  'desk.missed': {
    ...EXPERT_READS,
    input: z.strictObject({
      lost_since: z.number(),
      within_ms: z.number().int().min(1).max(86_400_000),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.strictObject({ missed: z.array(MissedAsk), lost: Losses }),
  },
  /** Advice that people gave on similar asks, best match first. */
  'advice.similar': {
    ...EXPERT_READS,
    reveals: ANY_OF_IT,
    input: z.strictObject({
      episode: z.string(),
      consultation: z.string(),
      limit: z.number().int().min(1).max(20),
    }),
    output: z.strictObject({ advice: z.array(PastAdvice) }),
  },
  /** Another draft for an open ask, with words on what it should take into account. */
  'desk.redraft': {
    ...EXPERT_WRITES,
    input: z.strictObject({ episode: z.string(), consultation: z.string(), hint: z.string().max(10_000) }),
    output: z.strictObject({ draft: z.string() }),
  },
  /** What people's time came to. `reward_per_minute` is null until there are minutes to divide by. */
  'people.summary': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({
      minutes_last_hour: z.number(),
      minutes: z.number(),
      acts: z.number().int(),
      episodes: z.number().int(),
      reward: z.number(),
      reward_per_minute: z.number().nullable(),
    }),
  },
  /** What a seat says of itself: whether it takes questions, and that it is through with the guide or skipped it. */
  'seat.change': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      presence: z.enum(['on_duty', 'away', 'off']).optional(),
      guide: GuideOutcome.optional(),
    }),
    output: EmptyInput,
  },
  'desk.decline': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      consultation: z.string(),
      reason: z.string().min(1).max(10_000),
      seen_seq: z.number().int(),
      timing: Timing,
    }),
    output: z.strictObject({ seq: z.number().int() }),
  },
} as const;
