// The frames of the OpenEnv wire: AWM actions, what a client and what a server sends, error codes. Source: see `wire.ts`.
import { z } from 'zod';

const JsonObject = z.record(z.string(), z.unknown());

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

/** Frames of a client. Reset kwargs are not validated over the socket, as upstream does not either. */
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
