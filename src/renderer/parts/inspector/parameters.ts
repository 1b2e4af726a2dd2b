// A tool's JSON Schema as the list of arguments a person reads. What it cannot read stays in the schema itself.
import { isRecord } from '../../../shared/json.ts';
import type { Schema } from '../../../shared/schema/checkValue.ts';

type Parameter = { name: string; type: string; isRequired: boolean; description: string };

/** The arguments of a schema, required ones first. */
export function parametersOf(schema: Schema): Parameter[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties)
    .map(([name, property]) => ({
      name,
      type: isRecord(property) ? parameterType(property, 0) : 'any',
      isRequired: required.has(name),
      description:
        isRecord(property) && typeof property['description'] === 'string' ? property['description'] : '',
    }))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

const PARAMETER_DEPTH_MAX = 3;

function parameterType(schema: Schema, depth: number): string {
  if (depth > PARAMETER_DEPTH_MAX) return 'any';
  const options = schema['enum'];
  if (Array.isArray(options)) return options.map((option) => JSON.stringify(option)).join(' | ');
  const any = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(any))
    return any
      .filter(isRecord)
      .map((one) => parameterType(one, depth + 1))
      .join(' | ');
  const { type, items } = schema;
  if (type === 'array') return `${isRecord(items) ? parameterType(items, depth + 1) : 'any'}[]`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}
