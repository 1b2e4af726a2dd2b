// Owns: a row as the checks look at it: its line, its text with the escapes of JSON out of the way, its messages.
import type { Format } from '../format.ts';
import type { ExportRules } from '../../../../shared/contract/export.ts';

type Fields = Record<string, unknown>;

export type SeenRow = {
  row: Fields;
  line: string;
  /** The line with escaped line breaks as spaces, so that words begin where they begin. */
  text: string;
  /** Every message in it, whichever column it stands in. */
  messages: readonly Fields[];
  /** What was put right on the way: characters that half of the readers refuse. */
  isMended: boolean;
};

export type Level = 'error' | 'warning' | 'note';
/** One thing that may be wrong with a row. Pure. */
export type RowCheck = {
  check: string;
  level: Level;
  /** What was found, for `count` rows. */
  says: string;
  /** Left out: for every format. */
  applies?: (format: Format, rules: ExportRules) => boolean;
  finds: (seen: SeenRow, rules: ExportRules, format: Format) => boolean;
};

const TRL = [
  'sft',
  'sft_messages',
  'preference',
  'kto',
  'grpo',
  'prm',
  'advisor',
  'demonstrations',
  'when_to_ask',
];
export const isTrl = ({ id }: Pick<Format, 'id'>): boolean => TRL.includes(id);
export const isOpenAi = ({ id }: Pick<Format, 'id'>): boolean => id.startsWith('openai_');

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const CONVERSATIONS = [
  'messages',
  'prompt',
  'completion',
  'chosen',
  'rejected',
  'preferred_output',
  'non_preferred_output',
] as const;

const ESCAPED_BREAKS = /\\[nrt]/g;
const HALF_CHARACTER = /\\ud[89a-f]/i;

/** A line of JSON with its escaped line breaks as spaces. */
export const plainText = (line: string): string =>
  line.includes('\\') ? line.replace(ESCAPED_BREAKS, ' ') : line;

export function see(row: Fields, line: string): SeenRow {
  const input = row['input'];
  return {
    row,
    line,
    text: plainText(line),
    messages: [
      ...CONVERSATIONS.flatMap((name) => fieldsIn(row[name])),
      ...(isFields(input) ? fieldsIn(input['messages']) : []),
    ],
    isMended: line.includes('\ufffd') || HALF_CHARACTER.test(line),
  };
}

/** Calls of a message, as OpenAI and TRL write them. */
export const callsOf = (message: Fields): Fields[] => fieldsIn(message['tool_calls']);
