// The kinds of an episode that goes on by itself, as the same episode, after the program that ran it was killed.
import { z } from 'zod';
import { FailureShape } from '../failureCodes.ts';
import { Timing } from './actor.ts';
import { defineKind, NOTED, SHOWN_STEP } from './kind.ts';
import { Drift } from './world.ts';

/** A call that was sent and whose answer no log has: nobody knows whether it was carried out. */
export const InDoubt = z.strictObject({
  turn: z.number().int(),
  tool_name: z.string(),
  /**
   * `sent_again`: its world died with the program, and the new one never saw it. `held`: it waits for a person, since it
   * may have had effects outside the episode.
   */
  became: z.enum(['sent_again', 'held']),
});
export type InDoubt = z.infer<typeof InDoubt>;

/** The decision on a call in doubt. `unknown`: it is not sent, and the agent is told that nobody knows what became of it. */
export const DoubtAct = z.enum(['send_again', 'unknown']);
export type DoubtAct = z.infer<typeof DoubtAct>;

export const restartEvents = [
  /** A call was sent, and the program ended before its answer came: it waits for a person's word. */
  defineKind('call.doubted', { call: z.string(), turn: z.number().int() })({ ...SHOWN_STEP }),
  defineKind('doubt.settled', {
    call: z.string(),
    act: DoubtAct,
    timing: Timing,
  })({ ...SHOWN_STEP, isDecision: true }),
  /** It does not go on by itself: it waits for a person's word. */
  defineKind('episode.broke_off', {
    /** The last moment of which the log knows that the episode ran, UTC ms. */
    ran_until: z.number(),
    /** Why, where it is more than that its environment may have effects outside an episode. */
    reason: z.string().nullable(),
    failure: FailureShape.nullable(),
  })({ ...NOTED, words: ['reason'], isDeskNews: true }),
  /** Written before anything is tried, so that an episode whose own calls kill the program is not tried for ever. */
  defineKind('episode.picked_up', {
    /** From 1; by a person’s word too. */
    attempt: z.number().int().positive(),
    /** The last moment of which the log knows that the episode ran, UTC ms: what follows is nobody’s time. */
    ran_until: z.number(),
    /** So much of its time limit the agent had used by then. */
    used_ms: z.number().nonnegative(),
  })({ ...NOTED, isDeskNews: true }),
  /** The calls of the log were made again in a new session. With a drift it stopped there, and the episode ends. */
  defineKind('episode.went_on', {
    attempt: z.number().int().positive(),
    /** Calls that were made again, the one that differed included. */
    replayed: z.number().int(),
    drift: Drift.nullable(),
    in_doubt: InDoubt.nullable(),
  })({ ...NOTED, words: ['drift'], isDeskNews: true }),
] as const;
