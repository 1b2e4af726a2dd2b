// How the expert's door says no: OpenAI's error shape, which names what of the request was at fault.

export type ExpertRefusal = {
  status: 400 | 404 | 405 | 413 | 503;
  message: string;
  param: string | null;
  code: string;
};

const OPENAI_ERROR_TYPES: Record<ExpertRefusal['status'], string> = {
  400: 'invalid_request_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  413: 'invalid_request_error',
  503: 'server_error',
};

/** A refusal as the client's library reads it. */
export const refusedResponse = ({ status, message, param, code }: ExpertRefusal): Response =>
  new Response(JSON.stringify({ error: { message, type: OPENAI_ERROR_TYPES[status], param, code } }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });

export const bad = (param: string | null, message: string, code = 'unsupported_value'): ExpertRefusal => ({
  status: 400,
  message,
  param,
  code,
});
