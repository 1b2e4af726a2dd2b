// Owns: the MCP door as the Agent World Model answers it: sessions may be opened and closed, tools are not offered here.
// Must not know: whether a request came over HTTP or inside a socket's `mcp` frame.
import { isRecord } from './json.ts';
import { extra, mismatch, missing, notObject, notString, printed, type Problem } from './problems.ts';

type Id = string | number | null;
type Rpc = { method: string; params: Record<string, unknown>; id: Id };
/** The slots that MCP sessions take. `open` gives null when there is none left. */
export type Slots = {
  own: string | null;
  open(): string | null;
  close(id: string): boolean;
  count(): { active: number; max: number };
};

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const SERVER_ERROR = -32000;

const failed = (id: Id, code: number, message: string, data: unknown = null): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
});
const answered = (id: Id, result: object): object => ({ jsonrpc: '2.0', id, result });

export const parseError = (): object => failed(null, PARSE_ERROR, 'Parse error');

/** Answers one JSON-RPC request. */
export function answerRpc(given: Record<string, unknown>, slots: Slots): object {
  const problems = problemsOf(given);
  if (problems.length > 0)
    return failed(null, INVALID_REQUEST, `Invalid request: ${printed('JsonRpcRequest', problems)}`);
  const { params } = given;
  const request: Rpc = {
    method: given['method'] as string,
    params: isRecord(params) ? params : {},
    id: (given['id'] ?? null) as Id,
  };
  switch (request.method) {
    case 'openenv/session/create':
      return createSession(request.id, slots);
    case 'openenv/session/close':
      return closeSession(request, slots);
    case 'tools/list':
    case 'tools/call':
      return failed(request.id, INTERNAL_ERROR, 'Environment does not support MCP');
    default:
      return failed(request.id, METHOD_NOT_FOUND, `Method not found: ${request.method}`);
  }
}

function createSession(id: Id, slots: Slots): object {
  if (slots.own !== null) return answered(id, { session_id: slots.own });
  const opened = slots.open();
  if (opened !== null) return answered(id, { session_id: opened });
  const { active, max } = slots.count();
  return failed(id, SERVER_ERROR, capacityMessage(active, max), {
    active_sessions: active,
    max_sessions: max,
  });
}

function closeSession({ id, params }: Rpc, slots: Slots): object {
  const target = params['session_id'];
  if (typeof target !== 'string' || target === '')
    return failed(id, INVALID_PARAMS, "Invalid params - 'session_id' is required");
  if (target === slots.own)
    return failed(id, INVALID_REQUEST, 'Cannot close active WebSocket-managed session via MCP method');
  return slots.close(target)
    ? answered(id, { session_id: target, closed: true })
    : failed(id, INVALID_PARAMS, `Unknown session_id: ${target}`);
}

export const capacityMessage = (active: number, max: number): string =>
  `Server at capacity: ${String(active)}/${String(max)} sessions active. Cannot accept new connections.`;

const KNOWN: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params', 'id']);

function problemsOf(given: Record<string, unknown>): Problem[] {
  const problems: Problem[] = [];
  const has = (key: string): boolean => Object.hasOwn(given, key);
  const { jsonrpc, method, params, id } = given;
  if (!has('jsonrpc')) problems.push(missing(['jsonrpc'], given));
  else if (jsonrpc !== '2.0')
    problems.push(mismatch('literal_error', ['jsonrpc'], "Input should be '2.0'", jsonrpc));
  if (!has('method')) problems.push(missing(['method'], given));
  else if (typeof method !== 'string') problems.push(notString(['method'], method));
  if (has('params') && !isRecord(params)) problems.push(notObject(['params'], params));
  if (has('id') && id !== null && typeof id !== 'string' && !Number.isInteger(id)) {
    problems.push(notString(['id', 'str'], id));
    problems.push(mismatch('int_type', ['id', 'int'], 'Input should be a valid integer', id));
  }
  for (const [key, value] of Object.entries(given)) {
    if (!KNOWN.has(key)) problems.push(extra([key], value));
  }
  return problems;
}
