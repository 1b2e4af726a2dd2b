// Reading a tool's JSON Schema as the form a person fills in. What has no field becomes JSON text of its own.
import { type ExactNumber, isRecord, parseJson } from '../../../shared/json.ts';
import { checkValue, resolved, type Schema } from '../../../shared/schema/checkValue.ts';

export type Shape =
  | { type: 'text'; isLong: boolean }
  | { type: 'number'; isWhole: boolean; min: number | null; max: number | null }
  | { type: 'boolean' }
  /** The values of an enum, each as its JSON. */
  | { type: 'choice'; options: readonly unknown[] }
  | { type: 'list'; item: SchemaField }
  | { type: 'group'; fields: readonly SchemaField[] }
  /** One of several forms. */
  | { type: 'union'; alternatives: readonly Alternative[] }
  /** Anything: entered as JSON. */
  | { type: 'json' };

export type Alternative = { label: string; shape: Shape; fits: (value: unknown) => boolean };

export type SchemaField = {
  name: string;
  shape: Shape;
  isRequired: boolean;
  isNullable: boolean;
  description: string;
  /** A value that shows what is meant: the default, else an example. */
  hint: string | null;
};

const FORM_DEPTH_MAX = 6;
/** A schema that holds itself in many places would have more fields than a form can show. */
const FORM_FIELDS_MAX = 500;

/** The fields of a tool, or null when its schema has none to show: then it is JSON as a whole. */
export function schemaFields(schema: Schema): readonly SchemaField[] | null {
  const read = reader(schema);
  const shape = read('', schema, true, 0).shape;
  return shape.type === 'group' ? shape.fields : null;
}

/** Merges `allOf` into the schema beside it; returns the schema itself if it cannot be merged. */
function merged(schema: Schema, root: Schema): Schema {
  const { allOf, ...beside } = schema;
  if (!Array.isArray(allOf) || !allOf.every(isRecord)) return schema;
  const members = [...allOf.map((one) => resolved(one, root)), beside];
  const isPlain =
    allOf.length === 1 || members.every((one) => !('allOf' in one || 'anyOf' in one || 'oneOf' in one));
  if (!isPlain) return schema;
  const properties = members.map((one) => one['properties']).filter(isRecord);
  const required = members.flatMap((one) =>
    Array.isArray(one['required']) ? (one['required'] as unknown[]) : [],
  );
  return {
    ...Object.assign({}, ...members),
    ...(properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) as unknown }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The alternatives without `null`, those of unions in unions too, and whether `null` was one. */
function withoutNull(
  given: Schema,
  root: Schema,
  depth = 0,
): { options: readonly Schema[]; isNullable: boolean } {
  const schema = merged(given, root);
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any) && depth <= FORM_DEPTH_MAX) {
    const inner = any.filter(isRecord).map((one) => withoutNull(resolved(one, root), root, depth + 1));
    return {
      options: inner.flatMap(({ options }) => options),
      isNullable: inner.some(({ isNullable }) => isNullable),
    };
  }
  const { type } = schema;
  if (type === 'null') return { options: [], isNullable: true };
  if (!Array.isArray(type)) return { options: [schema], isNullable: schema['nullable'] === true };
  const types = type.filter((one) => one !== 'null');
  return {
    options: types.map((one) => ({ ...schema, type: one as unknown })),
    isNullable: types.length < type.length,
  };
}

/** The shape of a single value: a choice, a text, a number, yes or no; null for anything that holds others. */
function plainShape(schema: Schema): Shape | null {
  const options = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined);
  if (Array.isArray(options)) return { type: 'choice', options: options.filter((option) => option !== null) };
  switch (schema['type']) {
    case 'string':
      return { type: 'text', isLong: isLong(schema) };
    case 'integer':
    case 'number':
      return {
        type: 'number',
        isWhole: schema['type'] === 'integer',
        min: numberOrNull(schema['minimum']),
        max: numberOrNull(schema['maximum']),
      };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return null;
  }
}

function reader(root: Schema) {
  let fieldCount = 0;
  const shapeOf = (schema: Schema, depth: number): Shape => {
    if (depth > FORM_DEPTH_MAX || 'allOf' in schema || 'not' in schema) return { type: 'json' };
    const plain = plainShape(schema);
    if (plain !== null) return plain;
    if (schema['type'] !== 'array') return groupOf(schema, depth);
    return isRecord(schema['items'])
      ? { type: 'list', item: read('', schema['items'], true, depth + 1) }
      : { type: 'json' };
  };
  const groupOf = (schema: Schema, depth: number): Shape => {
    const { properties, required, additionalProperties } = schema;
    // An object of free names cannot be laid out as fields.
    const isOpen = isRecord(additionalProperties) || additionalProperties === true;
    if (!isRecord(properties) || (isOpen && Object.keys(properties).length === 0)) return { type: 'json' };
    const must = new Set<unknown>(Array.isArray(required) ? required : []);
    const fields = Object.entries(properties).map(([name, property]) =>
      read(name, isRecord(property) ? property : {}, must.has(name), depth + 1),
    );
    return { type: 'group', fields: fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)) };
  };
  const unionOf = (options: readonly Schema[], depth: number): Shape => {
    if (options.length === 0 || depth >= FORM_DEPTH_MAX) return { type: 'json' };
    const { $defs, definitions } = root;
    const alternatives = options.map((option) => ({
      label: alternativeLabel(option),
      shape: shapeOf(option, depth + 1),
      fits: (value: unknown) => checkValue({ $defs, definitions, ...option }, value).length === 0,
    }));
    // Texts and numbers of any form are typed as JSON alike.
    return alternatives.every(({ shape }) => shape.type === 'json')
      ? { type: 'json' }
      : { type: 'union', alternatives };
  };
  const read = (name: string, given: Schema, isRequired: boolean, depth: number): SchemaField => {
    const outer = resolved(given, root);
    const { options, isNullable } = withoutNull(outer, root);
    const [only] = options;
    const inner = options.length === 1 && only !== undefined ? only : null;
    fieldCount += 1;
    const isTooMany = fieldCount > FORM_FIELDS_MAX;
    return {
      name,
      shape: isTooMany ? { type: 'json' } : inner === null ? unionOf(options, depth) : shapeOf(inner, depth),
      isRequired,
      isNullable,
      description: textOrEmpty(outer['description']) || textOrEmpty(inner?.['description']),
      hint: hintOf(outer) ?? (inner === null ? null : hintOf(inner)),
    };
  };
  return read;
}

/** `Fire`, or the value that tells this form from the others, or its type. */
function alternativeLabel(schema: Schema): string {
  if (typeof schema['title'] === 'string') return schema['title'];
  const properties = isRecord(schema['properties']) ? Object.values(schema['properties']) : [];
  const tag = properties.filter(isRecord).find((property) => typeof property['const'] === 'string');
  if (tag !== undefined) return String(tag['const']);
  return typeof schema['type'] === 'string' ? (TYPE_LABELS[schema['type']] ?? schema['type']) : 'any value';
}

const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  array: 'list',
  object: 'object',
};

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const isLong = ({ maxLength, format, contentMediaType }: Schema): boolean =>
  format === 'textarea' ||
  typeof contentMediaType === 'string' ||
  (typeof maxLength === 'number' && maxLength > 200);

function hintOf(schema: Schema): string | null {
  const { examples } = schema;
  const shown =
    schema['default'] ?? schema['example'] ?? (Array.isArray(examples) ? (examples[0] as unknown) : null);
  if (shown === null || shown === undefined) return null;
  const label = schema['default'] === undefined || schema['default'] === null ? 'such as' : 'default';
  return `${label} ${typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')}`;
}

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const WITH_POWER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that was typed, with its own digits; words that are none stay words, so that nothing typed is lost. So
 * does a whole number written in another way than with its digits.
 */
export function numberFromText(
  text: string,
  { isWhole }: { isWhole: boolean },
): number | ExactNumber | string {
  const trimmed = text.trim();
  return (isWhole ? PLAIN_NUMBER : WITH_POWER).test(trimmed)
    ? (parseJson(asJsonNumber(trimmed)) as number | ExactNumber)
    : text;
}

/** `+5`, `007`, `.5` and `1.` as JSON writes them. */
const asJsonNumber = (text: string): string =>
  text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|e)/i, '');

/** The value of typed JSON; text that is none stays text. */
export function jsonFromText(text: string): { value: unknown; isJson: boolean } {
  try {
    return { value: parseJson(text), isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

/** True if a field has one value alone, as one that tells a form from others has. */
export const isFixed = ({ shape, isNullable }: Pick<SchemaField, 'shape' | 'isNullable'>): boolean =>
  shape.type === 'choice' && shape.options.length === 1 && !isNullable;

/** The first value of a new item of a list. */
export function emptyOf(shape: Shape): unknown {
  switch (shape.type) {
    case 'text':
    case 'json':
      return '';
    case 'number':
      return shape.min ?? 0;
    case 'boolean':
      return false;
    case 'choice':
      return shape.options[0] ?? '';
    case 'list':
      return [];
    case 'union':
      return shape.alternatives[0] === undefined ? '' : emptyOf(shape.alternatives[0].shape);
    case 'group':
      return Object.fromEntries(
        shape.fields
          .filter((field) => field.isRequired || isFixed(field))
          .map((field) => [field.name, emptyOf(field.shape)]),
      );
  }
}

/** `whole number, 1 to 100`. */
export function fieldTypeLabel({ shape, isNullable }: Pick<SchemaField, 'shape' | 'isNullable'>): string {
  return isNullable ? `${shapeLabel(shape)}, or null` : shapeLabel(shape);
}

function shapeLabel(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return 'text';
    case 'number': {
      const name = shape.isWhole ? 'whole number' : 'number';
      const { min, max } = shape;
      if (min !== null && max !== null) return `${name}, ${String(min)} to ${String(max)}`;
      if (min !== null) return `${name} from ${String(min)}`;
      return max === null ? name : `${name} up to ${String(max)}`;
    }
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return 'choice';
    case 'list':
      return `list of ${shapeLabel(shape.item.shape)}`;
    case 'group':
      return 'object';
    case 'union':
      return shape.alternatives.length > 3
        ? `one of ${String(shape.alternatives.length)} forms`
        : shape.alternatives.map(({ label }) => label).join(' or ');
    case 'json':
      return 'JSON';
  }
}
