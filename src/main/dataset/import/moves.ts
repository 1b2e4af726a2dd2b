// Owns: the move a recorded call stands for, in the shapes harnesses write calls.
import type { JsonObject, Move, NativeCall } from '../../../shared/events/turns.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { asObject, isFields, isTooDeep, own, textOf } from './values.ts';

type Meant = { move: Move; repairs: string[] };

const PREFIXES = ['functions.', 'mcp_tool_', 'mcp_server_'];

/** The name without what harnesses put before it. */
export function bareName(written: string): string {
  let name = written.trim();
  for (let prefix = PREFIXES.find((p) => name.startsWith(p)); prefix !== undefined;) {
    name = name.slice(prefix.length);
    prefix = PREFIXES.find((p) => name.startsWith(p));
  }
  return name;
}

/** What a call with this name and these arguments (verbatim text) asks for. */
export function moveOf(written: string, raw: string): Meant {
  const name = bareName(written);
  const read = argumentsOf(raw);
  const prefixed = name === written ? [] : ['name_prefix'];
  if (name === '') return { move: malformed('missing_name', 'The call names no tool.'), repairs: prefixed };
  if (name === 'list_tools') return { move: { type: 'list_tools' }, repairs: prefixed };
  if (read === null) {
    return {
      move: malformed('bad_arguments', `The arguments of ${name} are no JSON object.`),
      repairs: prefixed,
    };
  }
  if (name === 'call_tool') {
    const inner = textOf(own(read.value, 'tool_name')) ?? textOf(own(read.value, 'name'));
    const given = own(read.value, 'arguments');
    const args = given === undefined ? { value: {}, repairs: [] } : objectOf(given);
    if (inner !== null && args !== null)
      return {
        move: { type: 'call_tool', tool_name: bareName(inner), arguments: args.value },
        repairs: [...prefixed, ...read.repairs, ...args.repairs],
      };
  }
  const repairs = [...prefixed, ...read.repairs];
  if (name === ASK_EXPERT) return { move: askOf(read.value), repairs };
  return { move: { type: 'call_tool', tool_name: name, arguments: read.value }, repairs };
}

const malformed = (code: string, detail: string): Move => ({ type: 'malformed', code, detail });

const askOf = (given: JsonObject): Move => ({
  type: 'ask_expert',
  task: textOf(own(given, 'task')),
  available_tools: textOf(own(given, 'available_tools')),
  context: textOf(own(given, 'context')) ?? textOf(own(given, 'question')),
  arguments: given,
});

type Read = { value: JsonObject; repairs: string[] };

function argumentsOf(raw: string): Read | null {
  if (raw.trim() === '' || raw.trim() === 'null') return { value: {}, repairs: [] };
  try {
    return objectOf(JSON.parse(raw) as unknown);
  } catch {
    return null;
  }
}

/** An object, also where it stands as JSON in a string. */
function objectOf(given: unknown): Read | null {
  if (given === null || given === '') return { value: {}, repairs: [] };
  if (typeof given === 'string') {
    const read = argumentsOf(given);
    return read === null ? null : { value: read.value, repairs: ['string_arguments'] };
  }
  if (!isFields(given) || isTooDeep(given)) return null;
  return { value: asObject(given), repairs: [] };
}

/** A call as the log keeps it: arguments as text, verbatim where they were text. */
export const nativeCall = (id: string, name: string, given: unknown): NativeCall => ({
  id,
  name,
  arguments:
    typeof given === 'string' ? given : given === undefined || given === null ? '{}' : JSON.stringify(given),
});
