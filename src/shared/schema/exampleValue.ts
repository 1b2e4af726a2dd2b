import { isRecord } from '../json.ts';
import { resolved, type Schema } from './checkValue.ts';

/** Schemas that hold themselves are followed this far. */
const DEPTH_MAX = 8;

/**
 * A value a JSON Schema allows, the plainest there is: what it gives as constant, default or example, else the first
 * choice, the smallest number, the shortest text. Optional properties are left out. `pattern` and `format` are not
 * looked at.
 */
export function exampleValue(schema: unknown, root: Schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > DEPTH_MAX) return null;
  const at = resolved(schema, root);
  for (const known of [at['const'], at['default'], first(at['examples']), first(at['enum'])]) {
    if (known !== undefined) return known;
  }
  const union = [at['oneOf'], at['anyOf']].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (union !== undefined) return exampleValue(union[0], root, depth + 1);
  const type = Array.isArray(at['type']) ? first(at['type']) : at['type'];
  const least = (key: string): number => (typeof at[key] === 'number' ? at[key] : 0);
  switch (type) {
    case 'string':
      return 'x'.repeat(Math.max(1, least('minLength')));
    case 'integer':
    case 'number': {
      const above =
        typeof at['exclusiveMinimum'] === 'number' ? at['exclusiveMinimum'] + 1 : least('minimum');
      return Math.min(above, typeof at['maximum'] === 'number' ? at['maximum'] : above);
    }
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: least('minItems') }, () =>
        exampleValue(at['items'] ?? {}, root, depth + 1),
      );
    case 'null':
      return null;
    default:
      return isRecord(at['properties'])
        ? exampleArguments(at, root, depth + 1)
        : type === 'object'
          ? {}
          : null;
  }
}

/** Arguments that a tool's schema allows, as {@link exampleValue} makes them; those it does not require are left out. */
export function exampleArguments(schema: Schema, root: Schema = schema, depth = 0): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.fromEntries(
    required.flatMap((key) =>
      typeof key === 'string' ? [[key, exampleValue(properties[key] ?? {}, root, depth + 1)] as const] : [],
    ),
  );
}

const first = (values: unknown): unknown => (Array.isArray(values) ? (values as unknown[])[0] : undefined);
