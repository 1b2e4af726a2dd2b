// Refusals of each door of the gateway before a request enters, in the error shape its clients read.

/** Doors with a dialect of their own; everything else says it as the console's commands do. */
export type RefusalDialect = 'openai' | 'mcp' | 'plain';

export type GatewayRefusal = {
  status: 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;
  message: string;
  next?: string;
  retryAfterS?: number;
};

/** A client asks of its episode, and the log has not all that it was answered there: a wrong answer is worse than none. */
export const NOT_YET_RECORDED: GatewayRefusal = {
  status: 503,
  message: 'not yet recorded: what the tap has seen of this episode is not all in the log',
  next: 'Ask again in a moment',
  retryAfterS: 1,
};

const GATEWAY_ERROR_TYPES: Record<GatewayRefusal['status'], { type: string; code: string }> = {
  400: { type: 'invalid_request_error', code: 'bad_request' },
  401: { type: 'authentication_error', code: 'invalid_api_key' },
  403: { type: 'permission_error', code: 'permission_denied' },
  404: { type: 'not_found_error', code: 'not_found' },
  413: { type: 'invalid_request_error', code: 'request_too_large' },
  429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  500: { type: 'server_error', code: 'internal_error' },
  503: { type: 'server_error', code: 'unavailable' },
};

export function refusalResponse(
  dialect: RefusalDialect,
  { status, message, next, retryAfterS }: GatewayRefusal,
): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="Interject"');
  if (retryAfterS !== undefined) headers.set('retry-after', String(retryAfterS));
  const words = next === undefined ? message : `${message}. ${next}`;
  return new Response(JSON.stringify(refusalBody(dialect, status, words, message, next)), {
    status,
    headers,
  });
}

function refusalBody(
  dialect: RefusalDialect,
  status: GatewayRefusal['status'],
  words: string,
  message: string,
  next: string | undefined,
): unknown {
  const { type, code } = GATEWAY_ERROR_TYPES[status];
  switch (dialect) {
    case 'openai':
      return { error: { message: words, type, param: null, code } };
    case 'mcp':
      return { jsonrpc: '2.0', id: null, error: { code: -32_000, message: words, data: { code } } };
    case 'plain':
      return { code, message, next: next ?? null };
  }
}
