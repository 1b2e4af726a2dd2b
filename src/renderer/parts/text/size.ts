// Formats the size of a text, and tells where the first page of a long one ends.
import { textLength, type Text } from '../../../shared/events/text.ts';

/** A text up to this many lines and characters is shown whole at once. */
export const FOLD_LINES = 14;
export const FOLD_CHARS = 1600;
/** Size of a "show more": as much as a browser lays out without a pause. */
export const PAGE_CHARS = 60_000;

const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const integerFormat = new Intl.NumberFormat('en');

/** `812 B`, `12.4 kB`, `3.1 MB`, `4.2 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${integerFormat.format(bytes)} B`;
  if (bytes < 1_000_000) return `${decimal.format(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${decimal.format(bytes / 1_000_000)} MB`;
  return `${decimal.format(bytes / 1_000_000_000)} GB`;
}

/** A count with its noun: `1 line`, `4,312 lines`. */
export const formatCount = (count: number, noun: string): string =>
  `${integerFormat.format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Lines of a text; an empty text has one. */
function countTextLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/**
 * `12.4 kB, 212 lines`. Of a text stored beside the log only its characters are known before it is read, so those
 * are what is said.
 */
export function formatSize(text: Text): string {
  if (typeof text !== 'string')
    return `${formatCount(textLength(text), 'character')}, ${formatCount(text.lines, 'line')}`;
  return `${formatBytes(new TextEncoder().encode(text).length)}, ${formatCount(countTextLines(text), 'line')}`;
}

/** The end of a page of at most `chars` characters and `lines` lines; the text's length when it all fits. */
export function pageEnd(text: string, chars: number, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1) {
      end = text.length;
      break;
    }
    end = next;
  }
  if (end <= chars) return end;
  // Never between the halves of one character.
  const code = text.charCodeAt(chars - 1);
  return code >= 0xd800 && code <= 0xdbff ? chars - 1 : chars;
}
