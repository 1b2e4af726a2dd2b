// What a recorded frame means: a reset, a call, a listing, the host's own tools, or none of these.
import type { Json } from '../../../shared/events/lifecycle.ts';
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { redactJson } from '../../../shared/redact/redact.ts';
import type { Observation } from '../../../shared/wireFrames.ts';
import { callOfAction, type ActionSpace } from '../../openenv/actionSpace.ts';
import { refusalText } from '../../openenv/failures.ts';
import { isRecord } from '../../../shared/json.ts';

export type FrameRequest =
  | { type: 'reset'; request: Record<string, Json> }
  | { type: 'list' }
  | { type: 'call'; tool: string; arguments: JsonObject }
  | { type: 'verify'; mode: string; final_answer: string | null }
  | { type: 'done' }
  | { type: 'other' };

/** What is nested deeper is kept as its frame: no schema could walk through it. */
const NESTED_MAX = 200;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

/** A number of such an exponent may be larger than any that is kept as a number. */
const HUGE = /\d[eE]\+?\d{3}/;

/** JSON has numbers that no number can hold; what becomes infinite is kept as words. */
const finite = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

function parseJsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, HUGE.test(text) ? finite : undefined);
    return isRecord(value) && !isDeeper(value, NESTED_MAX) ? value : null;
  } catch {
    return null;
  }
}

/**
 * A client's frame, or the body of its JSON-RPC request. `actions`: those of an environment without tools, of which each
 * is a call.
 */
export function readAsked(text: string, actions: ActionSpace | null = null): FrameRequest {
  const value = parseJsonObject(text);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpcRequest(value);
  const data = isRecord(value['data']) ? value['data'] : {};
  if (value['type'] === 'reset') return { type: 'reset', request: redactJson(data) as Record<string, Json> };
  if (value['type'] !== 'step') return { type: 'other' };
  if (actions !== null) {
    const call = callOfAction(actions, data as JsonObject);
    return call === null
      ? { type: 'other' }
      : { type: 'call', tool: call.tool_name, arguments: call.arguments };
  }
  if (data['type'] === 'list_tools') return { type: 'list' };
  return readCall(data['tool_name'], data['arguments']);
}

function readRpcRequest({ method, params }: Record<string, unknown>): FrameRequest {
  if (method === 'tools/list') return { type: 'list' };
  if (method !== 'tools/call' || !isRecord(params)) return { type: 'other' };
  return readCall(params['name'], params['arguments']);
}

function readCall(tool: unknown, given: unknown): FrameRequest {
  const args = given === undefined ? {} : given;
  if (typeof tool !== 'string' || !isRecord(args)) return { type: 'other' };
  if (tool === '__list_scenarios__') return { type: 'other' };
  if (tool === 'done') return { type: 'done' };
  if (tool !== 'verify') return { type: 'call', tool, arguments: args as JsonObject };
  const { verifier_mode: mode, final_answer: answer } = args;
  return {
    type: 'verify',
    mode: typeof mode === 'string' ? mode : 'code',
    final_answer: typeof answer === 'string' ? answer : null,
  };
}

export type FrameReply =
  | { type: 'observation'; observation: Observation; reward: number | null; done: boolean }
  /** `refusal`: the environment's words without their code, with what it says of each field. */
  | { type: 'error'; text: string; refusal: string }
  | { type: 'other' };

/** What an environment answered, over the socket or in JSON-RPC. */
export function readSaid(text: string): FrameReply {
  const value = parseJsonObject(text);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpcSaid(value);
  const data = isRecord(value['data']) ? value['data'] : {};
  if (value['type'] === 'error') {
    const text = `${stringOrEmpty(data['code'])}: ${stringOrEmpty(data['message'])}`;
    return { type: 'error', text, refusal: refusalText(data) };
  }
  if (value['type'] !== 'observation' || !isRecord(data['observation'])) return { type: 'other' };
  return observationReply(data['observation'], data);
}

function readRpcSaid({ result, error }: Record<string, unknown>): FrameReply {
  if (isRecord(error)) {
    const text = stringOrEmpty(error['message']);
    return { type: 'error', text, refusal: text };
  }
  return isRecord(result) ? observationReply(result, result) : { type: 'other' };
}

const observationReply = (
  observation: Record<string, unknown>,
  { reward, done }: Record<string, unknown>,
): FrameReply => ({
  type: 'observation',
  observation: observation as Observation,
  reward: typeof reward === 'boolean' ? Number(reward) : typeof reward === 'number' ? reward : null,
  done: done === true,
});

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Text or null, and nothing else, of a field that any server may fill with anything. */
export const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const wholeOr = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? (value as number) : null;

/** The tools of a listing, those that are tools. */
export const observedTools = ({ tools }: Observation): ToolSpec[] =>
  (Array.isArray(tools) ? (tools as unknown[]) : []).flatMap((tool) => {
    const withSchema =
      isRecord(tool) && isRecord(tool['inputSchema']) ? { input_schema: tool['inputSchema'], ...tool } : tool;
    return ToolSpec.safeParse(withSchema).data ?? [];
  });
