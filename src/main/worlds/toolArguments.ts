// Checking a call's arguments against its tool's schema, with the error list a FastAPI service would give. Lenient
// where such a service is: numbers and booleans may come as text, unknown arguments are ignored.
import { isRecord } from '../../shared/json.ts';
import type { ToolProperty, PackTool } from './packFiles.ts';
import { isTruthy } from './python.ts';

type Detail = { type: string; loc: string[]; msg: string; input: unknown; ctx?: object };
type CheckedArguments = { ok: true; values: Record<string, unknown> } | { ok: false; details: Detail[] };

/** The values to bind, one for every property of the schema (null where none was given), or what is wrong. */
export function checkToolArguments(
  tool: PackTool,
  args: Record<string, unknown>,
  place: 'query' | 'body',
): CheckedArguments {
  const { properties, required } = tool.input_schema;
  const values: Record<string, unknown> = {};
  const details: Detail[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const loc = [place, name];
    if (given === undefined || (given === null && !required.includes(name))) {
      if (required.includes(name)) details.push({ type: 'missing', loc, msg: 'Field required', input: args });
      values[name] = property.default ?? null;
      continue;
    }
    const read = coerce(property, given);
    if (read.ok) values[name] = read.value;
    else details.push({ type: read.type, loc, msg: read.msg, input: given, ...read.extra });
  }
  return details.length === 0 ? { ok: true, values } : { ok: false, details };
}

type ReadValue =
  { ok: true; value: unknown } | { ok: false; type: string; msg: string; extra?: { ctx: object } };

const no = (type: string, msg: string, ctx?: object): ReadValue => ({
  ok: false,
  type,
  msg,
  ...(ctx === undefined ? {} : { extra: { ctx } }),
});

function coerce(property: ToolProperty, given: unknown): ReadValue {
  switch (property.type) {
    case 'integer':
      return integer(property, given);
    case 'number':
      return readNumber(property, given);
    case 'boolean':
      return boolean(given);
    case 'string':
      return readText(property, given);
    case 'array':
      return Array.isArray(given)
        ? { ok: true, value: given }
        : no('list_type', 'Input should be a valid list');
    case 'object':
      return isRecord(given)
        ? { ok: true, value: given }
        : no('dict_type', 'Input should be a valid dictionary');
    default:
      return property.type satisfies never;
  }
}

function integer(property: ToolProperty, given: unknown): ReadValue {
  if (typeof given === 'string') {
    const isWritten = /^\s*[+-]?\d+\s*$/.test(given);
    const unreadable = 'Input should be a valid integer, unable to parse string as an integer';
    return isWritten ? bounded(property, Number(given)) : no('int_parsing', unreadable);
  }
  if (typeof given !== 'number') return no('int_type', 'Input should be a valid integer');
  if (!Number.isInteger(given))
    return no('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
  return bounded(property, given);
}

function readNumber(property: ToolProperty, given: unknown): ReadValue {
  if (typeof given === 'number') return bounded(property, given);
  if (typeof given !== 'string') return no('float_type', 'Input should be a valid number');
  const isWritten = given.trim() !== '' && Number.isFinite(Number(given));
  const unreadable = 'Input should be a valid number, unable to parse string as a number';
  return isWritten ? bounded(property, Number(given)) : no('float_parsing', unreadable);
}

function bounded({ minimum, maximum }: ToolProperty, value: number): ReadValue {
  if (minimum !== undefined && value < minimum)
    return no('greater_than_equal', `Input should be greater than or equal to ${String(minimum)}`, {
      ge: minimum,
    });
  if (maximum !== undefined && value > maximum)
    return no('less_than_equal', `Input should be less than or equal to ${String(maximum)}`, { le: maximum });
  return { ok: true, value };
}

const WRITTEN_BOOLEANS: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

function boolean(given: unknown): ReadValue {
  if (typeof given === 'boolean') return { ok: true, value: given };
  if (given === 0 || given === 1) return { ok: true, value: isTruthy(given) };
  const written = typeof given === 'string' ? given.toLowerCase() : '';
  if (Object.hasOwn(WRITTEN_BOOLEANS, written)) return { ok: true, value: WRITTEN_BOOLEANS[written] };
  return typeof given === 'string' || typeof given === 'number'
    ? no('bool_parsing', 'Input should be a valid boolean, unable to interpret input')
    : no('bool_type', 'Input should be a valid boolean');
}

function readText({ enum: choices, minLength, maxLength, pattern }: ToolProperty, given: unknown): ReadValue {
  if (choices !== undefined) {
    const expected = choices
      .map((choice) => `'${choice}'`)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
    return typeof given === 'string' && choices.includes(given)
      ? { ok: true, value: given }
      : no('literal_error', `Input should be ${expected}`, { expected });
  }
  if (typeof given !== 'string') return no('string_type', 'Input should be a valid string');
  if (minLength !== undefined && given.length < minLength)
    return no('string_too_short', `String should have at least ${characters(minLength)}`, {
      min_length: minLength,
    });
  if (maxLength !== undefined && given.length > maxLength)
    return no('string_too_long', `String should have at most ${characters(maxLength)}`, {
      max_length: maxLength,
    });
  if (pattern !== undefined && !new RegExp(pattern).test(given))
    return no('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern });
  return { ok: true, value: given };
}

const characters = (count: number): string => `${String(count)} character${count === 1 ? '' : 's'}`;
