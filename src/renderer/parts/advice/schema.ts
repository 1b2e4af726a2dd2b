// Owns: checking a call's arguments against a tool's JSON Schema, by reading it: nothing is compiled, nothing evaluated.
// It says only what is certain; what it does not understand it lets pass.
import { isOfType, isSchema, namedTypes, type Schema } from '../schema/jsonSchema.ts';
import { nearest } from './nearest.ts';

export type ArgumentProblem =
  | { kind: 'missing_argument'; argument: string }
  | { kind: 'unknown_argument'; argument: string; instead: string | null }
  | { kind: 'wrong_type'; argument: string; expected: string; found: string };

/** What is wrong with these arguments; empty when nothing certain is. */
export function checkArguments(schema: Schema, args: Readonly<Record<string, unknown>>): ArgumentProblem[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : null;
  if (properties === null) return [];
  const names = Object.keys(properties);
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((r) => typeof r === 'string')
    : [];
  const given = Object.keys(args);
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  const free = names.filter((name) => !given.includes(name));
  return [
    ...required
      .filter((argument) => !Object.hasOwn(args, argument))
      .map((argument): ArgumentProblem => ({ kind: 'missing_argument', argument })),
    ...(isOpen ? [] : given)
      .filter((argument) => !Object.hasOwn(properties, argument))
      .map((argument): ArgumentProblem => ({
        kind: 'unknown_argument',
        argument,
        instead: nearest(argument, free),
      })),
    ...given.flatMap((argument): ArgumentProblem[] => {
      const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
      const expected = isSchema(property) ? mismatch(property, args[argument], 0) : null;
      return expected === null
        ? []
        : [{ kind: 'wrong_type', argument, expected, found: describe(args[argument]) }];
    }),
  ];
}

const DEPTH_MAX = 8;

/** What was expected instead of `value`, or null when it fits or cannot be judged. */
function mismatch(schema: Schema, value: unknown, depth: number): string | null {
  if (depth > DEPTH_MAX || '$ref' in schema) return null;
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any)) {
    const reasons = any.filter(isSchema).map((option) => mismatch(option, value, depth + 1));
    if (reasons.length === 0 || reasons.includes(null)) return null;
    return [...new Set(reasons)].join(' or ');
  }
  const options = schema['enum'];
  if (Array.isArray(options) && !options.some((option) => JSON.stringify(option) === JSON.stringify(value))) {
    const shown = options
      .slice(0, 8)
      .map((option) => JSON.stringify(option))
      .join(', ');
    return `one of ${shown}${options.length > 8 ? ', …' : ''}`;
  }
  const types = namedTypes(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return types.map(article).join(' or ');
  const items = schema['items'];
  if (Array.isArray(value) && isSchema(items)) {
    const inside = value.map((item) => mismatch(items, item, depth + 1)).find((reason) => reason !== null);
    return inside === undefined || inside === null ? null : `a list of ${inside.replace(/^an? /, '')}`;
  }
  return null;
}

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
};
const article = (type: string): string => NAMES[type] ?? (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  return typeof value === 'object' ? 'an object' : JSON.stringify(value);
}
