// A row prepared for the checks: its line, its text without JSON escapes, its messages.
import { FORMATS } from '../../../../shared/export/formats.ts';
import { isRecord } from '../../../../shared/json.ts';
import type { Format, RowFacts } from '../format.ts';
import type { ExportRules, Finding } from '../../../../shared/contract/export.ts';

type JsonFields = Record<string, unknown>;

export type SeenRow = {
  row: JsonFields;
  /** Lines that belong to the row and stand right after it; `line` holds them too. */
  more: readonly JsonFields[];
  line: string;
  facts: Pick<RowFacts, 'hasThoughts' | 'hasEqualKeys' | 'unknowable'>;
  /** The line with escaped line breaks as spaces, so that words begin where they begin. */
  text: string;
  /** Every message in it, whichever column it stands in. */
  messages: readonly JsonFields[];
  /** What was put right on the way: characters that half of the readers refuse. */
  isMended: boolean;
};

/** One thing that may be wrong with a row. Pure. */
export type RowCheck = {
  check: string;
  level: Finding['level'];
  /** What was found, for `count` rows. */
  says: string;
  /** Left out: for every format. */
  applies?: (format: Format, rules: ExportRules) => boolean;
  finds: (seen: SeenRow, rules: ExportRules, format: Format) => boolean;
};

export const isTrl = ({ id }: Pick<Format, 'id'>): boolean => FORMATS[id].isTrl === true;

export const isJsonFields = (value: unknown): value is JsonFields => isRecord(value);
export const fieldsIn = (value: unknown): JsonFields[] =>
  Array.isArray(value) ? value.filter(isJsonFields) : [];

const CONVERSATIONS = ['messages', 'prompt', 'completion', 'chosen', 'rejected'] as const;

const ESCAPED_BREAKS = /\\[nrt]/g;
const HALF_CHARACTER = /\\ud[89a-f]/i;

/** A line of JSON with its escaped line breaks as spaces. */
export const plainText = (line: string): string =>
  line.includes('\\') ? line.replace(ESCAPED_BREAKS, ' ') : line;

export function seenRow(
  row: JsonFields,
  line: string,
  facts: SeenRow['facts'] = {},
  more: SeenRow['more'] = [],
): SeenRow {
  return {
    row,
    more,
    line,
    facts,
    text: plainText(line),
    messages: CONVERSATIONS.flatMap((name) => fieldsIn(row[name])),
    isMended: line.includes('\ufffd') || HALF_CHARACTER.test(line),
  };
}

/** Calls of a message, as TRL writes them. */
export const callsOfMessage = (message: JsonFields): JsonFields[] => fieldsIn(message['tool_calls']);
