// Owns: checking arguments against a tool's JSON Schema by reading it, every level: nothing is compiled or evaluated.
// It says only what is certain; what it does not understand it lets pass, for main checks again.
import { isOfType, isSchema, namedTypes, type Schema } from '../schema/jsonSchema.ts';
import { isExact } from './exactNumber.ts';
import { resolved } from './schemaForm.ts';

/** What is wrong at a place: `steps.0.name`; empty for the arguments as a whole. */
export type Wrong = { path: string; message: string };

/** What is said of an argument that is not given. */
export const MISSING = 'is required';

const DEPTH_MAX = 12;
/** More than this many faults help nobody. */
const WRONG_MAX = 50;

/** What is wrong with these arguments; empty when nothing certain is. */
export const checkValue = (schema: Schema, value: unknown): Wrong[] =>
  wrongsOf(schema, value, { root: schema, path: '', depth: 0 }).slice(0, WRONG_MAX);

type At = { root: Schema; path: string; depth: number };

const inside = (at: At, name: string): At => ({
  ...at,
  path: at.path === '' ? name : `${at.path}.${name}`,
  depth: at.depth + 1,
});

function wrongsOf(given: Schema, value: unknown, at: At): Wrong[] {
  if (at.depth > DEPTH_MAX) return [];
  const schema = resolved(given, at.root);
  if ('$ref' in schema) return [];
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any)) return alternatives(any.filter(isSchema), value, at);
  const options = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined);
  if (Array.isArray(options) && !options.some((option) => JSON.stringify(option) === JSON.stringify(value)))
    return [{ path: at.path, message: `must be ${oneOf(options)}` }];
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return [{ path: at.path, message: mismatch(types, value) }];
  if (typeof value === 'number') return bounds(schema, value, at);
  if (typeof value === 'string') return lengths(schema, value, at);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isSchema(items)
      ? value.flatMap((item, index) => wrongsOf(items, item, inside(at, String(index))))
      : [];
  }
  return isSchema(value) ? membersOf(schema, value, at) : [];
}

/** The alternative that comes nearest says what is wrong; none when one fits. */
function alternatives(schemas: readonly Schema[], value: unknown, at: At): Wrong[] {
  const tried = schemas.map((schema) => wrongsOf(schema, value, at));
  if (tried.length === 0 || tried.some((wrongs) => wrongs.length === 0)) return [];
  const deeper = tried.find((wrongs) => wrongs.every(({ path }) => path !== at.path));
  if (deeper !== undefined) return deeper;
  const messages = new Set(tried.flatMap(([first]) => (first === undefined ? [] : [first.message])));
  return [{ path: at.path, message: [...messages].join(', or ') }];
}

function membersOf(schema: Schema, value: Schema, at: At): Wrong[] {
  const { properties: known, required, additionalProperties } = schema;
  const properties = isSchema(known) ? known : {};
  const missing = (Array.isArray(required) ? required : [])
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
    .map((name) => ({ path: inside(at, name).path, message: MISSING }));
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const here = inside(at, name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isSchema(property)) return wrongsOf(property, member, here);
    if (isSchema(additionalProperties)) return wrongsOf(additionalProperties, member, here);
    return property === undefined && additionalProperties === false
      ? [{ path: here.path, message: 'is not an argument of this tool' }]
      : [];
  });
  return [...missing, ...wrong];
}

function bounds({ minimum, maximum }: Schema, value: number, { path }: At): Wrong[] {
  if (typeof minimum === 'number' && value < minimum)
    return [{ path, message: `must be ${String(minimum)} or more` }];
  return typeof maximum === 'number' && value > maximum
    ? [{ path, message: `must be ${String(maximum)} or less` }]
    : [];
}

function lengths({ minLength, maxLength }: Schema, value: string, { path }: At): Wrong[] {
  if (typeof minLength === 'number' && Array.from(value).length < minLength)
    return [{ path, message: `must have ${String(minLength)} characters or more` }];
  return typeof maxLength === 'number' && Array.from(value).length > maxLength
    ? [{ path, message: `must have ${String(maxLength)} characters at most` }]
    : [];
}

const typesOf = (schema: Schema): string[] => {
  const types = namedTypes(schema);
  return schema['nullable'] === true && types.length > 0 ? [...types, 'null'] : types;
};

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

function mismatch(types: readonly string[], value: unknown): string {
  const isTooLong = typeof value === 'string' && NUMERAL.test(value.trim()) && !isExact(value);
  const wantsNumber = types.includes('integer') || types.includes('number');
  return isTooLong && wantsNumber
    ? 'has more digits than can be sent exactly'
    : `must be ${types.map(article).join(' or ')}`;
}

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  null: 'nothing (null)',
};
const article = (type: string): string => NAMES[type] ?? `a ${type}`;

function oneOf(options: readonly unknown[]): string {
  const shown = options.slice(0, 8).map((option) => JSON.stringify(option) ?? '');
  return `one of ${shown.join(', ')}${options.length > 8 ? ', …' : ''}`;
}
