// The OpenEnv wire as this product speaks it: envelopes, AWM actions, server frames, labels and error codes. Source:
// OpenEnv core `env_server` (0.3.x) and its Agent World Model environment; see docs/wire.md.
import { z } from 'zod';

const JsonObject = z.record(z.string(), z.unknown());

/** Tools of the environment's host, never of the agent: an agent that calls one is refused. */
export const RESERVED_TOOLS: ReadonlySet<string> = new Set(['verify', 'done', '__list_scenarios__']);
/** OpenEnv keeps these for its protocol: no server may offer a tool of such a name (`RESERVED_TOOL_NAMES`). */
export const PROTOCOL_NAMES: ReadonlySet<string> = new Set(['reset', 'step', 'state', 'close']);
/** Whether no person and no agent may call it: a verdict could be read from it, or the session changed behind the log. */
export const isReservedTool = (name: string): boolean => RESERVED_TOOLS.has(name) || PROTOCOL_NAMES.has(name);

/** Exists only on the agent's side; never registered with a server and never sent over the wire. */
export const ASK_EXPERT = 'ask_expert';

export const RewardType = {
  toolErrors: new Set([
    'tool_not_found',
    'invalid_args',
    'invalid_action',
    'timeout',
    'server_error',
    'episode_already_done',
  ]) as ReadonlySet<string>,
  /** The call itself was badly formed. */
  formatErrors: new Set(['tool_not_found', 'invalid_args', 'invalid_action']) as ReadonlySet<string>,
  resetErrors: new Set(['reset_error']) as ReadonlySet<string>,
} as const;

/** Whether a call came back as a failure: by its error text, or by its label where there is none. */
export const isToolError = (error: unknown, reward_type: string | null): boolean =>
  error !== null || RewardType.toolErrors.has(reward_type ?? '');

/** AWM's rule for joining scenario names across files: lower case, `[^a-z0-9_]` to `_`, squeezed, trimmed. */
export const normalizeScenario = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');

/** Server limit on an inbound frame (uvicorn's default). */
export const SERVER_FRAME_MAX = 16 * 1024 * 1024;
/**
 * What an environment may answer at once: a large screenshot fits. Reading and storing an answer holds up every other
 * episode for some 10 ms a MB, so that upstream's 100 MiB would stop them for a second.
 */
export const ANSWER_MAX = 8 * 1024 * 1024;
/** What is read of one frame, as upstream's client does. A larger one ends the connection: it would fill the memory. */
export const FRAME_MAX = 100 * 1024 * 1024;
/** The list of a thousand scenarios with their tasks, which is read once and not stored. */
export const LISTING_MAX = 32 * 1024 * 1024;

export const ErrorCode = z.enum([
  'INVALID_JSON',
  'UNKNOWN_TYPE',
  'VALIDATION_ERROR',
  'EXECUTION_ERROR',
  'CAPACITY_REACHED',
  'FACTORY_ERROR',
  'SESSION_ERROR',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

const CallToolAction = z.strictObject({
  type: z.literal('call_tool'),
  tool_name: z.string(),
  arguments: JsonObject.default({}),
  metadata: JsonObject.optional(),
});
const ListToolsAction = z.strictObject({
  type: z.literal('list_tools'),
  metadata: JsonObject.optional(),
});
export const Action = z.discriminatedUnion('type', [CallToolAction, ListToolsAction]);
export type Action = z.infer<typeof Action>;

/** What a client may send. Reset kwargs are not validated over the socket, as upstream does not either. */
export const ClientFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: JsonObject.default({}) }),
  z.strictObject({ type: z.literal('step'), data: JsonObject }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: JsonObject }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** An observation of any environment: known AWM fields typed, everything else kept. */
export const Observation = z.looseObject({
  reward_type: z.string().nullish(),
  scenario: z.string().nullish(),
  task: z.string().nullish(),
  task_idx: z.number().int().nullish(),
  num_tools: z.number().int().nullish(),
  has_verifier: z.unknown().optional(),
  tool_name: z.string().nullish(),
  tool_result: z.unknown().optional(),
  error: z.unknown().optional(),
  warning: z.string().nullish(),
  tools: z.array(z.looseObject({ name: z.string() })).nullish(),
  verify_result: z.unknown().optional(),
  steps_taken: z.number().int().nullish(),
  scenarios: z.array(z.unknown()).nullish(),
  total: z.number().nullish(),
  trajectory_path: z.string().nullish(),
  session_dir: z.string().nullish(),
});
export type Observation = z.infer<typeof Observation>;

export const ServerFrame = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('observation'),
    data: z.looseObject({
      observation: Observation,
      // Newer servers may send true for 1.
      reward: z.union([z.number(), z.boolean()]).nullish(),
      done: z.boolean().default(false),
    }),
  }),
  z.looseObject({
    type: z.literal('state'),
    data: z.looseObject({ episode_id: z.string().nullish(), step_count: z.number().int().default(0) }),
  }),
  z.looseObject({
    type: z.literal('error'),
    data: z.looseObject({ message: z.string().default(''), code: z.string().default('') }),
  }),
  z.looseObject({ type: z.literal('mcp'), data: z.unknown() }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
