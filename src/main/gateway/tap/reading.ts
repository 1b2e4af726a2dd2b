// Owns: what a recorded frame means: a reset, a call, a listing, the host's own tools, or none of these; and what an
// answer says. Pure. What cannot be read stays a frame.
import type { Json } from '../../../shared/events/lifecycle.ts';
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import type { Observation } from '../../../shared/wire.ts';

export type Asked =
  | { type: 'reset'; request: Record<string, Json> }
  | { type: 'list' }
  | { type: 'call'; tool: string; arguments: JsonObject }
  | { type: 'verify'; mode: string; finalAnswer: string | null }
  | { type: 'done' }
  | { type: 'other' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text, HUGE.test(text) ? finite : undefined);
    return isObject(value) && !isDeeper(value, NESTED_MAX) ? value : null;
  } catch {
    return null;
  }
}

/** A client's frame, or the body of its JSON-RPC request. */
export function readAsked(text: string): Asked {
  const value = parsed(text);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpc(value);
  const data = isObject(value['data']) ? value['data'] : {};
  if (value['type'] === 'reset') return { type: 'reset', request: redacted(data) };
  if (value['type'] !== 'step') return { type: 'other' };
  if (data['type'] === 'list_tools') return { type: 'list' };
  return readCall(data['tool_name'], data['arguments']);
}

function readRpc({ method, params }: Record<string, unknown>): Asked {
  if (method === 'tools/list') return { type: 'list' };
  if (method !== 'tools/call' || !isObject(params)) return { type: 'other' };
  return readCall(params['name'], params['arguments']);
}

function readCall(tool: unknown, given: unknown): Asked {
  const args = given === undefined ? {} : given;
  if (typeof tool !== 'string' || !isObject(args)) return { type: 'other' };
  if (tool === '__list_scenarios__') return { type: 'other' };
  if (tool === 'done') return { type: 'done' };
  if (tool !== 'verify') return { type: 'call', tool, arguments: args as JsonObject };
  const { verifier_mode: mode, final_answer: answer } = args;
  return {
    type: 'verify',
    mode: typeof mode === 'string' ? mode : 'code',
    finalAnswer: typeof answer === 'string' ? answer : null,
  };
}

const SECRET_KEY = /key|token|secret|password|authorization/i;

/** The reset's arguments without what must not be kept; the tap's process has blacked the frame out already. */
const redacted = (request: Record<string, unknown>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key,
      SECRET_KEY.test(key) ? '[redacted]' : isObject(value) ? redacted(value) : (value as Json),
    ]),
  );

export type Said =
  | { type: 'observation'; observation: Observation; reward: number | null; done: boolean }
  | { type: 'error'; text: string }
  | { type: 'other' };

/** What an environment answered, over the socket or in JSON-RPC. */
export function readSaid(text: string): Said {
  const value = parsed(text);
  if (value === null) return { type: 'other' };
  if (value['jsonrpc'] !== undefined) return readRpcSaid(value);
  const data = isObject(value['data']) ? value['data'] : {};
  if (value['type'] === 'error') {
    return { type: 'error', text: `${word(data['code'])}: ${word(data['message'])}` };
  }
  if (value['type'] !== 'observation' || !isObject(data['observation'])) return { type: 'other' };
  return observed(data['observation'], data);
}

function readRpcSaid({ result, error }: Record<string, unknown>): Said {
  if (isObject(error)) return { type: 'error', text: word(error['message']) };
  return isObject(result) ? observed(result, result) : { type: 'other' };
}

const observed = (observation: Record<string, unknown>, { reward, done }: Record<string, unknown>): Said => ({
  type: 'observation',
  observation: observation as Observation,
  reward: typeof reward === 'boolean' ? Number(reward) : typeof reward === 'number' ? reward : null,
  done: done === true,
});

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Text or null, and nothing else, of a field that any server may fill with anything. */
export const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const wholeOr = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? (value as number) : null;

/** The tools of a listing, those that are tools. */
export const toolsOf = ({ tools }: Observation): ToolSpec[] =>
  (Array.isArray(tools) ? (tools as unknown[]) : []).flatMap((tool) => {
    const withSchema =
      isObject(tool) && isObject(tool['inputSchema']) ? { input_schema: tool['inputSchema'], ...tool } : tool;
    return ToolSpec.safeParse(withSchema).data ?? [];
  });
