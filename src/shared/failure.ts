// Owns: the one error class, its codes, and the one shape a failure has outside this process.
// Must not know: who throws it or how it is shown.
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
  'sandbox_unavailable',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** What a failure looks like on any wire: a code, what happened, and what to do next. */
export const FailureShape = z.strictObject({
  code: FailureCode,
  message: z.string(),
  next: z.string().nullable(),
});
export type FailureShape = z.infer<typeof FailureShape>;

/**
 * The one error this product throws on purpose.
 * `message` says what happened and why; `next` says what the person can do about it.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly next: string | null;

  constructor(code: FailureCode, message: string, options: { next?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.next = options.next ?? null;
  }
}

/** Any thrown value as a shape; what we did not throw on purpose becomes `internal`. */
export function failureShape(thrown: unknown): FailureShape {
  if (thrown instanceof Failure) return { code: thrown.code, message: thrown.message, next: thrown.next };
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, next: null };
}

/** The failure a shape stands for, for the side that received it. */
export const failureFrom = (shape: FailureShape): Failure =>
  new Failure(shape.code, shape.message, shape.next === null ? {} : { next: shape.next });
