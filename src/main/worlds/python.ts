// Differences of Python from JavaScript that a client can notice: truth and floats.

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
