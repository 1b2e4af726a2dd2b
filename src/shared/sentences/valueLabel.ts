// A value of an argument as a few words. What does not fit is counted, never left out without a word.
import { isNumber, isRecord } from '../json.ts';
import { truncate } from '../truncate.ts';

const LABEL_LENGTH_MAX = 80;
const LISTED_MAX = 5;

export function valueLabel(value: unknown): string {
  if (value === undefined) return 'not given';
  if (value === null) return 'nothing';
  if (value === '') return 'empty text';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return shortened(truncate(value).replace(/(?<!\s)\s*\n\s*/g, ' '));
  if (isNumber(value)) return String(value);
  if (Array.isArray(value)) return listLabel(value);
  return isRecord(value) ? objectLabel(value) : shortened(JSON.stringify(value) ?? 'unknown');
}

/** An amount in cents as it is written elsewhere: 3450 of `amount_cents` is 34.50; null for what is none. */
export const centsLabel = (name: string, value: unknown): string | null =>
  /(?:^|_)cents$/i.test(name) && typeof value === 'number' && Number.isSafeInteger(value)
    ? (value / 100).toFixed(2)
    : null;

/** Labels in a row, as many as fit. */
export function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, LISTED_MAX);
  const more = labels.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${String(more)} more`;
}

const isPlain = (value: unknown): boolean => !Array.isArray(value) && !isRecord(value);

function listLabel(values: readonly unknown[]): string {
  if (values.length === 0) return 'empty list';
  if (values.every(isPlain)) return shortened(listed(values.map(valueLabel)));
  return values.length === 1 ? '1 item' : `${String(values.length)} items`;
}

function objectLabel(value: Record<string, unknown>): string {
  const members = Object.entries(value);
  if (members.length === 0) return 'no fields';
  if (members.length <= 3 && members.every(([, member]) => isPlain(member)))
    return shortened(
      members.map(([key, member]) => `${key.replaceAll('_', ' ')} ${valueLabel(member)}`).join(', '),
    );
  return `${String(members.length)} fields`;
}

const shortened = (text: string, most = LABEL_LENGTH_MAX): string => {
  // A character has two units at most: no more of the text is counted.
  const characters = Array.from(text.slice(0, 2 * most + 1));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

const SENTENCE_LENGTH_MAX = 240;

/** A text on one line with its full stop, no longer than a person reads at a glance. */
export function asSentence(text: string): string {
  const flat = shortened(truncate(text).replace(/\s+/g, ' ').trim(), SENTENCE_LENGTH_MAX);
  return /[.!?…]["”)]?$/.test(flat) ? flat : `${flat}.`;
}
