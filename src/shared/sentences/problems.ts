// Problems of arguments in words: "workflow id must be a whole number; it was "abc"." Source: the lists of pydantic and
// FastAPI, and what the older pydantic called them. Pure.
import { isRecord } from '../json.ts';
import { patternInWords } from './patternInWords.ts';
import { asSentence, valueLabel } from './valueLabel.ts';
import { phraseOf, wordsOf } from './words.ts';

type Problem = Record<string, unknown>;
const PLACES: ReadonlySet<string> = new Set(['body', 'query', 'path', 'header', 'cookie']);

export const isProblem = (value: Problem): boolean =>
  Array.isArray(value['loc']) && (typeof value['msg'] === 'string' || typeof value['type'] === 'string');

export function problemsInWords(values: readonly Problem[]): string | null {
  const problems = values.filter(isProblem);
  const [first] = problems;
  if (first === undefined) return null;
  const more = problems.length - 1;
  const also =
    more === 0 ? '' : ` ${more === 1 ? 'One more argument is' : `${String(more)} more arguments are`} wrong.`;
  return `${asSentence(problemInWords(first))}${also}`;
}

/** `workflow id must be a whole number; it was "abc"`. */
function problemInWords(problem: Problem): string {
  const loc = (problem['loc'] as unknown[]).filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  const path = PLACES.has(String(loc[0])) && loc.length > 1 ? loc.slice(1) : loc;
  const name = nameOfPath(path);
  const type = typeof problem['type'] === 'string' ? problem['type'] : '';
  const message = typeof problem['msg'] === 'string' ? problem['msg'] : '';
  if (type === 'missing' || type === 'value_error.missing') return `${name} is missing`;
  if (type === 'extra_forbidden') return `there is no argument called ${name}`;
  const must = ruleInWords(type, isRecord(problem['ctx']) ? problem['ctx'] : {}, message);
  return must === null ? `${name} does not fit` : `${name} ${must}${inputInWords(problem)}`;
}

const nameOfPath = (path: readonly unknown[]): string => {
  const names = path.filter((part) => typeof part === 'string' && !PLACES.has(part));
  const last = names.findLast((part) => typeof part === 'string');
  const place = typeof path.at(-1) === 'number' ? ` number ${String(Number(path.at(-1)) + 1)}` : '';
  return last === undefined ? 'The arguments' : `${phraseOf(wordsOf(last))}${place}`;
};

const RULES: readonly (readonly [RegExp, string])[] = [
  [/^int_from_float$/, 'must be a whole number'],
  [/^(?:int_|type_error\.integer)/, 'must be a whole number'],
  [/^(?:float_|decimal_|type_error\.(?:float|decimal))/, 'must be a number'],
  [/^(?:bool_|type_error\.bool)/, 'must be yes or no'],
  [/^(?:string_type|type_error\.str)/, 'must be text'],
  [/^(?:list_type|type_error\.list)/, 'must be a list'],
  [/^(?:dict_type|model_type|model_attributes_type|type_error\.dict)/, 'must be a group of fields'],
  [/^(?:date_|date_from_)/, 'must be a date such as 2026-06-30'],
  [/^(?:datetime_|time_)/, 'must be a date and time'],
  [/^(?:uuid_)/, 'must be an id'],
  [/^url_/, 'must be a web address'],
  [/^json_/, 'must be JSON'],
];

/** What the rule asks for: from the problem's own numbers and choices, else from its kind, else in its own words. */
function ruleInWords(type: string, ctx: Problem, message: string): string | null {
  const asked = (name: string): string | null => {
    const value = ctx[name];
    return typeof value === 'number' || typeof value === 'string' ? String(value) : null;
  };
  const least = asked('ge') ?? asked('limit_value');
  if (type.startsWith('greater_than_equal') && least !== null) return `must be at least ${least}`;
  if (type.startsWith('less_than_equal') && asked('le') !== null)
    return `must be at most ${asked('le') ?? ''}`;
  if (type === 'greater_than' && asked('gt') !== null) return `must be more than ${asked('gt') ?? ''}`;
  if (type === 'less_than' && asked('lt') !== null) return `must be less than ${asked('lt') ?? ''}`;
  if (type === 'string_too_short' && asked('min_length') !== null)
    return `must have at least ${asked('min_length') ?? ''} characters`;
  if (type === 'string_too_long' && asked('max_length') !== null)
    return `must have at most ${asked('max_length') ?? ''} characters`;
  if ((type === 'literal_error' || type === 'enum') && asked('expected') !== null)
    return `must be ${asked('expected') ?? ''}`;
  if (/^(?:string_pattern_mismatch|value_error\.str\.regex)$/.test(type))
    return patternInWords(
      asked('pattern') ?? /match (?:pattern |regex )?['"]?(.*?)['"]?$/is.exec(message)?.[1] ?? '',
    );
  const known = RULES.find(([pattern]) => pattern.test(type))?.[1];
  if (known !== undefined) return known;
  const should = /^(?:Input|Value|String|This) should (.*)$/is.exec(message)?.[1];
  if (should !== undefined) return `must ${should}`;
  const said = message.replace(/^(?:Value error|Assertion failed),\s*/i, '').trim();
  return said === '' ? null : `is wrong: ${said}`;
}

function inputInWords({ input }: Problem): string {
  if (input === undefined || isRecord(input)) return '';
  return typeof input === 'string' && input !== ''
    ? `; it was "${valueLabel(input)}"`
    : `; it was ${valueLabel(input)}`;
}
