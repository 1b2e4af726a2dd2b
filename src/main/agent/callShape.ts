// Seeing a call in a value, in the shapes models give it: which name, which arguments. Must not know: where the value
// stood in the reply.
import { isVirtual, type Names } from './toolNames.ts';

type CallInValue = { name: string; arguments: unknown; repairs: string[] };
type CallFields = Readonly<Record<string, unknown>>;

const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'params', 'input', 'action_input'] as const;
const NAME_KEYS = ['name', 'tool_name', 'tool', 'function_name', 'function', 'action'] as const;
const WRAPPERS = ['tool_call', 'function_call', 'function'] as const;
/** Keys that say nothing about the call itself. */
const LABEL_KEYS: ReadonlySet<string> = new Set(['id', 'type', 'index', 'tool_call_id']);

export const callFields = (value: unknown): CallFields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as CallFields) : null;

export function callInValue(value: unknown, names: Names): CallInValue | null {
  const fields = callFields(value);
  if (fields === null) return null;
  for (const key of WRAPPERS) {
    const inside = callFields(own(fields, key));
    if (inside === null) continue;
    const called = callInValue(inside, names);
    if (called !== null) return { ...called, repairs: [`wrapped_in_${key}`, ...called.repairs] };
  }
  return namedCall(fields, names) ?? keyedCall(fields, names);
}

/** The calls of a list or of a `tool_calls` wrapper, or null when the value is neither. */
export function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  const inside = callFields(value)?.['tool_calls'];
  return Array.isArray(inside) ? inside : null;
}

export const own = (fields: CallFields, key: string): unknown =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

function pick(fields: CallFields, keys: readonly string[]): { key: string; value: unknown } | null {
  const key = keys.find((k) => Object.hasOwn(fields, k));
  return key === undefined ? null : { key, value: fields[key] };
}

export const argumentsField = (fields: CallFields): { key: string; value: unknown } | null =>
  pick(fields, ARGUMENT_KEYS);

function namedCall(fields: CallFields, names: Names): CallInValue | null {
  const nameKeys = NAME_KEYS.filter((key) => typeof own(fields, key) === 'string');
  const key = nameKeys[0];
  if (key === undefined) return null;
  const name = String(fields[key]);
  const given = argumentsField(fields);
  const repairs = key === 'name' ? [] : [`${key}_at_top`];
  const beside = own(fields, 'tool_name');
  if (name === 'call_tool' && key !== 'tool_name' && typeof beside === 'string') {
    return { name: beside, arguments: given?.value, repairs: [...repairs, 'tool_name_at_top'] };
  }
  if (given !== null) {
    if (given.key !== 'arguments') repairs.push(`${given.key}_key`);
    return { name, arguments: given.value, repairs };
  }
  const rest = Object.entries(fields).filter(([k]) => k !== key && !LABEL_KEYS.has(k));
  if (rest.length === 0) return { name, arguments: undefined, repairs };
  // Arguments beside the name can be told from other data only when the name is one we know.
  if (names.find(name) === null) return null;
  return { name, arguments: Object.fromEntries(rest), repairs: [...repairs, 'flat_arguments'] };
}

/** `{"create_user": {…}}`: one key, and it names a tool. */
function keyedCall(fields: CallFields, names: Names): CallInValue | null {
  const entries = Object.entries(fields);
  const [entry] = entries;
  if (entries.length !== 1 || entry === undefined) return null;
  const found = names.find(entry[0]);
  if (found === null || (callFields(entry[1]) === null && !isVirtual(found.name))) return null;
  return { name: entry[0], arguments: entry[1], repairs: ['name_as_key'] };
}
