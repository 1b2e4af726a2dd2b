// How Python would write a value: the wire's messages and numbers come from a Python server. Must not know: which
// frame the text ends up in.

/** The type name in messages such as `'list' object has no attribute 'get'`. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : 'dict';
}

/** `str(value)`: a text as it is, anything else as Python would print it. */
export const str = (value: unknown): string => (typeof value === 'string' ? value : repr(value));

function repr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return value.includes("'") && !value.includes('"') ? `"${value}"` : `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${repr(key)}: ${repr(inner)}`);
  return `{${pairs.join(', ')}}`;
}

/** `bool(value)`: empty is false. */
export const isTruthy = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
};

// TypeScript's library does not describe it yet; Node has had it since 21.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

/** A number that stays a float on the wire: `1.0`, where JavaScript alone would write `1`. */
export const float = (value: number): object =>
  rawJSON(Number.isInteger(value) ? value.toFixed(1) : String(value));
