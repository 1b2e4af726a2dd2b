// A tool call as one sentence, made from the tool's name, its description and its schema. What these do not say is not
// said either: a name that is no verb reads "Call `name`", and every argument is there. Pure.
import { escapeRegExp } from '../escapeRegExp.ts';
import type { ToolSpec } from '../events/lifecycle.ts';
import { isRecord } from '../json.ts';
import { type NameOf, NO_NAMES, nameOf as readNames, type RecordName } from './names.ts';
import {
  commandOf,
  isMaking,
  isSetting,
  isVerb,
  joiningWord,
  kindOfId,
  phraseOf,
  singularWords,
  type TitleCommand,
  titleOf,
  verbWord,
  withoutRole,
  wordsOf,
} from './words.ts';
import { centsLabel, listed, valueLabel } from './valueLabel.ts';

type SentenceText = { type: 'text'; text: string };
export type SentenceChip = {
  type: 'chip';
  argument: string;
  /** Undefined where the argument is missing. */
  value: unknown;
  /** The value in words: the record's name where it is known, without its detail. */
  label: string;
  name: RecordName | null;
  isMissing: boolean;
};
/** A name of a tool, shown as code. */
type SentenceCode = { type: 'code'; text: string };
type SentencePart = SentenceText | SentenceChip | SentenceCode;
export type Sentence = {
  parts: readonly SentencePart[];
  /** The same as plain text: "Set the state of workflow Weekly supplier digest (Finance) to paused". */
  text: string;
};
/** A tool as far as it is known: without description and schema its name alone is read. */
export type SentenceTool = Pick<ToolSpec, 'name'> & Partial<Pick<ToolSpec, 'description' | 'input_schema'>>;

const noNames = readNames(NO_NAMES);

/** Says what a call does. Arguments that the schema asks for and that are not given are chips of their own. */
export function callSentence(
  tool: SentenceTool,
  args: Readonly<Record<string, unknown>>,
  nameOf: NameOf = noNames,
): Sentence {
  const given = Object.keys(args).filter((name) => args[name] !== undefined);
  const missing = requiredOf(tool).filter((name) => !given.includes(name));
  const clause = clauseOf(tool, inSchemaOrder(tool, [...given, ...missing]), args);
  const chip = (argument: string): SentenceChip => chipOf(argument, args[argument], given, tool, nameOf);
  const parts = merged(
    clause.map((part): SentencePart => (part.type === 'argument' ? chip(part.name) : part)),
  );
  return { parts, text: sentenceText(parts) };
}

/** The same of a call that was made: what it left out is no empty place to fill in. */
export function madeCallSentence(
  { input_schema: schema, ...tool }: SentenceTool,
  args: Readonly<Record<string, unknown>>,
  nameOf?: NameOf,
): Sentence {
  const made = schema === undefined ? tool : { ...tool, input_schema: { ...schema, required: [] } };
  return callSentence(made, args, nameOf);
}

export const chipText = ({ label, name }: Pick<SentenceChip, 'label' | 'name'>): string =>
  name?.detail === undefined || name.detail === null ? label : `${label} (${name.detail})`;

const sentenceText = (parts: readonly SentencePart[]): string =>
  parts.map((part) => (part.type === 'chip' ? chipText(part) : part.text)).join('');

function chipOf(
  argument: string,
  value: unknown,
  given: readonly string[],
  { name: tool, input_schema: schema }: SentenceTool,
  nameOf: NameOf,
): SentenceChip {
  const isMissing = !given.includes(argument);
  const property = propertiesOf(schema)[argument];
  const description =
    isRecord(property) && typeof property['description'] === 'string' ? property['description'] : '';
  const lookUp = (one: unknown): RecordName | null => nameOf(argument, one, { tool, description });
  const name = isMissing ? null : lookUp(value);
  const label =
    Array.isArray(value) && value.length > 0 && kindOfId(argument) !== null
      ? listed(value.map((one) => lookUp(one)?.name ?? valueLabel(one)))
      : (name?.name ?? centsLabel(argument, value) ?? valueLabel(value));
  return { type: 'chip', argument, value, label, name, isMissing };
}

const propertiesOf = (schema: ToolSpec['input_schema'] | undefined): Record<string, unknown> =>
  isRecord(schema?.['properties']) ? schema['properties'] : {};

const requiredOf = ({ input_schema: schema }: SentenceTool): string[] => {
  const required = schema?.['required'];
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
};

/** In the order of the schema, whatever the order in the call; what the schema does not list comes last. */
function inSchemaOrder({ input_schema: schema }: SentenceTool, names: readonly string[]): string[] {
  const listedNames = Object.keys(propertiesOf(schema));
  const place = (name: string): number => {
    const at = listedNames.indexOf(name);
    return at === -1 ? listedNames.length : at;
  };
  return names.toSorted((a, b) => place(a) - place(b));
}

function merged(parts: readonly SentencePart[]): SentencePart[] {
  const all: SentencePart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      all[all.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type !== 'text' || part.text !== '') all.push(part);
  }
  return all;
}

// The places of a sentence's words, and of its arguments. Every argument has exactly one place.
function clauseOf(
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
 * The label of an argument in a list: `is_active` reads "active", `amount_cents` "amount" before what is said as 34.50,
 * and "amount in cents" elsewhere.
 */
function labelOfArgument({ name, words, kind, value }: Argument): string {
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

// An argument of a call as a sentence needs it, and the pieces that a sentence is put together from.
type ClausePart =
  { type: 'text'; text: string } | { type: 'code'; text: string } | { type: 'argument'; name: string };
type Clause = ClausePart[];

type Argument = {
  name: string;
  words: string[];
  kind: string[] | null;
  value: unknown;
};

const argumentOf = (name: string, value: unknown): Argument => {
  const kind = kindOfId(name);
  return { name, words: wordsOf(name), kind: kind === null ? null : singularWords(kind), value };
};

/** The noun of the argument: the record its id points at, or its own words. */
const nounOf = ({ kind, words }: Argument): string[] => kind ?? words;

const textPart = (words: string): ClausePart => ({ type: 'text', text: words });
const argumentPart = ({ name }: Pick<Argument, 'name'>): ClausePart => ({ type: 'argument', name });

/** A beginning, the arguments that stand in it, and the verb it is said with; `isSetting` where a value ends it. */
type Lead = { parts: Clause; used: ReadonlySet<string>; verb: string | null; isSetting: boolean };

type DescribedTool = { name: string; description?: string };

function leadOf(tool: DescribedTool, args: readonly Argument[]): Lead {
  const command = commandOf(titleOf(tool.description ?? ''));
  const named = namedCommand(tool.name);
  return (
    (command === null ? null : titleWithRecords(command, args)) ??
    (named === null
      ? null
      : (settingLead(named, args) ?? makingLead(named, args) ?? nameWithRecords(named, args))) ??
    plainLead(tool, command, named)
  );
}

/** `Cancel an order` with its order's id in it: `Cancel order` and the id. */
function titleWithRecords({ verb, text: title }: TitleCommand, args: readonly Argument[]): Lead | null {
  const candidates =
    isSetting(verb) || verb === 'update' ? args.filter(({ kind }) => kind !== null).slice(0, 1) : args;
  const places = candidates.flatMap((argument) => {
    const noun = phraseOf(nounOf(argument)).toLowerCase();
    const isOnly = args.filter((one) => phraseOf(withoutRole(nounOf(one))) === noun).length === 1;
    const found =
      noun === '' || !isOnly
        ? null
        : new RegExp(
            String.raw`\b(?:an?|the|another) ((?:\p{L}+ )?${escapeRegExp(noun)})(?![\p{L}\p{N}-])(?=$| \(| (?:${[...PREPOSITIONS, ...AFTER_NOUN].join('|')})\b)`,
            'iu',
          ).exec(title);
    return found === null
      ? []
      : [{ argument, from: found.index, to: found.index + found[0].length, words: found[1] ?? noun }];
  });
  const apart = places
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from }, index, all) => index === 0 || from >= (all[index - 1]?.to ?? 0));
  if (apart.length === 0) return null;
  const parts: Clause = [];
  let at = 0;
  for (const { argument, from, to, words } of apart) {
    parts.push(textPart(`${title.slice(at, from)}${words} `), { type: 'argument', name: argument.name });
    at = to;
  }
  parts.push(textPart(title.slice(at)));
  const before = title.slice(0, apart[0]?.from ?? 0);
  return {
    parts,
    used: new Set(apart.map(({ argument }) => argument.name)),
    verb,
    isSetting: isSetting(verb) && before.endsWith(' of ') && at === title.length,
  };
}

/** Words that may follow the record a heading is about; any other word may make one noun with it: a campaign update. */
const AFTER_NOUN = 'and or until again back everywhere watch'.split(' ');

type NamedCommand = { verb: string; object: string[]; note: string | null };
const LAST_VERBS: ReadonlySet<string> = new Set(
  'list get create update delete add remove search read set'.split(' '),
);

/** The verb of a tool's name and what it is done to; null where the name has none. */
function namedCommand(name: string): NamedCommand | null {
  const words = wordsOf(name);
  const [first = '', second = ''] = words;
  const last = words.at(-1) ?? '';
  if (words.length > 1 && last === 'action')
    return (
      namedCommand(words.slice(0, -1).join(' ')) ?? {
        verb: 'act',
        object: [],
        note: phraseOf(words.slice(0, -1)),
      }
    );
  if (words.length === 1 && first === 'act') return { verb: 'act', object: [], note: null };
  if (words.length > 1 && LAST_VERBS.has(last) && !LAST_VERBS.has(first))
    return { verb: last, object: words.slice(0, -1), note: null };
  if (isVerb(first)) return { verb: first, object: words.slice(1), note: null };
  return isVerb(second) ? { verb: second, object: words.slice(2), note: phraseOf([first]) } : null;
}

/** `set_workflow_status`: the status of a workflow, to a value. */
function settingLead({ verb, object }: NamedCommand, args: readonly Argument[]): Lead | null {
  const owner = args.find(
    ({ kind }) => kind !== null && kind.length > 0 && phraseOf(kind) !== phraseOf(object),
  );
  if (!isSetting(verb) || object.length === 0 || owner?.kind === null || owner === undefined) return null;
  const isPrefixed = owner.kind.every((word, at) => object[at] === word) && object.length > owner.kind.length;
  const property = isPrefixed ? object.slice(owner.kind.length) : object;
  return {
    parts: [
      textPart(`${verbWord(verb)} the ${phraseOf(property)} of ${phraseOf(owner.kind)} `),
      { type: 'argument', name: owner.name },
    ],
    used: new Set([owner.name]),
    verb,
    isSetting: true,
  };
}

const NAMING: ReadonlySet<string> = new Set(['name', 'title', 'subject']);

/** `create_workflow` with a name: the workflow is called by it. */
function makingLead({ verb, object }: NamedCommand, args: readonly Argument[]): Lead | null {
  const name = args.find((argument) => NAMING.has(argument.name));
  if (!isMaking(verb) || object.length === 0 || name === undefined || hasPreposition(object)) return null;
  return {
    parts: [textPart(`${verbWord(verb)} ${phraseOf(object)} `), { type: 'argument', name: name.name }],
    used: new Set([name.name]),
    verb,
    isSetting: false,
  };
}

const PREPOSITIONS: ReadonlySet<string> = new Set('to from into of in on by for with at as'.split(' '));
const hasPreposition = (words: readonly string[]): boolean => words.some((word) => PREPOSITIONS.has(word));

/** `add_user_to_team`: each record that the name speaks of, with its id. */
function nameWithRecords({ verb, object, note }: NamedCommand, args: readonly Argument[]): Lead | null {
  const used = new Set<string>();
  const parts: Clause = [textPart(verbWord(verb))];
  for (const segment of segments(object)) {
    const noun = phraseOf(singularWords(segment));
    const fitting = args.filter(
      (argument) => phraseOf(singularWords(nounOf(argument))) === noun && !used.has(argument.name),
    );
    const [argument] = fitting;
    parts.push(textPart(` ${phraseOf(segment)}`));
    if (fitting.length !== 1 || argument === undefined) continue;
    used.add(argument.name);
    parts.push(textPart(' '), { type: 'argument', name: argument.name });
  }
  if (used.size === 0) return null;
  return { parts: [...parts, textPart(note === null ? '' : ` (${note})`)], used, verb, isSetting: false };
}

/** The words between prepositions, and the prepositions. */
const segments = (words: readonly string[]): string[][] => {
  const all: string[][] = [];
  let isOpen = false;
  for (const word of words) {
    const isPreposition = PREPOSITIONS.has(word);
    if (isOpen && !isPreposition) all.at(-1)?.push(word);
    else all.push([word]);
    isOpen = !isPreposition;
  }
  return all;
};

function plainLead(tool: DescribedTool, command: TitleCommand | null, named: NamedCommand | null): Lead {
  const lead = (parts: Clause, verb: string | null): Lead => ({
    parts,
    used: new Set(),
    verb,
    isSetting: false,
  });
  if (command !== null) return lead([textPart(command.text)], command.verb);
  if (named !== null) {
    const { verb, object, note } = named;
    const words = [
      verbWord(verb),
      articleFor(verb, object),
      phraseOf(object),
      note === null ? '' : `(${note})`,
    ];
    return lead([textPart(words.filter((word) => word !== '').join(' '))], verb);
  }
  const title = titleOf(tool.description ?? '');
  return title === null
    ? lead([textPart('Call '), { type: 'code', text: tool.name }], null)
    : lead([textPart(`Use “${title}”`)], '');
}

function articleFor(verb: string, object: readonly string[]): string {
  const last = object.at(-1) ?? '';
  if (
    !isMaking(verb) ||
    last === '' ||
    hasPreposition(object) ||
    singularWords([last])[0] !== last ||
    last.endsWith('s')
  )
    return '';
  return /^(?:[aei]|o(?!ne\b)|u(?!se|ni|ti))/.test(object[0] ?? '') ? 'an' : 'a';
}

/** One argument whose items a sentence only counts. */
type ListedArgument = { argument: string; lines: string[] };

/** Each list of records among the arguments, an item a line, with the names of the records that ids stand for. */
export function listedArguments(
  args: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
  tool: string,
): ListedArgument[] {
  return Object.entries(args).flatMap(([argument, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecord)
      ? [{ argument, lines: value.map((item) => itemLine(item, nameOf, tool)) }]
      : [],
  );
}

function itemLine(item: Record<string, unknown>, nameOf: NameOf, tool: string): string {
  const members = Object.entries(item).map(([key, value]) => {
    const name = nameOf(key, value, { tool });
    const label =
      name === null ? (centsLabel(key, value) ?? valueLabel(value)) : `${name.name} (${valueLabel(value)})`;
    return `${argumentLabel(key, value)} ${label}`;
  });
  return members.length === 0 ? 'nothing' : members.join(', ');
}
