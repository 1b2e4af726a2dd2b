import { ExactNumber, isRecord } from '../json.ts';
import type { Schema } from './checkValue.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isSize = (value: unknown): boolean => Number.isInteger(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE =
  'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else';
const LIST = 'prefixItems items allOf anyOf oneOf';
const BY_NAME = '$defs definitions properties patternProperties dependentSchemas';
const [one, list, byName] = [ONE, LIST, BY_NAME].map((names) => new Set(names.split(' '))) as [
  Set<string>,
  Set<string>,
  Set<string>,
];

/** The shapes of all other asserted keywords. */
const SHAPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  $ref: isText,
  $id: isText,
  $anchor: isText,
  $schema: isText,
  $recursiveRef: isText,
  $recursiveAnchor: (value) => typeof value === 'boolean',
  const: () => true,
  enum: Array.isArray,
  required: isTexts,
  dependentRequired: (value) => isRecord(value) && Object.values(value).every(isTexts),
  dependencies: isRecord,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: (value) => isNumber(value) || typeof value === 'boolean',
  exclusiveMaximum: (value) => isNumber(value) || typeof value === 'boolean',
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isSize,
  maxLength: isSize,
  minItems: isSize,
  maxItems: isSize,
  minContains: isSize,
  maxContains: isSize,
  minProperties: isSize,
  maxProperties: isSize,
  uniqueItems: (value) => typeof value === 'boolean',
};

/** Hold values, not schemas; `id` was a schema's name in draft 4. */
const DATA = new Set(['default', 'example', 'examples', 'id']);

/** Longer patterns are not tried. */
const PATTERN_MAX = 1000;
/** Longer texts are not held against a pattern. */
const PATTERN_TEXT_MAX = 256;
const REPEATED_GROUP = /\)(?:[*+]|\{\d*,)/;
/** Endless repeats, and the plain character behind them. */
const OPEN_REPEATS = /(\\.|\[(?:\\.|[^\]\\])*\]|.)(?:[*+]|\{\d*,\d*\})(?=(\\\W|[^\\()[\]{}|.?*+^$])|)/gu;

/**
 * A copy of a schema from elsewhere that a validator can use without harm. It keeps what the specification of JSON Schema
 * asserts and drops what cannot be read: a type nobody knows, a keyword that does not hold what it should. `nullable` is
 * OpenAPI 3.0's. A `false` is written as the schema that nothing fits.
 */
export function prepareSchema(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const kept = prepareKeyword(keyword, value, schema);
    return kept === undefined ? [] : [[keyword, kept]];
  });
  const prepared = Object.fromEntries(entries);
  const { pattern } = schema;
  if (typeof pattern !== 'string' || !isHarmless(pattern)) return prepared;
  const bounded = { if: { minLength: PATTERN_TEXT_MAX + 1 }, else: { pattern } };
  return { ...prepared, allOf: [...((prepared['allOf'] as unknown[] | undefined) ?? []), bounded] };
}

function prepareKeyword(keyword: string, value: unknown, schema: Schema): unknown {
  if (keyword === 'type') return prepareType(value, schema);
  if (keyword === 'additionalProperties' && !canReadNames(schema)) return undefined;
  if (list.has(keyword) && Array.isArray(value)) return value.length === 0 ? undefined : value.map(subschema);
  if (one.has(keyword)) return isRecord(value) || typeof value === 'boolean' ? subschema(value) : undefined;
  if (byName.has(keyword)) return prepareNamed(keyword, value);
  const holds = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword] : undefined;
  // A reference may lead through a keyword that asserts nothing: `#/components/schemas/Step`.
  if (holds === undefined) return isRecord(value) && !DATA.has(keyword) ? prepareSchema(value) : undefined;
  if (!holds(value)) return undefined;
  return keyword === 'dependencies' ? mapValues(value as Schema, subschema) : value;
}

const prepareNamed = (keyword: string, value: unknown): unknown =>
  isRecord(value)
    ? mapValues(value, subschema, (name) => keyword !== 'patternProperties' || isHarmless(name))
    : undefined;

const subschema = (value: unknown): unknown =>
  value === false
    ? { not: {} }
    : isRecord(value)
      ? prepareSchema(value)
      : Array.isArray(value)
        ? value
        : true;

function prepareType(value: unknown, { nullable }: Schema): unknown {
  const types = (Array.isArray(value) ? value : [value]) as unknown[];
  if (types.length === 0 || !types.every((type) => TYPES.includes(type as string))) return undefined;
  return nullable === true ? [...types, 'null'] : value;
}

/** Names that an unreadable pattern might take are not refused. */
const canReadNames = ({ patternProperties: named }: Schema): boolean =>
  !isRecord(named) || Object.keys(named).every(isHarmless);

/** Open repeats that may end at several places: all but those in front of a character that they do not take. */
const uncertainEnds = (pattern: string): number =>
  [...pattern.matchAll(OPEN_REPEATS)].filter(
    ([, repeated = '', behind]) =>
      behind === undefined || new RegExp(`^(?:${repeated})$`, 'u').test(behind.replace('\\', '')),
  ).length;

/**
 * True if a pattern from elsewhere can be tried in a moment. A repeated group can take exponential time and many open
 * uncertain ends a high power of the length, so a hostile environment could stop the console with them.
 */
function isHarmless(pattern: string): boolean {
  try {
    if (pattern.length > PATTERN_MAX || REPEATED_GROUP.test(pattern) || uncertainEnds(pattern) > 3)
      return false;
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The validator knows JavaScript’s numbers alone: one that is kept exactly is judged as the nearest of them. */
export function inNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (Array.isArray(value)) return value.map(inNumbers);
  return isRecord(value) ? mapValues(value, inNumbers, (name) => value[name] !== undefined) : value;
}

const mapValues = (
  from: Schema,
  to: (value: unknown) => unknown,
  isKept: (name: string) => boolean = () => true,
): Schema =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => (isKept(name) ? [[name, to(value)]] : [])),
  );
