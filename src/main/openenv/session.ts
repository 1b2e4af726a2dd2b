// One episode's session with an OpenEnv server, generic or AWM: reset, step, state, close. Failures that the
// environment reports as data stay data; only broken promises are thrown.
import { Failure } from '../../shared/failure.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { askTools, type ListedTools } from './listTools.ts';
import type { Action, ClientFrame, Observation } from '../../shared/wireFrames.ts';
import type { Address } from './address.ts';
import { openConnection, type FrameAnswer, type OpenEnvConnection } from './connection.ts';
import { readableStep } from './oversized.ts';
import { errorFailure, heard, isRefusedAction, isSessionGone, refusalText, sessionGone } from './failures.ts';

/** Result of one reset or step. `reward` and `done` are the environment's own; `raw` is the frame verbatim. */
export type SessionStep = {
  observation: Observation;
  reward: number | null;
  done: boolean;
  raw: string;
  latency_ms: number;
};

/** An action that the environment could not read or carry out, in its words. */
export type RefusedAction = { refused: string; raw: string; latency_ms: number };

export type OpenEnvSession = {
  base: string;
  /** The road that was taken: over `POST /mcp` there are tools alone. */
  transport: 'socket' | 'mcp';
  /** How long a reset may take, in ms. */
  resetLimitMs: number;
  /** The credentials of its address, to be covered where the server repeats them. */
  secrets: readonly string[];
  reset(kwargs: Record<string, unknown>, signal?: AbortSignal): Promise<SessionStep>;
  step(action: Action, signal?: AbortSignal): Promise<SessionStep>;
  /** Takes an action of the environment's own. One that it refuses changes nothing, and the session goes on. */
  act(action: JsonObject, signal?: AbortSignal): Promise<SessionStep | RefusedAction>;
  listTools(signal?: AbortSignal): Promise<ListedTools>;
  callTool(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<SessionStep>;
  state(signal?: AbortSignal): Promise<{ episodeId: string | null; stepCount: number }>;
  close(): void;
  onClosed(listener: (failure: Failure) => void): void;
};

/** Over `POST /mcp` nothing is reset. */
export const resetLimitOf = ({
  transport,
  resetLimitMs,
}: Pick<OpenEnvSession, 'transport' | 'resetLimitMs'>): { resetLimitMs?: number } =>
  transport === 'mcp' ? {} : { resetLimitMs };

/** Time limits of each request. A reset may build a whole world: upstream allows 180 s and five retries. */
export type Timeouts = { connectMs: number; resetMs: number; stepMs: number; keepMs: number };

/** Opens a session over the socket. Throws `env_unreachable`, `env_not_openenv`, `env_timeout` or `cancelled`. */
export async function openSocketSession(
  address: Address,
  timeouts: Timeouts,
  options: { signal?: AbortSignal; answerMax?: number } = {},
): Promise<OpenEnvSession> {
  const connection = await openConnection(address, {
    timeoutMs: timeouts.connectMs,
    keepMs: timeouts.keepMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.answerMax === undefined ? {} : { answerMax: options.answerMax }),
  });
  return createOpenEnvSession(connection, address, timeouts);
}

function createOpenEnvSession(
  connection: OpenEnvConnection,
  { base, secrets }: Address,
  timeouts: Timeouts,
): OpenEnvSession {
  const exchange = (frame: ClientFrame, timeoutMs: number, signal?: AbortSignal): Promise<FrameAnswer> =>
    connection.request(frame, signal === undefined ? { timeoutMs } : { timeoutMs, signal });
  const send = async (frame: ClientFrame, timeoutMs: number, signal?: AbortSignal): Promise<FrameAnswer> => {
    const answer = await exchange(frame, timeoutMs, signal);
    if (answer.frame.type === 'error')
      throw errorFailure(answer.frame.data.code, answer.frame.data.message, { base, secrets });
    return answer;
  };
  const observation = (answer: FrameAnswer): SessionStep => readStep({ base, secrets }, answer);
  const observe = async (frame: ClientFrame, timeoutMs: number, signal?: AbortSignal): Promise<SessionStep> =>
    observation(await send(frame, timeoutMs, signal));
  const step = (action: Action, signal?: AbortSignal): Promise<SessionStep> =>
    observe({ type: 'step', data: action }, timeouts.stepMs, signal);

  return {
    base,
    transport: 'socket',
    resetLimitMs: timeouts.resetMs,
    secrets,
    reset: (kwargs, signal) => observe({ type: 'reset', data: kwargs }, timeouts.resetMs, signal),
    step,
    act: async (action, signal) => {
      const answer = await readableStep(exchange({ type: 'step', data: action }, timeouts.stepMs, signal));
      if (!('frame' in answer)) return answer;
      const { frame: reply, raw, latency_ms } = answer;
      if (reply.type !== 'error') return observation(answer);
      if (!isRefusedAction(reply.data.code))
        throw errorFailure(reply.data.code, reply.data.message, { base, secrets });
      return { refused: heard({ secrets }, refusalText(reply.data)), raw, latency_ms };
    },
    listTools: async (signal) => {
      const ask = (frame: ClientFrame): Promise<FrameAnswer> => exchange(frame, timeouts.stepMs, signal);
      const { listed, first } = await askTools(ask);
      if (listed !== null) return listed;
      const { frame: reply } = first;
      throw reply.type === 'error'
        ? errorFailure(reply.data.code, reply.data.message, { base, secrets })
        : unexpectedFrame(base, reply.type);
    },
    callTool: (name, args, signal) =>
      readableStep(step({ type: 'call_tool', tool_name: name, arguments: args }, signal)),
    state: async (signal) => {
      const { frame: reply } = await send({ type: 'state' }, timeouts.stepMs, signal);
      if (reply.type !== 'state') throw unexpectedFrame(base, reply.type);
      return { episodeId: reply.data.episode_id ?? null, stepCount: reply.data.step_count };
    },
    close: () => connection.close(),
    onClosed: (listener) => connection.onClosed(listener),
  };
}

/** Throws `env_closed` where the server tells in it that the session is gone. */
function readStep(
  address: Pick<Address, 'base' | 'secrets'>,
  { frame: reply, raw, latency_ms, idle_ms }: FrameAnswer,
): SessionStep {
  if (reply.type !== 'observation') throw unexpectedFrame(address.base, reply.type);
  const { observation, reward, done } = reply.data;
  const error = errorText(observation);
  if (error !== null && isSessionGone(error)) throw sessionGone(address, error, idle_ms);
  return {
    observation,
    reward: typeof reward === 'boolean' ? Number(reward) : (reward ?? null),
    done,
    raw,
    latency_ms,
  };
}

const unexpectedFrame = (base: string, type: string): Failure =>
  new Failure('env_bad_frame', `${base} answered with a ${type} frame where an observation was due`, {
    next: 'Check that the address is an OpenEnv server of a supported version.',
  });

/** The text an agent reads of a step: AWM's `tool_result` string, or the text parts of an MCP result. */
export function resultText(observation: Observation): string | null {
  if (typeof observation.tool_result === 'string') return observation.tool_result;
  const result = observation.tool_result ?? observation['result'];
  if (result === undefined || result === null) return null;
  if (typeof result === 'string') return result;
  const content = typeof result === 'object' && 'content' in result ? result.content : null;
  if (Array.isArray(content)) {
    const texts = content.flatMap((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? [part.text]
        : [],
    );
    if (texts.length > 0) return texts.join('\n');
  }
  return JSON.stringify(result, null, 2);
}

/**
 * The error an environment reports in an observation, as text: AWM's string, a generic server's
 * `{error_type, message}`, or the text of an MCP result that calls itself an error. Null when the step went well.
 */
export function errorText(observation: Observation): string | null {
  const { error } = observation;
  if (error === undefined || error === null) {
    const result = observation['result'];
    const isError =
      typeof result === 'object' && result !== null && 'is_error' in result && result.is_error === true;
    return isError ? (resultText(observation) ?? 'the tool reported an error') : null;
  }
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && 'message' in error && typeof error.message === 'string')
    return error.message;
  return JSON.stringify(error);
}

/** AWM's label of a step, or a generic server's `error_type`; null where neither is given. */
export function resultLabel(observation: Observation): string | null {
  if (typeof observation.reward_type === 'string') return observation.reward_type;
  const { error } = observation;
  const isTyped = typeof error === 'object' && error !== null && 'error_type' in error;
  return isTyped && typeof error.error_type === 'string' ? error.error_type : null;
}
