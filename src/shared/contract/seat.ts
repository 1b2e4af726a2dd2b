// The commands of an expert's seat, and of the owner who invites one.
import { z } from 'zod';
import { EXPERT_READS, OWNER_WRITES, EmptyInput } from './row.ts';
import { Text } from '../events/textSchema.ts';

export const Role = z.enum(['owner', 'expert']);
export type Role = z.infer<typeof Role>;

/** An invitation to a seat. The seat is fixed by it, so that what a person has seen sticks to them in any browser. */
export const Invite = z.strictObject({
  id: z.string(),
  /** Who it is for, in the owner's words; stays in the settings and never gets into the log. */
  label: z.string(),
  seat: z.string(),
  created_at: z.number(),
  /** UTC ms; null for one that holds until it is revoked. */
  expires_at: z.number().nullable().default(null),
  /** The key to the console that made it, and that it ends with; null for the owner's own. */
  made_by: z.string().nullable().default(null),
});
export type Invite = z.infer<typeof Invite>;

export const InviteRow = Invite.extend({ last_used_at: z.number().nullable() });
export type InviteRow = z.infer<typeof InviteRow>;

/** Days that an invite holds where nothing else is said. */
export const INVITE_DAYS = 30;
export const INVITE_DAYS_MAX = 3650;

/** One advice this seat gave, and what became of it. */
export const OwnAnswer = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** What the task asks for; null where that was not recorded. */
  task: Text.nullable(),
  at: z.number(),
  /** `late` came after the ask was over and was never delivered. */
  act: z.enum(['accept', 'edit', 'send', 'decline', 'late']),
  question: Text.nullable(),
  /** What was sent, or the reason of a decline. */
  text: Text,
  /** The calls in it as sentences; empty where it holds none. */
  steps: z.array(z.string()),
  /** Whether the agent did it, in words, and how that is shown; null where there is nothing to compare. */
  uptake: z.strictObject({ words: z.string(), tone: z.enum(['followed', 'partly', 'failed']) }).nullable(),
  /** The verifier's word on the episode; null while it runs, or where nothing was verified. */
  verified: z.string().nullable(),
  /** A blinded run: neither uptake nor verdict is told. */
  is_covered: z.boolean(),
});
export type OwnAnswer = z.infer<typeof OwnAnswer>;

export const seat = {
  /** The token is shown this once; only its hash is kept. */
  'invites.create': {
    ...OWNER_WRITES,
    input: z.strictObject({
      label: z.string().trim().min(1).max(80),
      /** Null for one that does not expire; 30 where it is left out. */
      days: z.number().int().min(1).max(INVITE_DAYS_MAX).nullable().optional(),
    }),
    output: z.strictObject({ invite: Invite, token: z.string() }),
  },
  /**
   * A new token of the owner's in place of the old one: consoles, sockets and cookies of the old one end at once. Not for
   * keys to the console.
   */
  'owner.renew_token': {
    ...OWNER_WRITES,
    who: 'owner alone',
    input: EmptyInput,
    output: z.strictObject({ token: z.string() }),
  },
  /** This seat's advice, newest first. Listing it counts as seeing the verdict of each task whose verdict it tells. */
  'answers.mine': {
    ...EXPERT_READS,
    reveals: ['verdict'],
    input: z.strictObject({
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.strictObject({ total: z.number().int(), answers: z.array(OwnAnswer) }),
  },
  /** Calls read out of a person's plain words; their words stay theirs, and are sent with the plan. */
  'advice.make_plan': {
    ...EXPERT_READS,
    input: z.strictObject({
      episode: z.string(),
      consultation: z.string(),
      text: z.string().min(1).max(20_000),
    }),
    output: z.strictObject({
      calls: z.array(
        z.strictObject({
          tool: z.string(),
          args: z.record(z.string(), z.unknown()),
          purpose: z.string().nullable(),
        }),
      ),
      by: z.enum(['model', 'rule']),
      /** Lines in which no tool was found. */
      unread: z.array(z.string()),
    }),
  },
} as const;
