// Which words of a sentence stand where, and where each argument goes. Every argument has exactly one place. Pure.
import { argumentOf, argumentPart, textPart, type Argument, type Clause } from './argument.ts';
import { leadOf, type DescribedTool, type Lead } from './lead.ts';
import { centsLabel } from './valueLabel.ts';
import { joiningWord } from './verbs.ts';
import { phraseOf } from './words.ts';

export function clauseOf(
  tool: DescribedTool,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Clause {
  const args = names.map((name) => argumentOf(name, values[name]));
  const lead = leadOf(tool, args);
  return [...lead.parts, ...restOf(lead, args)];
}

const QUERIES: ReadonlySet<string> = new Set(
  'query q keyword keywords search search_term search_query'.split(' '),
);
const SEARCHES: ReadonlySet<string> = new Set('search find browse look lookup query list'.split(' '));
const LEADING: ReadonlySet<string> = new Set('from to into until since before after'.split(' '));
const LIMITS: ReadonlySet<string> = new Set(['limit', 'max_results', 'top_k']);
const ROLES: ReadonlySet<string> = new Set(['old', 'new', 'current', 'previous']);

/** The arguments after the beginning: who it is for, from where to where, and the others as a list. */
function restOf({ parts, used, verb, isSetting: isSet }: Lead, args: readonly Argument[]): Clause {
  const left = args.filter(({ name }) => !used.has(name));
  const isLeading = ({ words, value }: Argument): boolean =>
    LEADING.has(words[0] ?? '') && typeof value !== 'boolean';
  const [only] = left;
  if (isSet && left.length === 1 && only !== undefined && typeof only.value !== 'boolean')
    return settingEnd(only);
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const query =
    / for\b/.test(said) || !SEARCHES.has(verb ?? '') ? undefined : left.find(({ name }) => QUERIES.has(name));
  const record =
    verb === null || query !== undefined
      ? undefined
      : recordAfter(
          left.filter((one) => !isLeading(one)),
          used.size > 0,
          verb,
          said,
        );
  const leading = verb === null ? [] : left.filter((one) => isLeading(one));
  const others = left.filter((one) => one !== query && one !== record && !leading.includes(one));
  return [
    ...(query === undefined ? [] : [textPart(verb === 'list' ? ' matching ' : ' for '), argumentPart(query)]),
    ...(record === undefined
      ? []
      : [
          textPart(` ${used.size > 0 ? joiningWord(verb ?? '') : 'for'} ${phraseOf(record.kind ?? [])} `),
          argumentPart(record),
        ]),
    ...leading.flatMap((one) => [textPart(` ${leadingWords(one)} `), argumentPart(one)]),
    ...others.flatMap((one, index) => [
      textPart(`${index > 0 ? ', ' : verb === null ? ' with ' : ': '}${labelOfArgument(one)} `),
      argumentPart(one),
    ]),
  ];
}

const settingEnd = (argument: Argument): Clause => [textPart(' to '), argumentPart(argument)];

/** The first record that the beginning does not name: it is for that one, or is joined to it where the verb says how. */
function recordAfter(
  left: readonly Argument[],
  isNamed: boolean,
  verb: string,
  said: string,
): Argument | undefined {
  const record = left.find(({ kind }) => kind !== null && kind.length > 0);
  if (record === undefined || ROLES.has(record.words[0] ?? '') || Array.isArray(record.value))
    return undefined;
  const joining = isNamed ? joiningWord(verb) : 'for';
  if (isNamed && joining === 'for') return undefined;
  return new RegExp(String.raw` ${joining}\b`).test(said) ? undefined : record;
}

const TIMES: ReadonlySet<string> = new Set(['date', 'day', 'time']);

/** `from_agent_id` reads "from agent", `to_date` "to". */
function leadingWords({ words, kind }: Argument): string {
  const [first = '', ...rest] = kind ?? words;
  return phraseOf([first, ...(rest.length === 1 && TIMES.has(rest[0] ?? '') ? [] : rest)]);
}

/**
 * What an argument is called in a list: `is_active` reads "active", `amount_cents` "amount" before what is said as 34.50,
 * and "amount in cents" elsewhere.
 */
export function labelOfArgument({ name, words, kind, value }: Argument): string {
  if (LIMITS.has(name)) return 'at most';
  if (kind !== null && kind.length > 0)
    return phraseOf(words.at(-1) === 'ids' ? [...kind.slice(0, -1), `${kind.at(-1) ?? ''}s`] : kind);
  if (words[0] === 'is' && words.length > 1) return phraseOf(words.slice(1));
  if (words.at(-1) === 'cents' && words.length > 1)
    return `${phraseOf(words.slice(0, -1))}${centsLabel(name, value) === null ? ' in cents' : ''}`;
  return words.length === 0 ? name : phraseOf(words);
}

export const argumentLabel = (name: string, value?: unknown): string =>
  labelOfArgument(argumentOf(name, value));
