// Owns: an event with its long texts in place of what stands for them.
import { isBlobRef, type Text } from '../../shared/events/text.ts';

/** The value with every reference to a stored text replaced by the text. */
export function withTexts(value: unknown, whole: (text: Text) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withTexts(item, whole));
  if (isBlobRef(value)) return whole(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, whole)]));
}
