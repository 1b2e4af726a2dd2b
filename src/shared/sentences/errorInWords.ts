// Describes an environment's error in one sentence for a reader who knows no interfaces. The answer as it came is kept
// beside it.
import { createBraces } from '../between.ts';
import type { Attempt } from '../episode/rowShapes.ts';
import { isRecord, tryExactJson, tryJson } from '../json.ts';
import { READ_MAX, truncate, truncateMiddle } from '../truncate.ts';
import type { NameOf } from './names.ts';
import { patternInWords } from './patternInWords.ts';
import { madeCallSentence, type Sentence, type SentenceTool } from './sentence.ts';
import { asSentence, valueLabel } from './valueLabel.ts';
import { phraseOf, wordsOf } from './words.ts';

type ErrorInWords = {
  /** One sentence without status codes and without JSON. */
  sentence: string;
  raw: string;
};

const NO_REASON = 'The environment refused the call without saying why.';

/** Of a long text both ends are read: its first sentence stands in the one, the last line of a traceback in the other. */
export function errorInWords(raw: string): ErrorInWords {
  const { body, status } = unwrapped(truncateMiddle(raw).trim());
  const sentence = jsonInWords(body) ?? textInWords(body) ?? statusInWords(status);
  return { sentence: asSentence(sentence), raw };
}

/** The answer inside what a client puts around it: `Error calling TOOL. Status code: 422. Response: …`. */
function unwrapped(raw: string): { body: string; status: number | null } {
  const called = /^Error calling [^\s.]+\.\s*Status code:\s*(\d{3})\.?\s*(?:Response:\s*)?/i.exec(raw);
  const coded =
    called ??
    /^(?:HTTP(?: error)?:?\s*)?(?:Status(?: code)?:?\s*)?([45]\d{2})(?:\s*[:.-]\s*|\s+(?=[{[]))/i.exec(raw);
  const status = coded?.[1] === undefined ? null : Number(coded[1]);
  const rest = coded === null ? raw : raw.slice(coded[0].length);
  const body = rest.replace(WRAPPING, '');
  return { body: body.trim(), status };
}

/** Clients' text before the environment's words. */
const WRAPPING =
  /^(?:Error (?:executing|calling) (?:tool )?\S+?:\s+|MCP error -?\d+:\s*|(?:Client|Server) error '\d{3} (?=[^'\n]*')|Error:\s+)/i;

function statusInWords(status: number | null): string {
  if (status === null) return NO_REASON;
  if (status === 401 || status === 403) return 'It is not allowed.';
  if (status === 404) return 'It was not found.';
  if (status === 409) return 'It does not fit the present state.';
  if (status === 429) return 'Too many calls were made at once.';
  return status >= 500 ? 'The environment failed on its own side.' : NO_REASON;
}

// --- JSON ---------------------------------------------------------------------------------------------------------

/** The first message in a JSON answer; null where the text is no JSON, or says nothing. */
function jsonInWords(body: string): string | null {
  const start = body.search(/[[{]/);
  if (start === -1 || body.slice(0, start).trim() !== '') return null;
  const value = tryJson(body);
  return value === undefined ? problemsInWords(wholeObjects(body)) : messageIn(value);
}

const MESSAGE_MEMBERS = [
  'detail',
  'message',
  'error',
  'error_message',
  'msg',
  'text',
  'reason',
  'title',
  'errors',
  'content',
];
const DEPTH_MAX = 6;

function messageIn(value: unknown, depth = 0): string | null {
  if (depth > DEPTH_MAX) return null;
  if (typeof value === 'string')
    return value.trim() === '' ? null : (jsonInWords(value.trim()) ?? textInWords(value));
  if (Array.isArray(value)) {
    const problems = problemsInWords(value.filter(isRecord));
    if (problems !== null) return problems;
    return value.map((item) => messageIn(item, depth + 1)).find((text) => text !== null) ?? null;
  }
  if (!isRecord(value)) return null;
  if (isProblem(value)) return problemsInWords([value]);
  return (
    MESSAGE_MEMBERS.filter((key) => Object.hasOwn(value, key))
      .map((key) => messageIn(value[key], depth + 1))
      .find((text) => text !== null) ?? null
  );
}

/** The limit of objects passed over that do not end, or are none. */
const TRIES_MAX = 50;

/** Whole objects that stand in a JSON text which was cut off. */
function wholeObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const closingBrace = createBraces(text);
  let tries = 0;
  for (let from = text.indexOf('{', 1); from !== -1 && tries < TRIES_MAX;) {
    const end = closingBrace(from);
    const value = end === null ? undefined : tryJson(text.slice(from, end + 1));
    if (isRecord(value)) found.push(value);
    else tries += 1;
    from = text.indexOf('{', isRecord(value) && end !== null ? end + 1 : from + 1);
  }
  return found;
}

// --- text ---------------------------------------------------------------------------------------------------------

/** The first line of a text that says something, or the last of a traceback, as a sentence. */
function textInWords(body: string): string | null {
  const lines = body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const traceback = lines.findLastIndex((line) => line.includes('Traceback (most recent call last)'));
  const inOrder = traceback === -1 ? lines : [lines.at(-1) ?? '', ...lines.slice(traceback + 1)];
  for (const line of inOrder) {
    const said = saidIn(line);
    if (said !== '') return sentenceOf(said);
  }
  return null;
}

/** A line without clients' text around it. */
function saidIn(line: string): string {
  return line
    .replace(WRAPPING, '')
    .replace(/^(?:[\w.]*(?:Error|Exception|Warning|Failure)|ToolError|RuntimeError):\s*/, '')
    .replace(/^\d+ validation errors? for \S+$/, '')
    .replace(/(?<!\s)\s*[[{].*$/s, '')
    .replace(/(?<!\s)\s*\(?\b(?:HTTP )?status(?: code)?:? ?\d{3}\)?/gi, '')
    .replace(/(?:'|(?<!\s))\s*\bfor url\b[^]*$/i, '')
    .trim();
}

function sentenceOf(said: string): string | null {
  if (/^[\w.]*(?:Error|Exception)$/.test(said)) return null;
  const first = /^.*?[.!?](?=\s+\p{Lu}|$)/su.exec(said)?.[0] ?? said;
  return /^(?:Internal Server Error|Bad Request|Unprocessable (?:Entity|Content)|Not Found)\.?$/i.test(first)
    ? statusInWords(REASONS[first.replace(/\.$/, '').toLowerCase()] ?? null)
    : missingInWords(first);
}

const REASONS: Readonly<Record<string, number>> = {
  'internal server error': 500,
  'bad request': 400,
  'unprocessable entity': 422,
  'unprocessable content': 422,
  'not found': 404,
};

/** `Workflow 1 not found` lacks its verb. */
const missingInWords = (sentence: string): string =>
  sentence.replace(/^((?:\S+ ){1,8})not found\b/i, (whole, what: string) =>
    /\b(?:is|was|are|were|be|could|cannot)\s+$/i.test(what) ? whole : `${what}was not found`,
  );

// Problems of arguments in words: "workflow id must be a whole number; it was "abc"." Source: the lists of pydantic and
// FastAPI, and what the older pydantic called them.
type Problem = Record<string, unknown>;
const PLACES: ReadonlySet<string> = new Set(['body', 'query', 'path', 'header', 'cookie']);

const isProblem = (value: Problem): boolean =>
  Array.isArray(value['loc']) && (typeof value['msg'] === 'string' || typeof value['type'] === 'string');

function problemsInWords(values: readonly Problem[]): string | null {
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

/** The rule in words: from the problem's own numbers and choices, else from its kind, else in its own words. */
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

// One earlier step as a sentence with what became of it.
export type AttemptFate = NonNullable<Attempt['fate']>;
type AttemptSentence = {
  call: Sentence;
  /** False where the arguments were cut off on their way here: the sentence has the whole ones alone. */
  isWhole: boolean;
  fate: AttemptFate;
  /** "Failed", "Rejected by a person, not sent: not now"; null where it went through. */
  fateText: string | null;
  /** Null where there was no error. */
  error: ErrorInWords | null;
};

export const fateOfAttempt = ({ fate, error }: Pick<Attempt, 'fate' | 'error'>): AttemptFate =>
  fate ?? (error === null ? 'went_through' : 'failed');

export function attemptSentence(
  attempt: Attempt,
  tools: readonly SentenceTool[] = [],
  nameOf?: NameOf,
): AttemptSentence {
  const { tool_name: name, arguments: text, error } = attempt;
  const { args, isWhole } = argumentsIn(text);
  const tool = tools.find((one) => one.name === name) ?? { name };
  return {
    call: madeCallSentence(tool, args, nameOf),
    isWhole,
    fate: fateOfAttempt(attempt),
    fateText: fateText(attempt),
    error: error === null ? null : errorInWords(error),
  };
}

/** The difference of an attempt from a call that the agent made and the environment answered. */
function fateText(attempt: Attempt): string | null {
  const { by, is_discarded: isDiscarded = false, reason = null } = attempt;
  const why = reason === null || reason === '' ? '' : `: ${reason}`;
  const fates: Readonly<Record<AttemptFate, string>> = {
    went_through: '',
    failed: '',
    rejected: `Rejected by a person, not sent${why}`,
    answered: 'Not sent: a person wrote the result',
    not_sent: `Not sent${why}`,
    unknown: 'Sent; its answer was lost',
  };
  const who = by === 'human' ? `A person’s move${isDiscarded ? ', discarded' : ''}` : '';
  const said = [who, fates[fateOfAttempt(attempt)]].filter((part) => part !== '').join('. ');
  return said === '' ? null : said;
}

/** So much of a text that was cut off is read, over all tries to leave out the members at its end. */
const TRIED_MAX = 4 * READ_MAX;

/** The arguments of a JSON text, or those that stand whole in one that was cut off. */
function argumentsIn(written: string): { args: Record<string, unknown>; isWhole: boolean } {
  const text = truncate(written);
  const whole = text === written ? tryExactJson(text) : undefined;
  if (isRecord(whole)) return { args: whole, isWhole: true };
  if (!text.trimStart().startsWith('{')) return { args: {}, isWhole: false };
  let tried = 0;
  for (let at = text.lastIndexOf(',"'); at > 0 && tried < TRIED_MAX; at = text.lastIndexOf(',"', at - 1)) {
    tried += at;
    const args = tryExactJson(`${text.slice(0, at)}}`);
    if (isRecord(args)) return { args, isWhole: false };
  }
  return { args: {}, isWhole: false };
}
