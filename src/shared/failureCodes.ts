// The codes of failures, and the one shape a failure has outside its process; `failure.ts`, which every page loads, needs no
// schema.
import { z } from 'zod';

export const FailureCode = z.enum([
  'unknown_method',
  'bad_input',
  'not_found',
  'already_answered',
  'stale',
  'closed',
  'cancelled',
  'timeout',
  'internal',
  'unauthorized',
  'data_in_use',
  'data_unwritable',
  'data_corrupt',
  'log_damaged',
  'port_taken',
  'unsupported_runtime',
  'not_built',
  'env_unreachable',
  'env_not_openenv',
  'env_capacity',
  'env_closed',
  'env_error',
  'env_bad_frame',
  'env_timeout',
  'frame_too_large',
  'reset_failed',
  'unknown_scenario',
  'task_out_of_range',
  'model_unauthorized',
  'model_rate_limited',
  'model_unavailable',
  'model_timeout',
  'model_empty',
  'model_truncated',
  'model_refused',
  'model_bad_request',
  'model_not_configured',
  'limit_exceeded',
  'pack_invalid',
  'bad_answers_file',
  'export_refused',
  'import_failed',
  'install_failed',
  'replay_drifted',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** The shape of a failure on any wire: a code, what happened, and what to do next. */
export const FailureShape = z.strictObject({
  code: FailureCode,
  message: z.string(),
  next: z.string().nullable(),
});
export type FailureShape = z.infer<typeof FailureShape>;
