// Owns: what a JSON Schema is to those who read one: an object, and whether a value has one of its types.

export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types a schema names; empty when it names none. */
export const namedTypes = ({ type }: Schema): string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((t) => typeof t === 'string') : [];

/** Whether a value is of a type that a schema names; of a type nobody knows, anything is. */
export function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchema(value);
    default:
      return true;
  }
}
