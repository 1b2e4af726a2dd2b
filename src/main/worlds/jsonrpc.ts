// The MCP door: sessions may be opened and ended, and the tools of such a session used. It does not know whether a
// request came over HTTP or inside a socket's `mcp` frame.
import { isRecord } from '../../shared/json.ts';
import type { StepAction } from './envelope.ts';
import type { WorldReply } from './frames.ts';
import { memberProblems, TEXT_MEMBER, type Member } from './problems.ts';

/** The sessions as this door needs them. */
export type RpcSessions = {
  /** The session whose socket brought the request, or null over HTTP. */
  own: string | null;
  open(): string | null;
  end(id: string): 'unknown' | 'ended' | 'ending';
  step(id: string, action: StepAction): WorldReply | null;
  count(): SessionCount;
};
export type SessionCount = { active_sessions: number; max_sessions: number };
type Params = Record<string, unknown>;
type RpcOutcome = { result: object } | { error: { code: number; message: string; data: unknown } };

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const SERVER_ERROR = -32000;
const NO_MCP = 'Environment does not support MCP';

const rpcError = (code: number, message: string, data: unknown = null): RpcOutcome => ({
  error: { code, message, data },
});
const response = (id: unknown, outcome: RpcOutcome): object => ({ jsonrpc: '2.0', id, ...outcome });

export const parseError = (): object => response(null, rpcError(-32700, 'Parse error'));

const REQUEST: Readonly<Record<string, Member>> = {
  jsonrpc: { fits: (value) => value === '2.0', type: 'literal_error', isRequired: true },
  method: { ...TEXT_MEMBER, isRequired: true },
  params: { fits: isRecord, type: 'dict_type' },
  id: {
    fits: (value) => value === null || typeof value === 'string' || Number.isInteger(value),
    type: 'string_type',
  },
};

export const answerWorldRpc = (given: Record<string, unknown>, sessions: RpcSessions): object =>
  answerRequest(given, (method, params) => answer(method, params, sessions));

/** The same where the environment has no tools. */
export const refuseRpc = (given: Record<string, unknown>): object =>
  answerRequest(given, () => rpcError(INTERNAL_ERROR, NO_MCP));

function answerRequest(
  given: Record<string, unknown>,
  answerMethod: (method: string, params: Params) => RpcOutcome,
): object {
  const problems = memberProblems(given, REQUEST);
  if (problems.length > 0) {
    const text = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    return response(null, rpcError(INVALID_REQUEST, `Invalid request: ${text}`));
  }
  const { id = null, params } = given;
  return response(id, answerMethod(String(given['method']), isRecord(params) ? params : {}));
}

function answer(method: string, params: Params, sessions: RpcSessions): RpcOutcome {
  switch (method) {
    case 'openenv/session/create':
      return createRpcSession(sessions);
    case 'openenv/session/close':
      return closeSession(params['session_id'], sessions);
    case 'tools/list':
    case 'tools/call':
      return rpcTools(method === 'tools/call', params, sessions);
    default:
      return rpcError(-32601, `Method not found: ${method}`);
  }
}

function createRpcSession(sessions: RpcSessions): RpcOutcome {
  const session = sessions.own ?? sessions.open();
  const count = sessions.count();
  return session === null
    ? rpcError(SERVER_ERROR, capacityMessage(count), count)
    : { result: { session_id: session } };
}

function closeSession(session: unknown, sessions: RpcSessions): RpcOutcome {
  if (typeof session !== 'string' || session === '')
    return rpcError(INVALID_PARAMS, "Invalid params - 'session_id' is required");
  if (session === sessions.own)
    return rpcError(INVALID_REQUEST, 'Cannot close active WebSocket-managed session via MCP method');
  const end = sessions.end(session);
  if (end === 'unknown') return rpcError(INVALID_PARAMS, `Unknown session_id: ${session}`);
  return {
    result: { session_id: session, closed: end === 'ended', ...(end === 'ending' ? { closing: true } : {}) },
  };
}

/**
 * Tools of a session, as one more way to step in it: OpenEnv's own MCP client since 0.6 knows no other way to list and
 * call. Without a session, or inside a socket, the answer is the Agent World Model's: no.
 */
function rpcTools(isCall: boolean, params: Params, sessions: RpcSessions): RpcOutcome {
  const { name, session_id: session, arguments: args = {} } = params;
  if (isCall && (typeof name !== 'string' || name === ''))
    return rpcError(INVALID_PARAMS, "Missing 'name' in params");
  if (sessions.own !== null || typeof session !== 'string' || session === '')
    return rpcError(INTERNAL_ERROR, NO_MCP);
  if (!isRecord(args ?? {})) return rpcError(INVALID_PARAMS, "'arguments' must be an object");
  const action: StepAction = isCall
    ? { type: 'call_tool', tool_name: String(name), arguments: isRecord(args) ? args : {} }
    : { type: 'list_tools' };
  const reply = sessions.step(session, action);
  if (reply === null) return rpcError(INVALID_PARAMS, `Unknown session_id: ${session}`);
  if (reply.type !== 'observation')
    return rpcError(INTERNAL_ERROR, reply.type === 'raised' ? reply.message : 'Invalid message');
  const { observation, reward, done } = reply;
  return {
    result: isCall
      ? { done, reward: reward ?? null, metadata: {}, ...observation }
      : { tools: observation['tools'] },
  };
}

export const capacityMessage = ({ active_sessions: active, max_sessions: max }: SessionCount): string =>
  `Server at capacity: ${String(active)}/${String(max)} sessions active. Cannot accept new connections.`;
