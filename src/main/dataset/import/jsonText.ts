// The JSON text of an object, made once: readers write it into the episode, and the conservation check looks for it
// there.

const texts = new WeakMap<object, string>();

/** A value as JSON text, kept as long as the value is. */
export function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
  return text;
}

/** The text that was made of it, if any was. */
export const jsonTextOf = (value: object): string | undefined => texts.get(value);
