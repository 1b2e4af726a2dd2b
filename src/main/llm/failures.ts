// Turns errors of a model's server into this product's codes, with the next step and without keys.
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/error';
import { z } from 'zod';
import { Failure, type FailureCode } from '../../shared/failure.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import { endpointOf } from './endpoint.ts';

const Trouble = z.object({
  status: z.number().nullable(),
  /** How long the server asked us to wait. */
  retryAfterMs: z.number().nullable(),
  /** False when the same request will fail again whenever it is sent. */
  isPassing: z.boolean(),
});
/** The cause that a model failure keeps: enough to decide on a retry, nothing that could hold a key. */
export type Trouble = z.infer<typeof Trouble>;

export const troubleOf = (failure: Failure): Trouble | null => Trouble.safeParse(failure.cause).data ?? null;

const MESSAGE_MAX = 600;
const DETAIL_MAX = 16 * 1024;
const OPENAI_ADDRESS = 'https://api.openai.com/v1';

/** The endpoint as it may be shown: no user, password or query. */
export const modelAddress = (config: ModelConfig): string =>
  endpointOf(config.baseUrl ?? OPENAI_ADDRESS).shown;

/** The model behind an endpoint, as the log names it. */
export const modelIdentity = (config: ModelConfig): string =>
  `${redactMessage(modelAddress(config))} ${config.model}`;

/** Secrets kept out of messages: the key, and the credentials of the address. */
export const secretsIn = ({ apiKey, baseUrl }: ModelConfig): string[] => [
  ...(apiKey === null ? [] : [apiKey]),
  ...(baseUrl === null ? [] : endpointOf(baseUrl).secrets),
];

/** A failure of this endpoint; `detail` is the server's own words and is redacted here. */
export function modelFailure(
  config: ModelConfig,
  code: FailureCode,
  what: string,
  more: { detail?: string | null; next: string; trouble?: Partial<Trouble> },
): Failure {
  // Only its beginning is shown, and what comes from outside may be of any length.
  const detail = (more.detail ?? '').slice(0, DETAIL_MAX).trim();
  const said = detail === '' ? '' : `: ${redactMessage(detail, secretsIn(config)).slice(0, MESSAGE_MAX)}`;
  const cause: Trouble = { status: null, retryAfterMs: null, isPassing: false, ...more.trouble };
  return new Failure(code, `${what}${said}`, { next: more.next, cause });
}

export function llmFailure(config: ModelConfig, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof APIConnectionTimeoutError) return timeoutFailure(config, null);
  if (thrown instanceof APIConnectionError) return connectionFailure(config, thrown);
  if (thrown instanceof APIError) return statusFailure(config, apiProblem(thrown));
  if (isConnectionLoss(thrown)) return connectionFailure(config, thrown);
  // The client parses what came back; what it cannot parse came from the server.
  if (thrown instanceof SyntaxError) {
    return modelFailure(
      config,
      'model_bad_request',
      `the model at ${modelAddress(config)} answered with broken JSON`,
      {
        detail: thrown.message,
        next: 'Check that the base URL is that of a chat completions API, and the log of its server.',
      },
    );
  }
  return modelFailure(
    config,
    'model_bad_request',
    `the model at ${modelAddress(config)} could not be asked`,
    {
      detail: thrown instanceof Error ? thrown.message : String(thrown),
      next: 'Check the base URL, the model name and the provider in the settings.',
    },
  );
}

export const timeoutFailure = (config: ModelConfig, timeoutMs: number | null): Failure =>
  modelFailure(
    config,
    'model_timeout',
    `the model at ${modelAddress(config)} did not answer${timeoutMs === null ? ' in time' : ` within ${String(Math.round(timeoutMs / 100) / 10)} s`}`,
    { next: 'Try again later, or choose a faster model.', trouble: { isPassing: true } },
  );

export type ApiProblem = {
  status: number | null;
  code: string;
  param: string;
  message: string;
  retryAfterMs: number | null;
};

const ErrorBody = z.looseObject({
  message: z.unknown().optional(),
  code: z.unknown().optional(),
  param: z.unknown().optional(),
  type: z.unknown().optional(),
});

export function apiProblem(error: APIError): ApiProblem {
  const body = ErrorBody.safeParse(error.error).data ?? {};
  const words = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    status: error.status ?? (typeof body.code === 'number' ? body.code : null),
    code: `${words(body.code)} ${words(body.type)}`.trim(),
    param: words(body.param),
    message: words(body.message) || error.message,
    retryAfterMs: retryAfter(error.headers ?? null),
  };
}

/** The wait a reply's headers ask for; a date is measured against the server's own clock. */
function retryAfter(headers: Headers | null): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(after)) return Number.parseFloat(after) * 1000;
  const wait = Date.parse(after) - Date.parse(headers?.get('date') ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

export function statusFailure(config: ModelConfig, problem: ApiProblem): Failure {
  const { status, code, message, retryAfterMs } = problem;
  const where = `the model at ${modelAddress(config)}`;
  const fail = (as: FailureCode, what: string, next: string, isPassing = false): Failure =>
    modelFailure(config, as, `${where} ${what}`, {
      detail: message,
      next,
      trouble: { status, retryAfterMs, isPassing },
    });
  const numbered = status === null ? '' : ` (${String(status)})`;
  if (/content.?filter|content_policy|responsible.?ai/i.test(`${code} ${message}`)) {
    return fail(
      'model_refused',
      `refused the request${numbered}`,
      'Its content filter objected to the text. Nothing was answered.',
    );
  }
  if (status === 401 || status === 403) {
    return fail(
      'model_unauthorized',
      `did not accept the key${numbered}`,
      'Check the API key and that it may use this model.',
    );
  }
  if (status === 404) {
    return fail('model_bad_request', `was not found${numbered}`, notFoundHint(config));
  }
  if (status === 408) return fail('model_timeout', `gave up waiting${numbered}`, 'Try again later.', true);
  if (status === 429) {
    return /insufficient_quota|billing/i.test(`${code} ${message}`)
      ? fail('model_rate_limited', `has no quota left${numbered}`, 'Check the plan and billing of this key.')
      : fail(
          'model_rate_limited',
          `is limiting requests${numbered}`,
          'Wait, or run fewer episodes at a time.',
          true,
        );
  }
  if (status === null || status >= 500 || status === 409 || status === 425) {
    return fail(
      'model_unavailable',
      `is not available${numbered}`,
      'Try again later, and check that the server is well.',
      true,
    );
  }
  return fail('model_bad_request', `did not accept the request${numbered}`, badRequestHint(message));
}

const notFoundHint = (config: ModelConfig): string =>
  config.provider === 'azure'
    ? `Check the endpoint, the deployment name (${config.model}) and the API version.`
    : `Check the base URL (it usually ends in /v1) and the model name (${config.model}).`;

function badRequestHint(message: string): string {
  if (/context.{0,20}(length|window)|too (long|large)|maximum.{0,30}tokens/i.test(message))
    return 'The conversation is longer than this model can read. Choose a model with a longer context.';
  if (/tool/i.test(message)) return 'If this model cannot take tools, choose the XML protocol for the agent.';
  return 'Check the model name and the provider in the settings.';
}

const isConnectionLoss = (thrown: unknown): boolean =>
  thrown instanceof TypeError && /terminated|fetch failed|network|socket/i.test(thrown.message);

function connectionFailure(config: ModelConfig, thrown: unknown): Failure {
  const reason = deepestReason(thrown);
  return modelFailure(config, 'model_unavailable', `the model at ${modelAddress(config)} cannot be reached`, {
    detail: reason,
    next: 'Check the base URL, that the server runs, and the network.',
    trouble: { isPassing: !/ENOTFOUND|CERT|certificate|ERR_INVALID_URL|ERR_TLS/i.test(reason) },
  });
}

function deepestReason(thrown: unknown): string {
  let reason = '';
  for (let at: unknown = thrown; at instanceof Error; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    const inner = at instanceof AggregateError && at.errors[0] instanceof Error ? at.errors[0].message : '';
    reason = [code, at.message || inner].filter((part) => part !== '').join(' ') || reason;
  }
  return reason;
}
