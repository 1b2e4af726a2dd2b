// The commands of the gateway: what is open, its settings, named keys, groups of rollouts.
import { z } from 'zod';
import { Condition } from '../events/lifecycle.ts';
import { HoldFallback, OnTouch } from '../events/gateway.ts';
import { OWNER_READS, OWNER_WRITES, EmptyInput, PageInput } from './row.ts';
import { InviteRow } from './seat.ts';

/** Doors a key opens. */
export const Scope = z.enum(['tap', 'expert', 'mcp', 'console']);
export type Scope = z.infer<typeof Scope>;

export const GatewaySettings = z.strictObject({
  /** People may override, answer, take over and stop through the tap, beyond advice and notes. */
  may_act: z.boolean(),
  /** What a person's change does: marks the turn, or ends the episode so that trainers leave it out. */
  on_touch: OnTouch,
  /** `verify` and `done` from a client, whose agent and orchestrator look the same on the wire. */
  reserved_tools: z.enum(['pass', 'refuse']),
  /** Appends a note to the text of the next tool result, beside `observation.metadata`. Counts as a touch. */
  note_in_result: z.boolean(),
  /** Whether the MCP door is open. */
  mcp: z.boolean(),
  /** Who answers a request that asks what a verifier checks. */
  analysis: z.enum(['advisor', 'person']),
  /** How long a client's question waits for a person. */
  ask_deadline_ms: z.number().int().min(1000),
  /** What it gets then: the draft, or that no advice came. */
  ask_fallback: z.enum(['draft', 'proceed']),
  /** Where the client cuts an answer, in characters, for the editor's counter; null for nowhere. */
  cut_chars: z.number().int().positive().nullable(),
});
export type GatewaySettings = z.infer<typeof GatewaySettings>;

export const GATEWAY_DEFAULTS: GatewaySettings = {
  may_act: false,
  on_touch: 'mark',
  reserved_tools: 'pass',
  note_in_result: false,
  mcp: false,
  analysis: 'advisor',
  ask_deadline_ms: 300_000,
  ask_fallback: 'draft',
  cut_chars: 3000,
};

/** Limits of the time that a call by a tap key may wait for a person: a stock client gives up after 60 s. */
export const HOLD_LIMIT_MIN_MS = 1_000;
const HoldLimit = z.number().int().min(HOLD_LIMIT_MIN_MS);
export const HOLD_DEFAULTS = { hold_limit_ms: 50_000, hold_fallback: 'reject' } as const;

export const KeyRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  /** The environment a tap key leads to; null for a key without the scope. */
  environment: z.string().nullable(),
  created_at: z.number(),
  revoked_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  uses: z.number().int(),
  /** Requests refused for its limits since the start. */
  limited: z.number().int(),
  per_minute: z.number().int().nullable(),
  at_once: z.number().int().nullable(),
  /** Of a key to a tap: how long a held call waits, and what becomes of it when nobody decides. */
  hold_limit_ms: HoldLimit.default(HOLD_DEFAULTS.hold_limit_ms),
  hold_fallback: HoldFallback.default(HOLD_DEFAULTS.hold_fallback),
  /** Made by the product and kept readable by its owner, so that it can be printed again; revoking it makes a new one. */
  is_default: z.boolean(),
  /** The key to the console that made it: it ends with that one, and counts against its limits. Null for the owner's own. */
  made_by: z.string().nullable().default(null),
});
export type KeyRow = z.infer<typeof KeyRow>;

export const Door = z.enum(['tap', 'expert', 'mcp', 'agent']);
export type Door = z.infer<typeof Door>;

/** A note on what happened with a key. The same thing again within a minute is counted, not listed again. */
export const KeyNote = z.strictObject({
  at: z.number(),
  /** Null for a key that is none. */
  key: z.string().nullable(),
  name: z.string().nullable(),
  door: z.enum(['tap', 'expert', 'mcp', 'agent', 'episodes', 'curriculum', 'console']).nullable(),
  what: z.enum(['created', 'revoked', 'used', 'wrong_key', 'wrong_scope', 'limited']),
  times: z.number().int(),
});
export type KeyNote = z.infer<typeof KeyNote>;

/** Clients there now, clients since the start, and the time of the last one (UTC ms). */
const Visits = { open: z.number().int(), seen: z.number().int(), last_at: z.number().nullable() };

export const GatewayStatus = z.strictObject({
  /** Null where no gateway is open in this host. */
  address: z
    .strictObject({
      url: z.string(),
      expert: z.string(),
      mcp: z.string().nullable(),
      /** Of each environment, without its token; null while the tap's process is down. */
      tap: z.string().nullable(),
      /** A pass-through to the agent's own model. */
      agent: z.string(),
    })
    .nullable(),
  /** Clients now and since the start, per door. */
  doors: z.array(z.strictObject({ door: Door, ...Visits })),
  /** The same per environment that the tap stands before; only those that a client came to. */
  environments: z.array(z.strictObject({ environment: z.string(), ...Visits })).default([]),
  /** Episodes that clients play now. */
  tapped: z.number().int(),
  /** Frames that wait to be written, and those that were lost since the start. */
  backlog: z.number().int(),
  lost: z.number().int(),
});
export type GatewayStatus = z.infer<typeof GatewayStatus>;

/** Rollouts of one prompt, side by side. */
export const GroupRow = z.strictObject({
  group: z.string(),
  run: z.string().nullable(),
  step: z.number().int().nullable(),
  environment_key: z.string().optional(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: z.string().nullable(),
  conditions: z.array(Condition),
  size: z.number().int(),
  ended: z.number().int(),
  completed: z.number().int(),
  /** Over the episodes that have a reward; null while there is none. */
  reward_mean: z.number().nullable(),
  reward_min: z.number().nullable(),
  reward_max: z.number().nullable(),
  started_at: z.number(),
});
export type GroupRow = z.infer<typeof GroupRow>;

export const gateway = {
  /** Who may come in: the keys with what happened with them, newest first, and the invites. */
  'access.list': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({
      keys: z.array(KeyRow),
      notes: z.array(KeyNote),
      invites: z.array(InviteRow),
    }),
  },
  /** Ends a key or an invite: an invite's open consoles close at once, and advice its seat gave stays. */
  'access.revoke': { ...OWNER_WRITES, input: z.strictObject({ id: z.string() }), output: EmptyInput },
  /** The secret is told this once; what is kept is its digest. */
  'keys.create': {
    ...OWNER_WRITES,
    input: z.strictObject({
      name: z.string().min(1).max(80),
      scopes: z.array(Scope).min(1),
      environment: z.string().nullable(),
      per_minute: z.number().int().positive().nullable(),
      at_once: z.number().int().positive().nullable(),
      hold_limit_ms: HoldLimit.optional(),
      /** `approve`: a call that nobody decides is executed. The owner's choice for this key alone. */
      hold_fallback: HoldFallback.optional(),
    }),
    output: z.strictObject({ key: KeyRow, secret: z.string() }),
  },
  /** The secrets of the keys that exist by default, one for each environment, which open every door: what Connect prints. */
  'keys.defaults': {
    ...OWNER_READS,
    who: 'owner alone',
    input: EmptyInput,
    output: z.strictObject({
      keys: z.array(z.strictObject({ environment: z.string(), name: z.string(), key: z.string() })),
    }),
  },
  /** What stood under the marks of a client's request; the seat's advice on the task is marked from then on. */
  'request.uncover': {
    ...OWNER_WRITES,
    reveals: ['criteria'],
    input: z.strictObject({ episode: z.string(), consultation: z.string() }),
    output: z.strictObject({
      spans: z.array(z.strictObject({ start: z.number().int(), end: z.number().int(), text: z.string() })),
    }),
  },
  'groups.page': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({ query: z.string().max(200), ...PageInput }),
    output: z.strictObject({ total: z.number().int(), groups: z.array(GroupRow) }),
  },
} as const;
