// Describes the result of a call in one line: "Found 1 workflow: Weekly supplier digest." The result as the agent reads
// it is kept beside it. Pure.
import { isRecord, tryShortJson } from '../json.ts';
import { truncate } from '../truncate.ts';
import { asSentence, centsLabel, listed, valueLabel } from './valueLabel.ts';
import { kindOfId, nounOfTool, phraseOf, singularWords, wordsOf } from './words.ts';

type Row = Record<string, unknown>;
type AnsweredCall = { tool: string; args?: Readonly<Row>; text: string | null };

/** Says what a call returned. A text that is no JSON, or too long to look at, is given by its first line. */
export function resultSentence({ tool, args = {}, text }: AnsweredCall): string {
  const head = truncate(text ?? '').trim();
  if (text === null || (head === '' && text.trim() === '')) return 'Nothing was returned.';
  const value = tryShortJson(text);
  if (value === undefined) return asSentence(head.split('\n', 1)[0] ?? '');
  if (Array.isArray(value)) return rowsSentence(tool, nounOfTool(tool), value);
  return isRecord(value) ? objectSentence(tool, args, value) : asSentence(`Returned ${valueLabel(value)}`);
}

function objectSentence(tool: string, args: Readonly<Row>, value: Row): string {
  const rows = Object.entries(value).find(([, member]) => Array.isArray(member));
  if (nameIn(value) !== null || rows === undefined || tellingFacts(value).length > 1)
    return recordSentence(args, recordIn(value));
  const inner = recordIn(value);
  if (inner !== value) return recordSentence(args, inner);
  return rowsSentence(tool, wordsOf(rows[0]), rows[1] as unknown[]);
}

/** The record itself, where the answer only wraps it: `{"workflow": {…}, "steps": […]}`. */
function recordIn(value: Row): Row {
  const nested = Object.values(value).filter(isRecord);
  return nameIn(value) === null && facts(value).length === 0 && nested[0] !== undefined ? nested[0] : value;
}

const READING: ReadonlySet<string> = new Set([
  'search',
  'find',
  'list',
  'get',
  'read',
  'query',
  'show',
  'lookup',
]);

function rowsSentence(tool: string, words: readonly string[], rows: readonly unknown[]): string {
  const noun = words.length === 0 ? ['result'] : words;
  const singular = singularWords(noun);
  const one = phraseOf(singular);
  const many = phraseOf(
    singular.join(' ') === noun.join(' ') ? [...noun.slice(0, -1), `${noun.at(-1) ?? ''}s`] : noun,
  );
  const isFound = READING.has(wordsOf(tool)[0] ?? '');
  const found = isFound ? 'Found ' : '';
  if (rows.length === 0) return asSentence(isFound ? `Found no ${many}` : `No ${many}`);
  const names = toldApart(rows);
  const count = `${found}${String(rows.length)} ${rows.length === 1 ? one : many}`;
  return asSentence(names.length < rows.length ? count : `${count}: ${listed(names)}`);
}

/** The name of each row that has one; rows of one name with the first fact in which they differ. */
function toldApart(rows: readonly unknown[]): string[] {
  const named = rows.flatMap((row) => {
    if (!isRecord(row)) return [{ name: valueLabel(row), row: {} }];
    const name = nameIn(row);
    return name === null ? [] : [{ name, row }];
  });
  return named.map(({ name, row }) => {
    const twins = named.filter((other) => other.name === name);
    if (twins.length < 2) return name;
    const fact = facts(row).find(
      ([key]) => new Set(twins.map((twin) => valueLabel(twin.row[key as never]))).size === twins.length,
    );
    return fact === undefined ? name : `${name} (${factText(...fact)})`;
  });
}

/** More than these are in the result itself. */
const FACTS_MAX = 3;

function recordSentence(args: Readonly<Row>, record: Row): string {
  const told = facts(record);
  // What the call set comes first: whether it took is what a reader looks for.
  const isSet = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(args, key) || key === 'status';
  const ordered = [...told.filter(isSet), ...told.filter((fact) => !isSet(fact))].slice(0, FACTS_MAX);
  const words = ordered.map(([key, value]) => factText(key, value)).join(', ');
  const name = nameIn(record);
  if (name !== null) return asSentence(words === '' ? name : `${name}: ${words}`);
  if (words === '') return 'A result without anything to tell by its name.';
  const noun = phraseOf(kindOfFirstId(record) ?? []);
  return asSentence(capital(noun === '' ? words : `${noun}: ${words}`));
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** The record that its first id is of: `run_id` is a run. */
function kindOfFirstId(record: Row): string[] | null {
  const [first = ''] = Object.keys(record);
  const kind = kindOfId(first);
  return kind === null || kind.length === 0 ? null : kind;
}

const factText = (key: string, value: unknown): string => {
  const words = wordsOf(key);
  const [first, ...rest] = words;
  const amount = centsLabel(key, value);
  if (amount !== null) return `${phraseOf(words.slice(0, -1))} ${amount}`.trim();
  // `is_active` with its value reads "active yes".
  return `${phraseOf(first === 'is' && rest.length > 0 ? rest : words)} ${valueLabel(value)}`;
};

const NAMES = ['name', 'title', 'full_name', 'display_name', 'subject', 'label', 'number', 'memo', 'code'];
const nameIn = (record: Row): string | null => {
  const found = NAMES.map((key) => record[key]).find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return typeof found === 'string' ? valueLabel(found) : null;
};

/** Members that a reader can do something with: no ids, no nothing, no long texts, nothing nested. */
const facts = (record: Row): [string, unknown][] =>
  Object.entries(record).filter(
    ([key, value]) =>
      kindOfId(key) === null &&
      !NAMES.includes(key) &&
      value !== null &&
      value !== '' &&
      !Array.isArray(value) &&
      !isRecord(value) &&
      valueLabel(value).length <= FACT_LENGTH_MAX,
  );
const FACT_LENGTH_MAX = 40;

/** Facts that say more than how many rows there are or which page it is. */
const tellingFacts = (record: Row): [string, unknown][] => facts(record).filter(([key]) => !COUNTS.has(key));
const COUNTS: ReadonlySet<string> = new Set([
  'total',
  'count',
  'page',
  'limit',
  'offset',
  'pages',
  'total_lines',
  'has_more',
  'size',
]);
