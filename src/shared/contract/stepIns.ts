// The commands with which a person steps into a running episode.
import { z } from 'zod';
import { Timing } from '../events/actor.ts';
import { DoubtAct } from '../events/restarts.ts';
import { ApprovalRule, Breakpoint } from '../events/stepIns.ts';
import { JsonObject } from '../events/turns.ts';
import { Drift } from '../events/world.ts';
import { isReservedTool } from '../wire.ts';
import { SeedProblem } from '../seed.ts';
import { StateTable, TablePage } from './state.ts';
import { TableChange } from '../events/world.ts';
import { EXPERT_READS, EXPERT_WRITES, OWNER_WRITES } from './row.ts';

const StepInResult = z.strictObject({ seq: z.number().int() });
const held = {
  episode: z.string(),
  call: z.string(),
  seen_seq: z.number().int(),
  timing: Timing,
} as const;

/**
 * The tool of a call that a person makes, tries, changes or gives as a label. Every command takes it through here, so
 * that no try is a way to ask the verifier.
 */
const ToolName = z
  .string()
  .min(1)
  .refine((name) => !isReservedTool(name), {
    error: ({ input }) =>
      `${String(input)} belongs to the environment’s host, not to an agent: the verifier runs once, after the final answer`,
  });

/** A move in the agent's own vocabulary. */
export const HumanMove = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call_tool'), tool_name: ToolName, arguments: JsonObject }),
  z.strictObject({ type: z.literal('list_tools') }),
  z.strictObject({ type: z.literal('final'), text: z.string().min(1).max(200_000) }),
]);
export type HumanMove = z.infer<typeof HumanMove>;

/** Open to experts' seats, and revealing nothing: what an act answers is where it stands in the log. */
export const stepIns = {
  /**
   * `step` runs one turn and pauses again. `set_aside`, of who has taken over, closes what the agent waits for before any
   * move is made: its open question or held call is cancelled. `hand_back` may leave a note, or discard the person's own moves.
   */
  'episode.control': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      act: z.enum(['pause', 'resume', 'step', 'take_over', 'set_aside', 'hand_back']),
      /** Gives up the reply that is being written, instead of waiting for the end of the turn. */
      at_once: z.boolean(),
      reason: z.string().max(10_000).nullable(),
      note: z.string().max(200_000).nullable(),
      is_discarded: z.boolean(),
      /** How long the person was at the note. */
      timing: Timing.optional(),
    }),
    output: StepInResult,
  },
  /** Sets one, or clears one that is set; answers with its name. */
  'breakpoint.change': {
    ...EXPERT_WRITES,
    input: z.union([
      z.strictObject({ episode: z.string(), set: Breakpoint }),
      z.strictObject({ episode: z.string(), clear: z.string() }),
    ]),
    output: z.strictObject({ breakpoint: z.string() }),
  },
  /** What becomes of a held call: it is made as it is or changed, or the agent is given a reason or a result instead. */
  'call.decide': {
    ...EXPERT_WRITES,
    input: z.discriminatedUnion('act', [
      /** `similar` also lets every later call of the same tool through. */
      z.strictObject({ act: z.literal('approve'), ...held, similar: z.boolean() }),
      /** The arguments are checked against the tool's schema, unless `is_unchecked`. */
      z.strictObject({
        act: z.literal('edit'),
        ...held,
        tool_name: ToolName,
        arguments: JsonObject,
        reason: z.string().max(10_000).nullable(),
        is_unchecked: z.boolean(),
      }),
      z.strictObject({ act: z.literal('reject'), ...held, reason: z.string().min(1).max(10_000) }),
      z.strictObject({
        act: z.literal('answer'),
        ...held,
        text: z.string().min(1).max(1_000_000),
        is_error: z.boolean(),
      }),
    ]),
    output: StepInResult,
  },
  /** A person's word on a call that was sent before a restart and whose answer is lost. */
  'call.settle_doubt': {
    ...EXPERT_WRITES,
    input: z.strictObject({ episode: z.string(), call: z.string(), act: DoubtAct, timing: Timing }),
    output: StepInResult,
  },
  /**
   * That the desk showed that an episode fails without asking, once for a level, whichever seat it was; and what a person
   * made of it.
   */
  'suggestion.note': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      level: z.number().int().positive(),
      act: z.enum(['shown', 'watch', 'step_in', 'dismiss']),
    }),
    output: z.strictObject({}),
  },
  'note.send': {
    ...EXPERT_WRITES,
    input: z.strictObject({ episode: z.string(), text: z.string().min(1).max(200_000), timing: Timing }),
    output: z.strictObject({ note: z.string() }),
  },
  /** One move of a person who has taken over. */
  'takeover.move': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      say: z.string().max(200_000),
      move: HumanMove,
      is_unchecked: z.boolean(),
      timing: Timing.optional(),
    }),
    output: z.strictObject({ turn: z.number().int() }),
  },
  /** What the expert would have done in that turn; the agent is not interrupted. */
  'label.give': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      episode: z.string(),
      turn: z.number().int(),
      move: HumanMove,
      timing: Timing,
      /** The share of turns that is asked for a label, where it is not every one. */
      beta: z.number().min(0).max(1).nullable().optional(),
    }),
    output: StepInResult,
  },
} as const;

export const rules = {
  /** Replaces the rules that say which calls need a person. */
  'policy.set': {
    ...OWNER_WRITES,
    input: z.strictObject({ episode: z.string(), rules: z.array(ApprovalRule).max(100) }),
    output: StepInResult,
  },
} as const;

const Where = { episode: z.string(), turn: z.number().int().nonnegative() } as const;

/** Tries, branches, and the state of the world. */
export const worldCommands = {
  /**
   * Whether calls of this episode may be tried: by the console itself while a person decides, only when a person asks, or
   * not at all, and why.
   */
  'preview.describe': {
    ...EXPERT_READS,
    input: z.strictObject({ episode: z.string() }),
    output: z.strictObject({
      mode: z.enum(['by_itself', 'on_request', 'off']),
      why: z.string().nullable(),
    }),
  },
  /**
   * Makes calls on a throw-away session in the state after `turn`, once for the same state and calls. With the verdict,
   * this seat has seen it.
   */
  'preview.run': {
    ...EXPERT_WRITES,
    reveals: ['verdict'],
    input: z.strictObject({
      ...Where,
      call: z.string().nullable(),
      calls: z
        .array(z.strictObject({ tool_name: ToolName, arguments: JsonObject }))
        .min(1)
        .max(50),
      with_verdict: z.boolean(),
      /** Names it, so that it can be given up. */
      id: z.string().max(80).optional(),
      /** Made by the console itself: noted as shown to this seat, and no act of a person. */
      automatic: z.boolean().optional(),
      /** Makes the calls anew, though the result of the same try is kept. */
      again: z.boolean().optional(),
    }),
    output: z.strictObject({
      replayed: z.number().int(),
      drift: z.array(Drift),
      results: z.array(
        z.strictObject({
          tool_name: z.string(),
          reward_type: z.string().nullable(),
          text: z.string().nullable(),
          error: z.string().nullable(),
        }),
      ),
      /** What tools that only read say of the records in the calls, for their names. The agent could have read it. */
      looked_up: z.array(z.strictObject({ tool_name: z.string(), text: z.string() })),
      /** Asks for what the calls changed in the world, by `preview.changes`; null where that is not shown. */
      preview: z.string().nullable(),
      verdict: z.string().nullable(),
    }),
  },
  /** What a try of this seat changed in the world. The agent could not read it: this seat has seen hidden state then. */
  'preview.changes': {
    ...EXPERT_WRITES,
    reveals: ['hidden_state'],
    input: z.strictObject({ preview: z.string().max(200) }),
    output: z.strictObject({
      episode: z.string(),
      changes: z.array(TableChange),
      /** The records that the calls point at, before the calls, for their names: each as JSON by its kind. */
      records: z.array(z.strictObject({ kind: z.string(), text: z.string() })),
    }),
  },
  /**
   * Starts a new episode that goes on after `turn` of this one, its state rebuilt; or after the last turn before it
   * that was answered, where `turn` is the final answer or under way. Says which.
   */
  'episode.fork': {
    ...OWNER_WRITES,
    input: z.strictObject(Where),
    output: z.strictObject({ episode: z.string(), turn: z.number().int().nonnegative() }),
  },
  /**
   * Goes on, as a new episode, with one that was interrupted or lost the connection to its environment. The new one ends
   * at the first call that gives something else than the log says, unless `accepts_drift`.
   */
  'episode.resume': {
    ...OWNER_WRITES,
    input: z.strictObject({ episode: z.string(), accepts_drift: z.boolean().optional() }),
    output: z.strictObject({ episode: z.string(), turn: z.number().int() }),
  },
  /** What one call of the episode changed in the world; this seat has seen hidden state then. */
  'call.changes': {
    ...EXPERT_READS,
    reveals: ['hidden_state'],
    input: z.strictObject({ episode: z.string(), call: z.string() }),
    output: z.strictObject({ changes: z.array(TableChange) }),
  },
  /** The tables of the world after `turn`, or as they are now; earlier states are rebuilt, or read at the end. */
  'state.tables': {
    ...EXPERT_READS,
    reveals: ['hidden_state'],
    input: z.strictObject({ episode: z.string(), turn: z.number().int().nonnegative().nullable() }),
    output: z.strictObject({
      tables: z.array(StateTable),
      changes: z.array(TableChange),
      drift: z.number().int(),
      /**
       * From the session that plays, from one rebuilt, from the folder that another server left at the end, or from the
       * data that the first state is made of.
       */
      source: z.enum(['live', 'rebuilt', 'left', 'seed']),
      /** The last turn whose call is in it; absent for a state that is always the newest. */
      at_turn: z.number().int().optional(),
      /** Statements of the seed that did not run as they stand. */
      seed_problems: z.array(SeedProblem).optional(),
    }),
  },
  'state.page': {
    ...EXPERT_READS,
    reveals: ['hidden_state'],
    input: z.strictObject({
      episode: z.string(),
      turn: z.number().int().nonnegative().nullable(),
      table: z.string(),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(500),
    }),
    output: TablePage,
  },
} as const;
