// Stores a text of any length in an event. A long text lives content-addressed beside the log; the event keeps where it
// is and how it begins.
import { isRecord } from '../json.ts';
import type { BlobRef, Text } from './textSchema.ts';

export type { BlobRef, Text };

/** Texts longer than this (UTF-16 units) are stored beside the log. */
export const TEXT_INLINE_MAX = 32_768;
/** Characters of a text in its reference. */
export const TEXT_HEAD_LENGTH = 4_096;

export const isBlobRef = (value: unknown): value is BlobRef =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '$blob');

/** The part shown without a read: the whole text, or its beginning. */
export const textHead = (text: Text): string => (typeof text === 'string' ? text : text.head);

/** Length of the whole text in UTF-16 units. */
export const textLength = (text: Text): number => text.length;

/** The value with every reference to a stored text replaced by the text. */
export function withTexts(value: unknown, loadText: (text: Text) => string): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => withTexts(item, loadText));
  if (!isRecord(value)) return value;
  if (isBlobRef(value)) return loadText(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, loadText)]));
}
