// The kinds that open and close an episode and its connection to the environment.
import { ExactNumber } from '../json.ts';
import { z } from 'zod';
import { Arm, HintTier } from '../curriculum/rollout.ts';
import { FailureShape } from '../failureCodes.ts';
import { Saw } from './actor.ts';
import { Roster } from '../experts/roster.ts';
import { ModelPrice } from './prices.ts';
import { Text } from './textSchema.ts';
import { defineKind, NOTED, searched, STEP } from './kind.ts';
import { COVERED, verdictIn, verdictUnless } from './outcome.ts';

export const Condition = z.enum(['none', 'model', 'human', 'human+draft', 'brief', 'brief+human']);
export type Condition = z.infer<typeof Condition>;

/** The fallback when nobody answers in time: keep waiting, send the draft, or go on without advice. */
export const Fallback = z.enum(['wait', 'draft', 'proceed']);
export type Fallback = z.infer<typeof Fallback>;

/** Ways to verify a task where its environment knows both: a program alone, or a model that reads its evidence. */
export const VerifierMode = z.enum(['code', 'sql']);
export type VerifierMode = z.infer<typeof VerifierMode>;

/** The fallback for a held call that nobody decides in time. */
export const CallFallback = z.enum(['wait', 'approve', 'reject']);
export type CallFallback = z.infer<typeof CallFallback>;

export const Limits = z.strictObject({
  turns: z.number().int().positive(),
  consultations: z.number().int().nonnegative(),
  /** Wall clock of the whole episode; time spent waiting for a person does not count. */
  time_ms: z.number().int().positive(),
  /** Steps without an ask before the agent is reminded that it may ask. */
  stall_steps: z.number().int().positive(),
  /** Characters of a tool response the agent reads; what is cut is recorded with both lengths. */
  delivered_chars: z.number().int().positive(),
  /** Tokens of models, in and out together; absent for no such limit. */
  tokens: z.number().int().positive().optional(),
  /** Money for models, in the currency of the prices; absent for no such limit. */
  cost: z.number().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

/** The limits that end an episode, or all episodes of a run. */
export const BudgetName = z.enum(['turns', 'time_ms', 'tokens', 'cost']);
export type BudgetName = z.infer<typeof BudgetName>;
export type Budget = Partial<Record<BudgetName, number>>;
/** Source of a limit. `start`: whoever started the episode, on the command line by a flag. */
export const LimitSource = z.enum(['start', 'settings', 'default']);
export type LimitSource = z.infer<typeof LimitSource>;
/** The budget of all episodes that were started together. */
export const SharedBudget = z.strictObject({
  /** Which of them share it: the same in each. */
  id: z.string(),
  limits: z.partialRecord(BudgetName, z.number().positive()),
  from: z.partialRecord(BudgetName, LimitSource),
});
export type SharedBudget = z.infer<typeof SharedBudget>;
/** The limit that ended an episode: its own, or that of all episodes of its run together. */
export const ReachedLimit = z.strictObject({
  name: BudgetName,
  of: z.enum(['episode', 'run']),
  value: z.number(),
  from: LimitSource,
});
export type ReachedLimit = z.infer<typeof ReachedLimit>;

/** The agent states how sure it is of each move; a call below the limit goes to the desk or to the advisor first. */
export const ConfidenceRule = z.strictObject({
  /** In [0, 1]; null where it is only recorded. */
  below: z.number().min(0).max(1).nullable(),
  to: z.enum(['desk', 'advisor']),
});
export type ConfidenceRule = z.infer<typeof ConfidenceRule>;

/** Rules on which asks come before a person. Each limit is off with null. */
export const Admission = z.strictObject({
  /** Share of asks, drawn one by one, in [0, 1]. */
  share: z.number().min(0).max(1).nullable(),
  /** Questions that may wait at once, per seat on duty. */
  capacity: z.number().int().positive().nullable(),
  /** Minutes of people's active time in the last hour. */
  hourly_minutes: z.number().positive().nullable(),
});
export type Admission = z.infer<typeof Admission>;
export const ADMIT_EVERYTHING: Admission = { share: null, capacity: null, hourly_minutes: null };

/** An episode's agent. `human`: a person makes every move from the action form, and no model is asked. */
export const AgentSpec = z.strictObject({
  policy: z.enum(['rehearsal', 'chat', 'human']),
  protocol: z.enum(['native', 'xml']),
  model: z.string().nullable(),
  /** The named model profile that was chosen; absent where the agent's own model acts. */
  profile: z.string().optional(),
});
export type AgentSpec = z.infer<typeof AgentSpec>;

/** The actor in an episode, ours or not. `foreign`: a client's own agent, of which the wire shows only the calls. */
const ActingAgent = z.strictObject({
  policy: z.enum(['rehearsal', 'chat', 'human', 'foreign']),
  protocol: z.enum(['native', 'xml']).nullable(),
  model: z.string().nullable(),
  profile: z.string().optional(),
  /** Where its model was asked when the episode began: no user, no query, no key. Absent where none was. */
  base_url: z.string().optional(),
  /** Its reasoning was never to be sent back to it. Absent where it was, as far as its server takes it. */
  reasoning: z.literal('off').optional(),
});
type ActingAgent = z.infer<typeof ActingAgent>;

/** Agent that a start asks for: its model, and not where or how that is reached. */
export const askedAgent = ({
  base_url: _address,
  reasoning: _reasoning,
  ...agent
}: ActingAgent): Omit<ActingAgent, 'base_url' | 'reasoning'> => agent;

/**
 * The source of an episode: our own loop, a client of the tap, a client of the expert doors whose episode is not seen,
 * or a file.
 */
export const Source = z.enum(['run', 'tap', 'ask', 'import']);
export type Source = z.infer<typeof Source>;

/** A trainer's name for the place of an episode in its run (reset kwargs `interject_*`). */
export const TrainerRef = z.strictObject({
  run: z.string().nullable(),
  step: z.number().int().nullable(),
  checkpoint: z.string().nullable(),
  /** The client's own id of the episode. */
  episode: z.string().nullable(),
  /** Whether it may ask an expert, and the hint in its prompt; absent where the trainer did not say. */
  arm: Arm.optional(),
  hint: HintTier.optional(),
});
export type TrainerRef = z.infer<typeof TrainerRef>;

/** Played to learn about a task: left untouched, or tried by an agent before it is trained. Never training data. */
export const Probe = z.enum(['no_op', 'zero_shot']);
export type Probe = z.infer<typeof Probe>;
/** `is_key_withheld`: nobody who advises gets success criteria or the answer. */
export const BenchRef = z.strictObject({ arm: z.string(), is_key_withheld: z.boolean() });
export type BenchRef = z.infer<typeof BenchRef>;

/** Arm of a continuation: it goes on with the advice that was given, or with the answer that nobody is there. */
export const LiftArm = z.enum(['with', 'without']);
export type LiftArm = z.infer<typeof LiftArm>;
/**
 * A continuation that measures what one answer was worth. Never counted with episodes that were played for their own
 * sake, and never training data.
 */
export const LiftRef = z.strictObject({
  lift: z.string(),
  /** The answered question, in the episode that it goes on from. */
  episode: z.string(),
  consultation: z.string(),
  arm: LiftArm,
  /** Which of the arm's continuations it is, from 1. */
  number: z.number().int().positive(),
});
export type LiftRef = z.infer<typeof LiftRef>;

export const EnvironmentSpec = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  builtin: z.boolean(),
});
export type EnvironmentSpec = z.infer<typeof EnvironmentSpec>;

export const Outcome = z.enum(['done', 'limit', 'stopped', 'interrupted', 'error']);
export type Outcome = z.infer<typeof Outcome>;

/** A JSON value; a number that JavaScript would change is kept exactly (`src/shared/json.ts`). */
export type Json = string | number | ExactNumber | boolean | null | Json[] | { [name: string]: Json };
export const Json: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(Json),
    z.record(z.string(), Json),
    z.instanceof(ExactNumber),
  ]),
);

export const ToolSpec = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  input_schema: z.record(z.string(), z.unknown()).default({}),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

export const GuideOutcome = z.enum(['done', 'skipped']);
export type GuideOutcome = z.infer<typeof GuideOutcome>;

export const lifecycleEvents = [
  defineKind('episode.started', {
    environment: EnvironmentSpec,
    scenario: z.string().nullable(),
    task_idx: z.number().int().nullable(),
    /** Null: not recorded, as of an imported episode or a foreign client's. */
    condition: Condition.nullable(),
    agent: ActingAgent,
    limits: Limits.nullable(),
    /** Who set them; absent where none came from the settings. */
    limits_from: z.partialRecord(BudgetName, LimitSource).optional(),
    /** What it may take together with the others of its run; absent where its own limits are all. */
    run_budget: SharedBudget.optional(),
    deadline_ms: z.number().int().positive().nullable(),
    fallback: Fallback,
    /** Arguments of the reset that were given with the start; absent where there were none. */
    reset: z.record(z.string(), Json).optional(),
    seed: z.number().int().nullable(),
    repeat: z.number().int(),
    group: z.string().nullable(),
    prompt_sha256: z.string().nullable(),
    /** What a person had the agent told of the environment, at the end of its system prompt; absent where nothing. */
    environment_text: z.string().optional(),
    source: Source,
    trainer: TrainerRef.nullable(),
    /** Experts' seats are shown neither reward, verdict nor uptake of this episode. */
    is_blinded: z.boolean().optional(),
    /** Experts' seats may look at the answer key; their advice is marked then. */
    is_key_open: z.boolean().optional(),
    /** Experts decide without seeing what their calls return on a throw-away session; absent where they may see it. */
    effect: z.literal('not_shown').optional(),
    /** How the task is verified; absent where the run did not say it, and the settings did. */
    verifier_mode: VerifierMode.optional(),
    /** The server was asked to keep the session's folder. */
    keeps_session: z.boolean().optional(),
    /** Which asks come before a person; absent where everything does. */
    admission: Admission.optional(),
    /** How long a held call waits, and what happens then; absent where it waits without end. */
    approval: z
      .strictObject({ deadline_ms: z.number().int().positive().nullable(), fallback: CallFallback })
      .optional(),
    /** Absent where the agent is not asked how sure it is. */
    confidence: ConfidenceRule.optional(),
    /** What the models cost when the episode began; one without a known price is absent. */
    prices: z
      .strictObject({
        agent: ModelPrice.optional(),
        expert: ModelPrice.optional(),
      })
      .optional(),
    /** Who could be asked in it, and by which table; absent where no roster was set. */
    experts: Roster.optional(),
    /** Absent where the episode is played for its own sake. */
    probe: Probe.optional(),
    /** It begins with a copy of another episode, which `episode.forked` names; absent where it begins by itself. */
    continues: z.literal(true).optional(),
    /** It is an episode of the bench that its run is named after. */
    bench: BenchRef.optional(),
    /** It is a continuation of another episode, with its advice or without. */
    lift: LiftRef.optional(),
    /** Never stored: set on its way to an expert's seat, where reward and verdict are left out. */
    is_covered: z.boolean().optional(),
  })({ ...NOTED, words: ['reset'], outcome: { is_covered: true } }),
  /** The environment could not be had or reset; it is tried again after a wait. */
  defineKind('start.retried', {
    tries: z.number().int().positive(),
    retries: z.number().int().positive(),
    wait_ms: z.number().int().nonnegative(),
    failure: FailureShape,
  })(NOTED),
  defineKind('connection.changed', {
    state: z.enum(['open', 'closed', 'failed']),
    failure: FailureShape.nullable(),
    /** How long the reset that follows may take; absent where the road to the server knows none. */
    reset_limit_ms: z.number().int().positive().optional(),
  })(NOTED),
  defineKind('environment.reset', {
    request: z.record(z.string(), Json),
    frame: Text,
    reward_type: z.string().nullable(),
    reward: z.number().nullable(),
    done: z.boolean(),
    scenario: z.string().nullable(),
    task: Text.nullable(),
    task_idx: z.number().int().nullable(),
    num_tools: z.number().int().nullable(),
    warning: Text.nullable(),
    latency_ms: z.number().nullable(),
  })({
    ...STEP,
    words: ['request'],
    search: ['task', 'task', 'scenario', 'warning'],
    outcome: { frame: COVERED, reward: null },
  }),
  defineKind('tools.listed', {
    /** The agent's call this answers, or null when the loop asked on its own. */
    call: z.string().nullable(),
    tools: z.array(ToolSpec),
    frame: Text,
    latency_ms: z.number().nullable(),
  })({ ...STEP, outcome: { frame: COVERED } }),
  /** Exactly what the agent is offered natively, virtual tools included; empty in the XML protocol. */
  defineKind('tools.offered', {
    tools: z.array(ToolSpec),
  })(STEP),
  defineKind('verifier.ran', {
    verifier_mode: z.string(),
    final_answer: Text.nullable(),
    frame: Text,
    reward_type: z.string().nullable(),
    reward: z.number().nullable(),
    verify_result: Json.nullable(),
    error: Text.nullable(),
    latency_ms: z.number().nullable(),
  })({
    ...NOTED,
    words: ['verify_result'],
    search: ['result', 'final_answer', 'error'],
    outcome: { frame: COVERED, reward: null, reward_type: null, verify_result: null, error: null },
    reveals: ({ reward_type, reward, verify_result }) => verdictUnless(reward_type, reward, verify_result),
  }),
  defineKind('environment.finished', {
    frame: Text,
    reward_type: z.string().nullable(),
    steps_taken: z.number().int().nullable(),
    latency_ms: z.number().nullable(),
  })({
    ...NOTED,
    reveals: ({ reward_type }) => verdictIn({ reward_type }),
    outcome: { frame: COVERED, reward_type: null },
  }),
  defineKind('stop.requested', { reason: z.string().nullable() })({
    ...NOTED,
    words: ['reason'],
    search: ['note', 'reason'],
    isDecision: true,
    isDeskNews: true,
  }),
  defineKind('episode.ended', {
    outcome: Outcome,
    /** Which limit, or what stopped it; null when it simply finished. */
    reason: z.string().nullable(),
    /** The limit, where one ended it; absent from episodes of before it was recorded. */
    limit: ReachedLimit.optional(),
    failure: FailureShape.nullable(),
    final_answer: Text.nullable(),
    reward_type: z.string().nullable(),
    reward: z.number().nullable(),
  })({
    ...NOTED,
    words: ['reason'],
    search: ({ reason, failure }) => searched('result', [reason, failure?.message]),
    isDeskNews: true,
    reveals: ({ reward_type, reward }) => verdictUnless(reward_type, reward),
    outcome: { reward: null, reward_type: null },
  }),
  defineKind('answer_key.shown', {
    seat: z.string(),
    saw: z.array(Saw),
  })({ ...NOTED, isDecision: true }),
] as const;

/** Kinds of a `seat/<id>` stream: what a seat has seen of a task's answer, in whatever episode. */
export const seatEvents = [
  defineKind('answer.seen', {
    seat: z.string(),
    /** By its key; absent where it was not recorded: then the task counts as seen in every environment. */
    environment: z.string().optional(),
    scenario: z.string(),
    task_idx: z.number().int().nullable(),
    saw: z.array(Saw),
    episode: z.string().nullable(),
  })({ ...NOTED, isDecision: true, isProjected: true }),
  defineKind('seat.changed', {
    seat: z.string(),
    presence: z.enum(['on_duty', 'away', 'off']),
  })({ ...NOTED, isDeskNews: true }),
  /** How a seat's guided first question ended. Nothing of it is advice. */
  defineKind('guide.ended', { seat: z.string(), outcome: GuideOutcome })(NOTED),
] as const;
