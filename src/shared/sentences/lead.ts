// How a sentence begins: with the tool's own heading, else with the verb of its name, else with the name itself. Pure.
import { escapeRegExp } from '../escapeRegExp.ts';
import { nounOf, textPart, type Argument, type Clause } from './argument.ts';
import { commandOf, titleOf, type TitleCommand } from './title.ts';
import { isMaking, isSetting, isVerb, verbWord } from './verbs.ts';
import { phraseOf, singularWords, withoutRole, wordsOf } from './words.ts';

/** A beginning, the arguments that stand in it, and the verb it is said with; `isSetting` where a value ends it. */
export type Lead = { parts: Clause; used: ReadonlySet<string>; verb: string | null; isSetting: boolean };

export type DescribedTool = { name: string; description?: string };

export function leadOf(tool: DescribedTool, args: readonly Argument[]): Lead {
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
