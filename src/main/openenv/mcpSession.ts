// A session over `POST /mcp`, OpenEnv's JSON-RPC for tools: it has sessions, listings and calls, and neither a reset nor
// rewards nor an end. Source: OpenEnv core `env_server` (`mcp_handler`).
import { Failure, errorMessage } from '../../shared/failure.ts';
import { isRecord, tryJson } from '../../shared/json.ts';
import { Observation } from '../../shared/wireFrames.ts';
import { ANSWER_MAX } from '../../shared/wire.ts';
import type { Address } from './address.ts';
import { KEEP_REQUEST } from './connection.ts';
import { badFrame, heard, isSessionGone, sessionGone, timedOut, unreachable } from './failures.ts';
import { askHttp, TooLong } from './http.ts';
import { toolsOfMcp } from './listTools.ts';
import { OversizedAnswer, readableStep } from './oversized.ts';
import type { OpenEnvSession, SessionStep, Timeouts } from './session.ts';

const METHOD_NOT_FOUND = -32601;
const SERVER_ERROR = -32000;
const CLOSE_MS = 5_000;

const WARNING =
  'Played over POST /mcp, which knows tools alone: the episode begins in a new session of the server, without a reset (scenario, task, seed and other reset arguments are not sent) and without a task, and its steps have a reward and an end only where the server puts them into a tool’s answer.';
const WITHOUT_SESSIONS = ' This server keeps no sessions there: each call begins anew.';

type RpcAnswer = {
  result: unknown;
  error: { code: number; message: string } | null;
  raw: string;
  latency_ms: number;
};
type Rpc = (
  method: string,
  params: Record<string, unknown>,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<RpcAnswer>;

/** Throws `env_unreachable`, `env_not_openenv`, `env_capacity`, `env_timeout` or `cancelled`. */
export async function openMcpSession(
  address: Address,
  timeouts: Timeouts,
  signal?: AbortSignal,
): Promise<OpenEnvSession> {
  const rpc = createRpc(address);
  const options = { timeoutMs: timeouts.connectMs, signal };
  const first = await createSession(address, rpc, options);
  // Whether there are tools at all shows only when they are asked for.
  const { error } = await rpc('tools/list', paramsOf(first.id), options);
  if (error !== null) {
    endSession(rpc, first.id);
    throw noTools(address, error.message);
  }
  return mcpSession({ address, rpc, timeouts, first });
}

const paramsOf = (session: string | null): Record<string, unknown> =>
  session === null ? {} : { session_id: session };

type McpSession = { id: string | null; raw: string; latency_ms: number };

async function createSession(address: Address, rpc: Rpc, options: Parameters<Rpc>[2]): Promise<McpSession> {
  const { result, error, raw, latency_ms } = await rpc('openenv/session/create', {}, options);
  if (error === null) {
    const id = isRecord(result) ? result['session_id'] : undefined;
    if (typeof id === 'string') return { id, raw, latency_ms };
    throw badFrame(address, 'a session without an id');
  }
  // An older server knows no sessions over HTTP.
  if (error.code === METHOD_NOT_FOUND) return { id: null, raw, latency_ms };
  if (error.code !== SERVER_ERROR) throw noTools(address, error.message);
  throw new Failure('env_capacity', `${address.base} has no free session: ${heard(address, error.message)}`, {
    next: 'Wait for a session to end, lower the concurrency, or raise the server’s limit.',
  });
}

const noTools = (address: Address, said: string): Failure =>
  new Failure('env_not_openenv', `${address.base}/mcp has no tools to offer: “${heard(address, said)}”`, {
    next: 'Only environments of MCP tools can be played over POST /mcp; choose the socket for others.',
  });

const endSession = (rpc: Rpc, id: string | null): void => {
  if (id === null) return;
  rpc('openenv/session/close', { session_id: id }, { timeoutMs: CLOSE_MS }).catch(() => undefined);
};

type McpParts = { address: Address; rpc: Rpc; timeouts: Timeouts; first: McpSession };

/** The session that is asked now, and its end. */
type McpLine = {
  current: () => McpSession;
  replace: (next: McpSession) => void;
  /** Asks in the session. Whatever goes wrong on the way ends it: what was asked may have been done or not. */
  ask: Rpc;
  end: (failure: Failure) => void;
  ended: () => Failure | null;
  listeners: ((failure: Failure) => void)[];
};

function createMcpLine({ address, rpc, timeouts: { keepMs }, first }: McpParts): McpLine {
  let [session, usedAt] = [first, performance.now()];
  let ended: Failure | null = null;
  const listeners: McpLine['listeners'] = [];
  const keeps = setInterval(() => {
    if (performance.now() - usedAt < keepMs) return;
    const { method, params } = KEEP_REQUEST;
    rpc(method, { ...params, ...paramsOf(session.id) }, { timeoutMs: CLOSE_MS }).catch(() => undefined);
  }, keepMs);
  keeps.unref();
  const end = (failure: Failure): void => {
    clearInterval(keeps);
    if (ended !== null) return;
    ended = failure;
    for (const listener of listeners) listener(failure);
  };
  const broken = (failure: Failure): Failure => {
    end(failure);
    return failure;
  };
  return {
    current: () => session,
    replace: (next) => (session = next),
    end,
    ended: () => ended,
    listeners,
    ask: async (method, params, options) => {
      if (ended !== null) throw ended;
      const idleMs = performance.now() - usedAt;
      const answer = await rpc(method, { ...params, ...paramsOf(session.id) }, options).catch(
        (thrown: unknown) => {
          // What is too large was read to its end: each request has an answer of its own.
          throw thrown instanceof Failure && !(thrown instanceof OversizedAnswer) ? broken(thrown) : thrown;
        },
      );
      usedAt = performance.now();
      const { error } = answer;
      if (error !== null && isSessionGone(error.message))
        throw broken(sessionGone(address, error.message, idleMs));
      return answer;
    },
  };
}

function mcpTools({ address, timeouts: { stepMs } }: McpParts, { ask }: McpLine) {
  const callTool: OpenEnvSession['callTool'] = async (name, args, signal) =>
    stepOf(name, await ask('tools/call', { name, arguments: args }, { timeoutMs: stepMs, signal }));
  const listTools: OpenEnvSession['listTools'] = async (signal) => {
    const { result, error, ...answer } = await ask('tools/list', {}, { timeoutMs: stepMs, signal });
    if (error !== null) throw noTools(address, error.message);
    const listed = toolsOfMcp(isRecord(result) ? result : {}, answer);
    if (listed === null) throw badFrame(address, 'a listing without tools');
    return listed;
  };
  return { callTool, listTools };
}

function mcpSession(parts: McpParts): OpenEnvSession {
  const { address, rpc, timeouts } = parts;
  const line = createMcpLine(parts);
  const { callTool, listTools } = mcpTools(parts, line);
  let [steps, isFresh] = [0, true];
  const call: OpenEnvSession['callTool'] = (...asked) => {
    [steps, isFresh] = [steps + 1, false];
    return callTool(...asked);
  };
  return {
    base: address.base,
    transport: 'mcp',
    resetLimitMs: timeouts.resetMs,
    secrets: address.secrets,
    reset: async (_kwargs, signal) => {
      if (!isFresh) {
        endSession(rpc, line.current().id);
        line.replace(await createSession(address, rpc, { timeoutMs: timeouts.resetMs, signal }));
      }
      [steps, isFresh] = [0, true];
      const { id, raw, latency_ms } = line.current();
      const warning = id === null ? `${WARNING}${WITHOUT_SESSIONS}` : WARNING;
      return { observation: { warning }, reward: null, done: false, raw, latency_ms };
    },
    step: async (action, signal) => {
      if (action.type === 'call_tool') return call(action.tool_name, action.arguments, signal);
      const { tools, ...answer } = await listTools(signal);
      return { observation: { tools }, reward: null, done: false, ...answer };
    },
    act: () => Promise.reject(noTools(address, 'it takes tool calls and no other actions')),
    listTools,
    callTool: (...asked) => readableStep(call(...asked)),
    state: () => Promise.resolve({ episodeId: line.current().id, stepCount: steps }),
    close: () => {
      line.listeners.length = 0;
      if (line.ended() === null) endSession(rpc, line.current().id);
      line.end(new Failure('closed', 'the connection was closed'));
    },
    onClosed: (listener) => {
      const ended = line.ended();
      if (ended === null) line.listeners.push(listener);
      else listener(ended);
    },
  };
}

/** A call's answer as the socket would give it: an MCP result, or a whole observation with its reward. */
function stepOf(tool_name: string, { result, error, raw, latency_ms }: RpcAnswer): SessionStep {
  const rest = { raw, latency_ms };
  if (error !== null)
    return {
      observation: { tool_name, result: null, error: error.message },
      reward: null,
      done: false,
      ...rest,
    };
  if (isRecord(result) && 'done' in result && 'reward' in result && !('content' in result)) {
    const { done, reward, ...observed } = result;
    const observation = Observation.safeParse(observed).data ?? { tool_name, result };
    return { observation, reward: typeof reward === 'number' ? reward : null, done: done === true, ...rest };
  }
  return { observation: { tool_name, result, error: null }, reward: null, done: false, ...rest };
}

/** One request at a time has one id; the answer is found by its HTTP response. */
function createRpc(address: Address): Rpc {
  let count = 0;
  return async (method, params, { timeoutMs, signal }) => {
    count += 1;
    const startedAt = performance.now();
    const { status, text } = await post(
      address,
      { jsonrpc: '2.0', id: count, method, params },
      timeoutMs,
      signal,
    );
    const latency_ms = performance.now() - startedAt;
    if (status !== 200) {
      throw new Failure('env_not_openenv', `${address.base}/mcp answered HTTP ${String(status)}`, {
        next: 'Check the address: an OpenEnv server takes tool calls at <address>/mcp.',
      });
    }
    const answer = tryJson(text);
    if (!isRecord(answer) || !('result' in answer || isRecord(answer['error'])))
      throw badFrame(address, `text that is no JSON-RPC (${heard(address, text).slice(0, 80)})`);
    const error = isRecord(answer['error']) ? answer['error'] : null;
    return {
      result: answer['result'],
      error: error === null ? null : { code: Number(error['code']), message: String(error['message']) },
      raw: text,
      latency_ms,
    };
  };
}

async function post(
  address: Address,
  body: { method: string; [key: string]: unknown },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): ReturnType<typeof askHttp> {
  const startedAt = performance.now();
  try {
    return await askHttp(address, '/mcp', {
      body,
      timeoutMs,
      charsMax: ANSWER_MAX,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (thrown) {
    if (signal?.aborted === true)
      throw new Failure('cancelled', 'the request was cancelled', { cause: thrown });
    if (thrown instanceof TooLong) {
      const { length: bytes, head } = thrown;
      const outcome = { reward: null, done: false, latency_ms: performance.now() - startedAt };
      throw new OversizedAnswer(address.base, { bytes, most: ANSWER_MAX, head, ...outcome });
    }
    const isLate =
      thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');
    if (isLate) throw timedOut(address, body.method, timeoutMs);
    throw unreachable(address, toError(thrown));
  }
}

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(errorMessage(thrown));
