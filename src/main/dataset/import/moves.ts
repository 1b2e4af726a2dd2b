// The move that a recorded call stands for, in any of the shapes harnesses write calls.
import type { JsonObject, Move, NativeCall } from '../../../shared/events/turns.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { parseJson } from '../../../shared/json.ts';
import { jsonText, asObject, isJsonRecord, isTooDeep, ownValue, textFrom } from './values.ts';

type ReadMove = { move: Move; repairs: string[] };

const TOOL_PREFIXES = ['functions.', 'mcp_tool_', 'mcp_server_'];

/** The name without what harnesses put before it. */
function bareName(written: string): string {
  let name = written.trim();
  for (let prefix = TOOL_PREFIXES.find((p) => name.startsWith(p)); prefix !== undefined;) {
    name = name.slice(prefix.length);
    prefix = TOOL_PREFIXES.find((p) => name.startsWith(p));
  }
  return name;
}

/** The move of a call with this name and these arguments (verbatim text). */
export function recordedMove(written: string, raw: string): ReadMove {
  const name = bareName(written);
  const read = readArguments(raw);
  const prefixed = name === written ? [] : ['name_prefix'];
  if (name === '')
    return { move: malformedMove('missing_name', 'The call names no tool.'), repairs: prefixed };
  if (name === 'list_tools') return { move: { type: 'list_tools' }, repairs: prefixed };
  if (read === null) {
    return {
      move: malformedMove('bad_arguments', `The arguments of ${name} are no JSON object.`),
      repairs: prefixed,
    };
  }
  if (name === 'call_tool') {
    const inner = textFrom(ownValue(read.value, 'tool_name')) ?? textFrom(ownValue(read.value, 'name'));
    const given = ownValue(read.value, 'arguments');
    const args = given === undefined ? { value: {}, repairs: [] } : readObjectArguments(given);
    if (inner !== null && args !== null)
      return {
        move: { type: 'call_tool', tool_name: bareName(inner), arguments: args.value },
        repairs: [...prefixed, ...read.repairs, ...args.repairs],
      };
  }
  const repairs = [...prefixed, ...read.repairs];
  if (name === ASK_EXPERT) return { move: askMove(read.value), repairs };
  return { move: { type: 'call_tool', tool_name: name, arguments: read.value }, repairs };
}

const malformedMove = (code: string, detail: string): Move => ({ type: 'malformed', code, detail });

const askMove = (given: JsonObject): Move => ({
  type: 'ask_expert',
  task: textFrom(ownValue(given, 'task')),
  available_tools: textFrom(ownValue(given, 'available_tools')),
  context: textFrom(ownValue(given, 'context')) ?? textFrom(ownValue(given, 'question')),
  arguments: given,
});

type ReadArguments = { value: JsonObject; repairs: string[] };

function readArguments(raw: string): ReadArguments | null {
  if (raw.trim() === '') return { value: {}, repairs: [] };
  try {
    return readObjectArguments(parseJson(raw));
  } catch {
    return null;
  }
}

/** An object, also where it stands as JSON in a string. */
function readObjectArguments(given: unknown): ReadArguments | null {
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0))
    return { value: {}, repairs: [] };
  if (typeof given === 'string') {
    const read = readArguments(given);
    return read === null ? null : { value: read.value, repairs: ['string_arguments'] };
  }
  if (!isJsonRecord(given) || isTooDeep(given)) return null;
  return { value: asObject(given), repairs: [] };
}

/** A call as the log keeps it: arguments as text, verbatim where they were text. */
export const nativeCall = (id: string, name: string, given: unknown): NativeCall => ({
  id,
  name,
  arguments:
    typeof given === 'string' ? given : given === undefined || given === null ? '{}' : jsonText(given),
});
