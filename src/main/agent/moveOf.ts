// The move that a name and its arguments stand for.
import type { JsonObject, Move } from '../../shared/events/turns.ts';
import { argumentsField, callFields, own } from './callShape.ts';
import { readWholeJson } from './looseJson.ts';
import { ASK_EXPERT, CALL_TOOL, LIST_TOOLS, type Names } from './toolNames.ts';

type Meant = { move: Move; repairs: string[] };

/** How often a call may be wrapped in a call, and arguments in a string. */
const WRAPPED_DEPTH_MAX = 3;
const ASK_KEYS: ReadonlySet<string> = new Set(['task', 'available_tools', 'context', 'expert']);

export const malformed = (code: string, detail: string): Move => ({ type: 'malformed', code, detail });

/** The move of one call. An unknown tool is a move like any other: the environment answers it. */
export function moveOfCall(written: string, given: unknown, names: Names, depth = 0): Meant {
  const found = names.find(written);
  const name = found?.name ?? written.trim();
  const repairs = found?.isRepaired === true ? ['name_prefix'] : [];
  if (name === '') return { move: malformed('missing_name', 'The call names no tool.'), repairs };
  const mended = (meant: Meant): Meant => ({ move: meant.move, repairs: [...repairs, ...meant.repairs] });
  if (name === LIST_TOOLS) return { move: { type: 'list_tools' }, repairs };
  if (name === ASK_EXPERT) return mended(askExpertCall(given));
  if (name === CALL_TOOL) return mended(wrappedCall(given, names, depth));
  const read = argumentsObject(given);
  if ('problem' in read)
    return mended({
      move: malformed(read.code, `${read.problem} The call was to ${JSON.stringify(name)}.`),
      repairs: [],
    });
  return mended({
    move: { type: 'call_tool', tool_name: name, arguments: read.value },
    repairs: read.repairs,
  });
}

/** `call_tool` with the real name and arguments inside, at whatever depth models nest it. */
function wrappedCall(given: unknown, names: Names, depth: number): Meant {
  const read = argumentsObject(given);
  if ('problem' in read) return { move: malformed(read.code, read.problem), repairs: [] };
  const key = ['tool_name', 'name', 'tool'].find((k) => typeof own(read.value, k) === 'string');
  const toolName = key === undefined ? '' : read.value[key];
  if (
    key === undefined ||
    typeof toolName !== 'string' ||
    toolName.trim() === '' ||
    depth >= WRAPPED_DEPTH_MAX
  ) {
    return {
      move: malformed('missing_tool_name', '`call_tool` needs a `tool_name` and its `arguments`.'),
      repairs: read.repairs,
    };
  }
  const inner = argumentsField(read.value);
  const rest = Object.fromEntries(Object.entries(read.value).filter(([k]) => k !== key));
  const isFlat = inner === null && Object.keys(rest).length > 0;
  const meant = moveOfCall(toolName, inner === null ? rest : inner.value, names, depth + 1);
  const repairs = [
    ...read.repairs,
    ...(key === 'tool_name' ? [] : [`${key}_for_tool_name`]),
    ...(inner !== null && inner.key !== 'arguments' ? [`${inner.key}_key`] : []),
    ...(isFlat ? ['flat_arguments'] : []),
    ...(meant.move.type === 'call_tool' ? [] : ['virtual_through_call_tool']),
  ];
  return { move: meant.move, repairs: [...repairs, ...meant.repairs] };
}

function askExpertCall(given: unknown): Meant {
  const read = argumentsObject(given);
  if ('problem' in read) {
    // A bare question is one a person would understand; nothing else could be meant by it.
    if (typeof given === 'string' && given.trim() !== '') {
      return { move: askExpertMove({ context: given.trim() }), repairs: ['bare_question'] };
    }
    return { move: malformed(read.code, read.problem), repairs: [] };
  }
  const isOther = Object.keys(read.value).some((key) => !ASK_KEYS.has(key));
  return {
    move: askExpertMove(read.value),
    repairs: isOther ? [...read.repairs, 'other_ask_arguments'] : read.repairs,
  };
}

const askExpertMove = (given: JsonObject): Move => ({
  type: 'ask_expert',
  task: textArgument(own(given, 'task')),
  available_tools: textArgument(own(given, 'available_tools')),
  context: textArgument(own(given, 'context') ?? own(given, 'question') ?? own(given, 'query')),
  arguments: given,
});

function textArgument(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  const isNames = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isNames ? value.join(', ') : JSON.stringify(value);
}

type ArgumentsRead = { value: JsonObject; repairs: string[] } | { problem: string; code: string };

/** Arguments as an object: nothing is `{}`, a string is read as JSON, also inside another string. */
function argumentsObject(given: unknown): ArgumentsRead {
  const repairs: string[] = [];
  let value = given;
  for (let depth = 0; typeof value === 'string'; depth += 1) {
    const text = value.trim();
    if (text === '') return { value: {}, repairs };
    const read = readWholeJson(text);
    if (!read.ok) {
      const near = text.slice(Math.max(0, read.at - 20), read.at + 20);
      return {
        code: 'bad_arguments',
        problem: `The arguments are not valid JSON: ${read.problem} (near ${JSON.stringify(near)}).`,
      };
    }
    if (depth >= WRAPPED_DEPTH_MAX) break;
    repairs.push(depth === 0 ? 'string_arguments' : 'nested_string_arguments', ...read.repairs);
    value = read.value;
  }
  if (value === undefined || value === null) return { value: {}, repairs };
  if (Array.isArray(value) && value.length === 0)
    return { value: {}, repairs: [...repairs, 'empty_list_arguments'] };
  const fields = callFields(value);
  if (fields !== null) return { value: fields as JsonObject, repairs };
  return { code: 'arguments_not_object', problem: 'The arguments must be one JSON object.' };
}
