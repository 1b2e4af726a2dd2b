import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { Format, FormatColumn } from '../format.ts';
import { personalChecks, secretChecks } from './privacy.ts';
import {
  plainText,
  type RowCheck,
  type SeenRow,
  callsOfMessage,
  fieldsIn,
  isJsonFields,
  isTrl,
} from './seenRow.ts';
import { piecesOf } from '../../../../shared/truncate.ts';
import type { YieldToOthers } from '../pace.ts';
import { FORMATS } from '../../../../shared/export/formats.ts';
import { canonical } from '../../../../shared/canonical.ts';
import { CALL_IN_TEXT } from '../transcriptLine.ts';
import { ExactNumber, holdsExactNumbers } from '../../../../shared/json.ts';

const knowledgeChecks: readonly RowCheck[] = [
  {
    check: 'unknowable',
    level: 'warning',
    says: 'teach a fact (an id, an address, a name) that stands nowhere before it: the agent would learn to make it up',
    finds: ({ facts }) => (facts.unknowable ?? []).length > 0,
  },
  {
    check: 'reasoning_left_out',
    level: 'warning',
    says: 'have replies whose reasoning is in the log and not in the row: chat templates of reasoning models, such as Qwen3’s, write an empty think block in its place and train it',
    applies: ({ id }) => FORMATS[id].hasStyle === true,
    finds: ({ facts }, rules) => facts.hasThoughts === true && !rules.reasoning,
  },
  {
    check: 'no_reasoning',
    level: 'note',
    says: 'have replies that were recorded without reasoning: chat templates of reasoning models, such as Qwen3’s, write an empty think block before them and train it; choose a template without one',
    applies: ({ id }) => FORMATS[id].hasStyle === true,
    finds: ({ facts }) => facts.hasThoughts === false,
  },
];

const isInt64 = (value: unknown): boolean =>
  value instanceof ExactNumber &&
  /^-?\d+$/.test(String(value)) &&
  BigInt.asIntN(64, BigInt(String(value))) === BigInt(String(value));

/** True if a value is of its column's type; a column never has none. */
function fitsColumn(value: unknown, { type, isList, isNullable }: FormatColumn): boolean {
  if (value === null && isNullable === true) return true;
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'int64':
      return Number.isSafeInteger(value) || isInt64(value);
    case 'float64':
      return typeof value === 'number' && Number.isFinite(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'json':
      return isList === true ? Array.isArray(value) : value !== null && value !== undefined;
  }
}

function fitsColumns(row: Record<string, unknown>, columns: readonly FormatColumn[]): boolean {
  const names = Object.keys(row);
  return (
    names.length === columns.length &&
    columns.every((column, at) => names[at] === column.name && fitsColumn(row[column.name], column))
  );
}

/** Roles a prompt may end in: after another, TRL does not know who is to speak. */
const BEFORE_A_REPLY: ReadonlySet<unknown> = new Set(['user', 'tool', 'assistant']);
/** Digits outside of strings, as many as may be too many. */
const UNSAFE_INTEGER = /[:,[]-?\d{16,}(?=[,}\]])/;

/** True if a value fits, or holds one that does, however deep. */
function anyLeaf(value: unknown, fits: (leaf: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((one) => anyLeaf(one, fits));
  return isJsonFields(value) ? Object.values(value).some((one) => anyLeaf(one, fits)) : fits(value);
}

/** Beyond 2^53 a number may stand for another one than was written. */
const isUnsafeInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);
const isExact = (value: unknown): boolean => value instanceof ExactNumber;

const callArguments = (message: Record<string, unknown>): unknown[] =>
  callsOfMessage(message).map(({ function: called }) =>
    isJsonFields(called) ? called['arguments'] : undefined,
  );

/** Texts of what a pair says, without ids, which differ between two replies that say the same. */
const comparableReply = (side: unknown): string =>
  canonical(
    fieldsIn(side).map(({ role, content, tool_calls: calls }) => [
      role,
      content ?? '',
      fieldsIn(calls).map(({ function: called }) => called ?? null),
    ]),
  );

const textOf = ({ content }: Record<string, unknown>): string => (typeof content === 'string' ? content : '');
const makesCall = (message: Record<string, unknown>): boolean =>
  callsOfMessage(message).length > 0 || textOf(message).search(CALL_IN_TEXT) !== -1;
/** A side's words and thoughts beside its calls. */
const besideCalls = (side: unknown): string =>
  JSON.stringify(
    fieldsIn(side).map((message) => [
      textOf(message).replace(CALL_IN_TEXT, '').trim(),
      message['reasoning_content'] ?? '',
    ]),
  );

const trapChecks: readonly RowCheck[] = [
  {
    check: 'schema',
    level: 'error',
    says: 'do not have just the columns of the format, each with a value of its type',
    applies: ({ columns }) => columns !== null,
    finds: ({ row }, _rules, { columns }) => columns !== null && !fitsColumns(row, columns),
  },
  {
    check: 'null_content',
    level: 'error',
    says: 'hold a message without content: some chat templates fail on it, others print the word',
    applies: isTrl,
    finds: ({ messages }) => messages.some(({ content }) => typeof content !== 'string'),
  },
  {
    check: 'arguments_type',
    level: 'error',
    says: 'hold arguments of a call in another shape than was asked for',
    applies: isTrl,
    finds: ({ messages }, rules) =>
      messages.some((message) =>
        callArguments(message).some((given) =>
          rules.arguments === 'string' ? typeof given !== 'string' : !isJsonFields(given),
        ),
      ),
  },
  {
    check: 'prompt_end',
    level: 'error',
    says: 'have a prompt that ends in a role after which TRL cannot tell who speaks next',
    applies: isTrl,
    finds: ({ row: { prompt } }) =>
      Array.isArray(prompt) && !BEFORE_A_REPLY.has(fieldsIn(prompt).at(-1)?.['role']),
  },
  {
    check: 'equal_pair',
    level: 'error',
    says: 'prefer a reply over the very same reply',
    applies: ({ id }) => id === 'preference',
    finds: ({ row }) => comparableReply(row['chosen']) === comparableReply(row['rejected']),
  },
  {
    check: 'other_words',
    level: 'warning',
    says: 'have sides that differ outside of the call, in words or thoughts: a trainer may learn those in its place',
    applies: ({ id }) => id === 'preference',
    finds: ({ row: { chosen, rejected } }) =>
      [chosen, rejected].some((side) => fieldsIn(side).some(makesCall)) &&
      besideCalls(chosen) !== besideCalls(rejected),
  },
  {
    check: 'words_with_thoughts',
    level: 'note',
    says: 'hold a reply that speaks, thinks and calls a tool: gpt-oss’ template takes words or thoughts beside a call',
    applies: isTrl,
    finds: ({ messages }) =>
      messages.some(
        (said) => callsOfMessage(said).length > 0 && textOf(said) !== '' && 'reasoning_content' in said,
      ),
  },
  {
    check: 'several_calls',
    level: 'warning',
    says: 'hold a turn with more than one call, which templates of the Llama 3 family refuse',
    applies: isTrl,
    finds: ({ messages }) => messages.some((message) => callsOfMessage(message).length > 1),
  },
  {
    check: 'large_integers',
    level: 'warning',
    says: 'hold whole numbers beyond 2^53 that may have lost digits before they came here: they were held as doubles',
    finds: ({ row, more, line }) => UNSAFE_INTEGER.test(line) && anyLeaf([row, ...more], isUnsafeInteger),
  },
  {
    check: 'exact_integers',
    level: 'warning',
    says: 'hold numbers with digits that their readers would change, such as 9007199254740993 for those that parse numbers as doubles, as JavaScript does, and 1.10 for all that do not keep the text; or arguments of a call that name a key twice, of which readers hold the last',
    finds: ({ row, more, line, facts }) =>
      facts.hasEqualKeys === true || (holdsExactNumbers(line) && anyLeaf([row, ...more], isExact)),
  },
  {
    check: 'mended_text',
    level: 'note',
    says: 'hold a replacement character, in place of half a character that Arrow refuses or that was one before',
    finds: ({ isMended }) => isMended,
  },
];

/** Those that search a row's line and text for shapes, wherever they stand. */
const TEXT_CHECKS: readonly RowCheck[] = [...secretChecks, ...personalChecks];
const WHOLE_CHECKS: readonly RowCheck[] = [...trapChecks, ...knowledgeChecks];
/** At most 32, a bit each. */
export const ROW_CHECKS: readonly RowCheck[] = [...WHOLE_CHECKS, ...TEXT_CHECKS];

/** Longer than any shape that is searched for. */
const OVERLAP = 16 * 1024;

/**
 * The checks that apply to an export, as one function from a row to the bits of what was found. A long row is searched
 * piece by piece, between which others have their turn.
 */
export function createRowChecks(
  format: Format,
  rules: ExportRules,
  pace: YieldToOthers,
): (seen: SeenRow) => Promise<number> {
  const applied = ROW_CHECKS.map((check, bit) => ({ check, bit })).filter(
    ({ check: { applies } }) => applies?.(format, rules) ?? true,
  );
  const finder = (checks: readonly RowCheck[]): ((seen: SeenRow) => number) => {
    const chosen = applied.filter(({ check }) => checks.includes(check));
    return (seen) =>
      chosen.reduce((found, { check, bit }) => found | (check.finds(seen, rules, format) ? 1 << bit : 0), 0);
  };
  const findInRow = finder(WHOLE_CHECKS);
  const findInText = finder(TEXT_CHECKS);
  return async (seen) => {
    let found = findInRow(seen);
    for (const line of piecesOf(seen.line, OVERLAP)) {
      await pace();
      found |= findInText(line.length === seen.line.length ? seen : { ...seen, line, text: plainText(line) });
    }
    return found >>> 0;
  };
}
