// Checks a call's arguments against its tool's schema, as leniently as a scenario's HTTP service does: numbers and
// booleans may come as text, unknown arguments are ignored.
import { isRecord } from '../../shared/json.ts';
import type { ToolProperty, PackTool } from './packFiles.ts';
import { PROBLEM_TEXTS, type ProblemType } from './problems.ts';

type Detail = { type: string; loc: string[]; msg: string; input: unknown };
type CheckedArguments = { ok: true; values: Record<string, unknown> } | { ok: false; details: Detail[] };

/** The values to bind, one for every property of the schema (null where none was given), or what is wrong. */
export function checkToolArguments(
  { input_schema: { properties, required } }: PackTool,
  args: Record<string, unknown>,
  place: 'query' | 'body',
): CheckedArguments {
  const values: Record<string, unknown> = {};
  const details: Detail[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const refuse = (type: string, msg: string, input: unknown = given): unknown =>
      details.push({ type, loc: [place, name], msg, input });
    values[name] = property.default ?? null;
    if ((given ?? null) === null && !required.includes(name)) continue;
    if (given === undefined) {
      refuse('missing', PROBLEM_TEXTS.missing, args);
      continue;
    }
    const read = property.enum === undefined ? ARGUMENT_READERS[property.type](given) : { value: given };
    const broken = typeof read === 'string' ? [read, PROBLEM_TEXTS[read]] : brokenRule(property, read.value);
    if (broken !== null) refuse(broken[0] ?? '', broken[1] ?? '');
    else if (typeof read !== 'string') values[name] = read.value;
  }
  return details.length === 0 ? { ok: true, values } : { ok: false, details };
}

type ArgumentReader = (given: unknown) => { value: unknown } | ProblemType;

const ARGUMENT_READERS: Readonly<Record<ToolProperty['type'], ArgumentReader>> = {
  integer: (given) => {
    if (typeof given === 'string')
      return /^\s*[+-]?\d+\s*$/.test(given) ? { value: Number(given) } : 'int_parsing';
    if (typeof given !== 'number') return 'int_type';
    return Number.isInteger(given) ? { value: given } : 'int_from_float';
  },
  number: (given) => {
    if (typeof given === 'number') return { value: given };
    if (typeof given !== 'string') return 'float_type';
    return given.trim() !== '' && Number.isFinite(Number(given)) ? { value: Number(given) } : 'float_parsing';
  },
  boolean: (given) => {
    const text = ['string', 'boolean', 'number'].includes(typeof given) ? String(given).toLowerCase() : null;
    if (text === null) return 'bool_type';
    if (/^(true|yes|on|1)$/.test(text)) return { value: true };
    return /^(false|no|off|0)$/.test(text) ? { value: false } : 'bool_parsing';
  },
  string: (given) => (typeof given === 'string' ? { value: given } : 'string_type'),
  array: (given) => (Array.isArray(given) ? { value: given } : 'list_type'),
  object: (given) => (isRecord(given) ? { value: given } : 'dict_type'),
};

/** The first rule of the schema that a value breaks. The words must not hold one that `labelOfError` looks for. */
function brokenRule(
  { enum: choices, minimum, maximum, minLength, maxLength, pattern }: ToolProperty,
  value: unknown,
): [type: string, msg: string] | null {
  if (choices !== undefined)
    return typeof value === 'string' && choices.includes(value)
      ? null
      : ['literal_error', `Input should be one of ${choices.join(', ')}`];
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum)
      return ['greater_than_equal', `Input should be at least ${String(minimum)}`];
    if (maximum !== undefined && value > maximum)
      return ['less_than_equal', `Input should be at most ${String(maximum)}`];
  }
  if (typeof value === 'string') {
    if (minLength !== undefined && value.length < minLength)
      return ['string_too_short', `Input should be at least ${String(minLength)} characters long`];
    if (maxLength !== undefined && value.length > maxLength)
      return ['string_too_long', `Input should be at most ${String(maxLength)} characters long`];
    if (pattern !== undefined && !new RegExp(pattern).test(value))
      return ['string_pattern_mismatch', `Input should match ${pattern}`];
  }
  return null;
}
