// What an environment said went wrong, as one sentence for a reader who knows no interfaces. The answer as it came is kept
// beside it. Sources: FastAPI's and pydantic v2's lists of problems, MCP's error results, Python's tracebacks.
import { createBraces } from '../between.ts';
import { isRecord, tryJson } from '../json.ts';
import { truncateMiddle } from '../truncate.ts';
import { isProblem, problemsInWords } from './problems.ts';
import { asSentence } from './valueLabel.ts';

export type ErrorInWords = {
  /** One sentence without status codes and without JSON. */
  sentence: string;
  /** What the environment answered, unchanged. */
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

/** What clients put before the words of the environment. */
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

/** How often an object that does not end, or is none, is passed over. */
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

/** What a line says without what clients put around it. */
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
