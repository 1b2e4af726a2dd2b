import { isBlobRef, type Text } from '../../shared/events/text.ts';

/** The value with every reference to a stored text replaced by the text. */
export function withTexts(value: unknown, loadText: (text: Text) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withTexts(item, loadText));
  if (isBlobRef(value)) return loadText(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, loadText)]));
}
