// Reading a tool's JSON Schema as the form a person fills in. What has no field becomes JSON text of its own.
import { isRecord } from '../../../shared/json.ts';
import { resolved, type Schema } from '../../../shared/schema/jsonSchema.ts';

export type Shape =
  | { type: 'text'; isLong: boolean }
  | { type: 'number'; isWhole: boolean; min: number | null; max: number | null }
  | { type: 'boolean' }
  /** The values of an enum, each as its JSON. */
  | { type: 'choice'; options: readonly unknown[] }
  | { type: 'list'; item: SchemaField }
  | { type: 'group'; fields: readonly SchemaField[] }
  /** Anything: entered as JSON. */
  | { type: 'json' };

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

/** The fields of a tool, or null when its schema has none to show: then it is JSON as a whole. */
export function schemaFields(schema: Schema): readonly SchemaField[] | null {
  const read = reader(schema);
  const shape = read('', schema, true, 0).shape;
  return shape.type === 'group' ? shape.fields : null;
}

/** The alternatives without `null`, and whether `null` was one. */
function withoutNull(schema: Schema): { options: readonly Schema[]; isNullable: boolean } {
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any)) {
    const options = any.filter(isRecord);
    const rest = options.filter(({ type }) => type !== 'null');
    return { options: rest, isNullable: rest.length < options.length };
  }
  const { type } = schema;
  if (!Array.isArray(type)) return { options: [schema], isNullable: schema['nullable'] === true };
  const types = type.filter((one) => one !== 'null');
  return {
    options: types.map((one) => ({ ...schema, type: one as unknown })),
    isNullable: types.length < type.length,
  };
}

function reader(root: Schema) {
  const shapeOf = (schema: Schema, depth: number): Shape => {
    if (depth > FORM_DEPTH_MAX || 'allOf' in schema || 'not' in schema) return { type: 'json' };
    const options = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined);
    if (Array.isArray(options))
      return { type: 'choice', options: options.filter((option) => option !== null) };
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
      case 'array':
        return isRecord(schema['items'])
          ? { type: 'list', item: read('', schema['items'], true, depth + 1) }
          : { type: 'json' };
      default:
        return groupOf(schema, depth);
    }
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
  const read = (name: string, given: Schema, isRequired: boolean, depth: number): SchemaField => {
    const outer = resolved(given, root);
    const { options, isNullable } = withoutNull(outer);
    const [only] = options;
    const inner = options.length === 1 && only !== undefined ? resolved(only, root) : null;
    return {
      name,
      shape: inner === null ? { type: 'json' } : shapeOf(inner, depth),
      isRequired,
      isNullable,
      description: textOrEmpty(outer['description']) || textOrEmpty(inner?.['description']),
      hint: hintOf(outer) ?? (inner === null ? null : hintOf(inner)),
    };
  };
  return read;
}

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
