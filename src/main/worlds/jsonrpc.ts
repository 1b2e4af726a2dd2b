// The MCP door: sessions may be opened and ended, and the tools of such a session used. Must not know: whether a
// request came over HTTP or inside a socket's `mcp` frame.
import type { StepAction } from './envelope.ts';
import type { WorldReply } from './frames.ts';
import { isRecord } from '../../shared/json.ts';
import {
  extra,
  fieldMismatch,
  missingField,
  notObject,
  notString,
  printed,
  type FrameProblem,
} from './problems.ts';

type RpcId = string | number | null;
type RpcMessage = { method: string; params: Record<string, unknown>; id: RpcId };
/** The sessions as this door needs them. */
export type RpcSessions = {
  /** The session whose socket brought the request, or null over HTTP. */
  own: string | null;
  /** Null when there is no slot left. */
  open(): string | null;
  end(id: string): 'unknown' | 'ended' | 'ending';
  step(id: string, action: StepAction): WorldReply | null;
  count(): { active: number; max: number };
};

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const SERVER_ERROR = -32000;

const rpcError = (id: RpcId, code: number, message: string, data: unknown = null): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
});
const rpcResult = (id: RpcId, result: object): object => ({ jsonrpc: '2.0', id, result });

export const parseError = (): object => rpcError(null, PARSE_ERROR, 'Parse error');

/** Answers one JSON-RPC request. */
export function answerWorldRpc(given: Record<string, unknown>, sessions: RpcSessions): object {
  const problems = rpcProblems(given);
  if (problems.length > 0)
    return rpcError(null, INVALID_REQUEST, `Invalid request: ${printed('JsonRpcRequest', problems)}`);
  const { params } = given;
  const request: RpcMessage = {
    method: given['method'] as string,
    params: isRecord(params) ? params : {},
    id: (given['id'] ?? null) as RpcId,
  };
  switch (request.method) {
    case 'openenv/session/create':
      return createRpcSession(request.id, sessions);
    case 'openenv/session/close':
      return closeSession(request, sessions);
    case 'tools/list':
    case 'tools/call':
      return rpcTools(request, sessions);
    default:
      return rpcError(request.id, METHOD_NOT_FOUND, `Method not found: ${request.method}`);
  }
}

function createRpcSession(id: RpcId, sessions: RpcSessions): object {
  if (sessions.own !== null) return rpcResult(id, { session_id: sessions.own });
  const opened = sessions.open();
  if (opened !== null) return rpcResult(id, { session_id: opened });
  const { active, max } = sessions.count();
  return rpcError(id, SERVER_ERROR, capacityMessage(active, max), {
    active_sessions: active,
    max_sessions: max,
  });
}

function closeSession({ id, params }: RpcMessage, sessions: RpcSessions): object {
  const target = params['session_id'];
  if (typeof target !== 'string' || target === '')
    return rpcError(id, INVALID_PARAMS, "Invalid params - 'session_id' is required");
  if (target === sessions.own)
    return rpcError(id, INVALID_REQUEST, 'Cannot close active WebSocket-managed session via MCP method');
  const end = sessions.end(target);
  if (end === 'unknown') return rpcError(id, INVALID_PARAMS, `Unknown session_id: ${target}`);
  return rpcResult(
    id,
    end === 'ended'
      ? { session_id: target, closed: true }
      : { session_id: target, closed: false, closing: true },
  );
}

/**
 * Tools of a session, as one more way to step in it: OpenEnv's own MCP client since 0.6 knows no other way to list and
 * call. Without a session, or inside a socket, the answer is the Agent World Model's: no.
 */
function rpcTools({ id, method, params }: RpcMessage, sessions: RpcSessions): object {
  const name = params['name'];
  const isCall = method === 'tools/call';
  if (isCall && (typeof name !== 'string' || name === ''))
    return rpcError(id, INVALID_PARAMS, "Missing 'name' in params");
  const session = params['session_id'];
  if (sessions.own !== null || typeof session !== 'string' || session === '')
    return rpcError(id, INTERNAL_ERROR, 'Environment does not support MCP');
  const args = params['arguments'] ?? {};
  if (!isRecord(args)) return rpcError(id, INVALID_PARAMS, "'arguments' must be an object");
  const action: StepAction = isCall
    ? { type: 'call_tool', tool_name: String(name), arguments: args }
    : { type: 'list_tools' };
  const reply = sessions.step(session, action);
  if (reply === null) return rpcError(id, INVALID_PARAMS, `Unknown session_id: ${session}`);
  if (reply.type === 'raised') return rpcError(id, INTERNAL_ERROR, reply.message);
  if (reply.type === 'invalid') return rpcError(id, INTERNAL_ERROR, 'Invalid message');
  const { observation, reward, done } = reply;
  return rpcResult(
    id,
    isCall ? { done, reward: reward ?? null, metadata: {}, ...observation } : { tools: observation['tools'] },
  );
}

export const capacityMessage = (active: number, max: number): string =>
  `Server at capacity: ${String(active)}/${String(max)} sessions active. Cannot accept new connections.`;

const KNOWN: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params', 'id']);

function rpcProblems(given: Record<string, unknown>): FrameProblem[] {
  const problems: FrameProblem[] = [];
  const has = (key: string): boolean => Object.hasOwn(given, key);
  const { jsonrpc, method, params, id } = given;
  if (!has('jsonrpc')) problems.push(missingField(['jsonrpc'], given));
  else if (jsonrpc !== '2.0')
    problems.push(fieldMismatch('literal_error', ['jsonrpc'], "Input should be '2.0'", jsonrpc));
  if (!has('method')) problems.push(missingField(['method'], given));
  else if (typeof method !== 'string') problems.push(notString(['method'], method));
  if (has('params') && !isRecord(params)) problems.push(notObject(['params'], params));
  if (has('id') && id !== null && typeof id !== 'string' && !Number.isInteger(id)) {
    problems.push(notString(['id', 'str'], id));
    problems.push(fieldMismatch('int_type', ['id', 'int'], 'Input should be a valid integer', id));
  }
  for (const [key, value] of Object.entries(given)) {
    if (!KNOWN.has(key)) problems.push(extra([key], value));
  }
  return problems;
}
