// Takes what gives the answer away, and secrets, out of a request before it is kept where a person may read it.
import type { CoveredSpan } from '../../../shared/events/consultations.ts';
import type { Cover } from '../../../shared/redact/cover.ts';
import { truncate } from '../../../shared/truncate.ts';
import type { Job } from '../../log/largeThread.ts';
import { bodyDigest } from './body.ts';
import { isRecord } from '../../../shared/json.ts';

export type CoveredRequest = {
  /** The request as JSON, marks in place of criteria. */
  request: string;
  body: unknown;
  covered: CoveredSpan[];
};

/** The same on another thread, with the digest of the request as it came. */
export const COVER_CRITERIA: Job<
  { body: object; known: readonly string[] },
  CoveredRequest & { digest: string }
> = {
  name: 'cover criteria',
  run: ({ body, known }) => ({ ...coverRequest(body, known), digest: bodyDigest(body) }),
};

/** Covers every string of the request, whatever field it stands in. `known` are criteria this client was given. */
export function coverRequest(body: unknown, known: readonly string[]): CoveredRequest {
  const taken: { mark: string; text: string }[] = [];
  const asked = JSON.stringify(body);
  const nonce = freeNonce(asked);
  const hide = (text: string): string => {
    const length = String(text.length);
    const mark = `⟦covered ${nonce}${String(taken.length + 1)}: what the verifier checks, ${length} characters⟧`;
    taken.push({ mark, text });
    return mark;
  };
  // Whether a field of this name holds criteria, whatever is written in it.
  const cover = (text: string, field: string): string =>
    field.length < 80 && CRITERIA_NAME.test(field) && text.trim() !== ''
      ? hide(text)
      : coverText(text, known, hide);
  const shown = mapStrings(body, cover, '');
  if (taken.length === 0) return { request: asked, body, covered: [] };
  const request = JSON.stringify(shown);
  let from = 0;
  // Marks stand in the order in which they were made.
  const covered = taken.map(({ mark, text }) => {
    const start = request.indexOf(mark, from);
    from = start + mark.length;
    return { start, end: start + mark.length, text };
  });
  return { request, body: shown, covered: covered.toSorted((a, b) => a.start - b.start) };
}

function coverText(text: string, known: readonly string[], hide: (text: string) => string): string {
  let out = '';
  let from = 0;
  for (const { start, end } of criteriaIn(text, known)) {
    const span = text.slice(start, end);
    // The breaks around it stay outside: the text goes on to read as it did.
    const lead = span.length - span.trimStart().length;
    const tail = span.trimEnd().length;
    out += text.slice(from, start) + span.slice(0, lead) + hide(span.slice(lead, tail)) + span.slice(tail);
    from = end;
  }
  return out + text.slice(from);
}

/** Whoever writes a mark of their own into a request must not move ours. */
function freeNonce(json: string): string {
  if (!json.includes('⟦covered ')) return '';
  const taken = new Set([...json.matchAll(/⟦covered (\d+)\./g)].map(([, number]) => number));
  let n = 0;
  while (taken.has(String(n))) n += 1;
  return `${String(n)}.`;
}

function mapStrings(value: unknown, change: (text: string, field: string) => string, field: string): unknown {
  if (typeof value === 'string') return change(value, field);
  if (Array.isArray(value)) return value.map((one: unknown) => mapStrings(one, change, field));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change, key)]));
}

export const wordsOf = ({ task, question, availableTools, request, covered }: CoveredQuestion) => ({
  task,
  question,
  availableTools,
  request: [0, ...covered.map(({ end }) => end)].map((from, i) => request.slice(from, covered[i]?.start)),
  texts: covered.map(({ text }) => text),
});

/**
 * A question with the secrets covered as in the rest of its episode's log: in the request between the spans that stand for
 * criteria, whose places move, and in the words that are shown.
 */
export function coverQuestion<T extends CoveredQuestion>(
  question: T,
  { cover }: Pick<Cover, 'cover'>,
  given = wordsOf(question),
): T {
  const { covered, request } = question;
  const words = cover(given);
  let clean = words.request[0] ?? '';
  const spans = covered.map(({ start, end }, i) => {
    const at = clean.length;
    clean += request.slice(start, end);
    const span = { start: at, end: clean.length, text: words.texts[i] ?? '' };
    clean += words.request[i + 1] ?? '';
    return span;
  });
  const { task, question: asked, availableTools } = words;
  return { ...question, task, question: asked, availableTools, request: clean, covered: spans };
}

type CoveredQuestion = {
  task: string | null;
  question: string;
  availableTools: string | null;
  request: string;
  covered: CoveredSpan[];
};

/** A stretch of a text, in UTF-16 units. */
type CriteriaSpan = { start: number; end: number };

/** Headings under which people write what a checker wants. */
const CRITERIA_NAMES =
  '(?:success|acceptance|completion|evaluation|grading|pass(?:ing)?)[ _-](?:criteria|conditions?|requirements?)|' +
  'verifi(?:er|cation)(?:[ _-](?:code|criteria|function|requirements?|source))?|' +
  'answer[ _-]key|ground[ _-]truth|reference (?:answer|solution)|expected (?:final )?(?:state|result|answer)|' +
  'what the (?:checker|verifier|grader) (?:requires|checks|wants|expects)|rubric';
/** `## Success criteria`, `SUCCESS CRITERIA (what …):`, `**Success criteria:**`, each alone at the head of a line. */
const HEADING = new RegExp(
  `^[ \\t]{0,8}(?:#{1,6})?[ \\t]{0,8}(?:\\*\\*|__)?(?:the[ \\t]{1,4})?(?:${CRITERIA_NAMES})\\b[^\\n:]{0,80}(?::|(?:\\*\\*|__)[ \\t]{0,8}:?[ \\t]{0,8}$|$)`,
  'gim',
);
const TAGGED = new RegExp(
  `<(${CRITERIA_NAMES.replaceAll('[ _-]', '[_-]')})[^>]{0,200}>([\\s\\S]*?)(?:</\\1>|$)`,
  'gi',
);
const JSON_KEY = new RegExp(`"(?:${CRITERIA_NAMES})"\\s{0,20}:\\s{0,20}`, 'gi');
/** A section that begins after a blank line and is about something else. Criteria have headings of their own. */
const NEXT_SECTION =
  /\n[ \t]{0,8}\n[ \t]{0,8}(?:#{1,6}[ \t]{0,8}|\*\*|__)?(?:the[ \t]{1,4})?(?:agents?|current|available|tools?|task|user|context|question|history|attempts?|instructions?|conversation|previous|last|provide|respond|answer the|return)\b[^\n]{0,200}/gi;
const DEF_VERIFY = /^([ \t]*)(?:async[ \t]+)?def[ \t]+verif(?:y|ier)\w*[ \t]*\(/gm;

/** Each of the names and functions above has one of these words. Most strings of a request have none. */
const CRITERIA_WORD =
  /criteria|condition|requirement|verif|answer|ground|reference|expected|what the|rubric/i;

/** Spans of the answer, in order, without overlap. `known` are texts that were given to this client as criteria. */
export function criteriaIn(text: string, known: readonly string[] = []): CriteriaSpan[] {
  const given = known.flatMap((one) => occurrences(text, one));
  const named = CRITERIA_WORD.test(text)
    ? [
        ...verifierCode(text),
        ...spansOf(text, TAGGED),
        ...spansAfter(text, JSON_KEY, ({ index, 0: key }) => ({
          start: index,
          end: valueEnd(text, index + key.length),
        })),
        ...spansAfter(text, HEADING, ({ index, 0: heading }) =>
          sectionAt(text, index + heading.length, known),
        ),
      ]
    : [];
  return mergeCriteria([...given, ...named].filter(({ start, end }) => text.slice(start, end).trim() !== ''));
}

/** Python functions that verify, whole: with the imports before them and everything that is indented below. */
function verifierCode(text: string): CriteriaSpan[] {
  return spansAfter(text, DEF_VERIFY, ({ index, 1: indent = '' }) => ({
    start: importsBefore(text, index),
    end: blockEnd(text, index, indent.length),
  }));
}

/** The spans that begin at a pattern's matches. A match inside an earlier span is part of it. */
function spansAfter(
  text: string,
  pattern: RegExp,
  spanOf: (match: RegExpExecArray) => CriteriaSpan,
): CriteriaSpan[] {
  const found: CriteriaSpan[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const span = spanOf(match);
    found.push(span);
    pattern.lastIndex = Math.max(span.end, match.index + match[0].length);
  }
  return found;
}

const CRITERIA_NAME = new RegExp(`^(?:${CRITERIA_NAMES})$`, 'i');

/** Import lines and decorators stand at the head of a verifier and name what it looks at. */
function importsBefore(text: string, at: number): number {
  let start = at;
  for (;;) {
    const lineStart = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (start === 0 || !/^[ \t]*(?:import |from \S+ import|@|#|$)/.test(text.slice(lineStart, start - 1))) {
      return start;
    }
    start = lineStart;
  }
}

/** Code at top level that goes on after a function: another definition, a constant, a closing bracket. */
const CODE_CONTINUES =
  /^(?:def |async def |class |@|import |from \S+ import|#|[A-Za-z_][\w.]* *(?:=|\()|[\])}]|return\b|if |else|try|except)/;

function blockEnd(text: string, from: number, indent: number): number {
  let end = text.indexOf('\n', from);
  if (end === -1) return text.length;
  let isInString = false;
  while (end < text.length) {
    const next = text.indexOf('\n', end + 1);
    const line = text.slice(end + 1, next === -1 ? text.length : next);
    const depth = line.length - line.trimStart().length;
    const isCode = isInString || line.trim() === '' || depth > indent || CODE_CONTINUES.test(line.trim());
    if (!isCode) return end;
    const isQuoted = line.includes('"""') || line.includes("'''");
    if (isQuoted && (line.match(/"""|'''/g) ?? []).length % 2 === 1) isInString = !isInString;
    if (next === -1) return text.length;
    end = next;
  }
  return end;
}

/** The end of a JSON value; the end of the text for one that is not closed. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (isString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isString = false;
    } else if (letter === '"') isString = true;
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    else if (depth > 0 || !/[,\s]/.test(letter)) continue;
    if (!isString && depth <= 0) return depth < 0 ? at : at + 1;
  }
  return text.length;
}

function sectionAt(text: string, start: number, known: readonly string[]): CriteriaSpan {
  // What was given as criteria says by itself where it ends, whatever headings it has.
  const from = start + leading(text, start);
  const exact = known.find((one) => one !== '' && text.startsWith(one, from));
  if (exact !== undefined) return { start, end: from + exact.length };
  NEXT_SECTION.lastIndex = start;
  const next = NEXT_SECTION.exec(text);
  return { start, end: next === null ? text.length : next.index };
}

const leading = (text: string, from: number): number => {
  const rest = text.slice(from, from + 200);
  return rest.length - rest.trimStart().length;
};

/** Shorter ones may be anybody's words. */
const KNOWN_MIN = 24;

function occurrences(text: string, part: string): CriteriaSpan[] {
  const found: CriteriaSpan[] = [];
  if (part.length < KNOWN_MIN) return found;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    found.push({ start: at, end: at + part.length });
  }
  return found;
}

const spansOf = (text: string, pattern: RegExp): CriteriaSpan[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

function mergeCriteria(spans: readonly CriteriaSpan[]): CriteriaSpan[] {
  const result: CriteriaSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/** Words that ask to say what a verifier checks. */
const DISTILS =
  /summar|distil|extract|list|describe|explain|analy[sz]e|what (?:must|does|needs)|requirement|criteria/i;
/** Words that ask for advice to an agent. */
const ADVISES =
  /agent(?:'s)? context|available tools|what (?:has been|the agent) tried|step-by-step plan|ordered plan/i;
/** Beside the code such a request says little. */
const BESIDE_MAX = 6000;

/**
 * True if a request asks what a verifier checks, not for advice: one message, code, no tools, no attempts. Of a long
 * one the beginning says it.
 */
export function isAnalysis(
  messages: readonly { role: string; text: string }[],
  toolNames: readonly string[],
): boolean {
  const users = messages.filter(({ role }) => role === 'user');
  const isOneTurn =
    users.length === 1 && messages.every(({ role }) => /^(system|developer|user)$/.test(role));
  const text = truncate(users[0]?.text ?? '');
  const code = verifierCode(text);
  if (!isOneTurn || toolNames.length > 0 || code.length === 0) return false;
  const beside = code.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return beside.length <= BESIDE_MAX && DISTILS.test(beside) && !ADVISES.test(beside);
}

// Criteria told to clients: they come back inside their questions, word for word.
export type KnownCriteria = { add(key: string, text: string): void; of(key: string): string[] };

const PER_KEY = 64;
const KEYS_MAX = 500;

export function createKnownCriteria(): KnownCriteria {
  const byKey = new Map<string, string[]>();
  return {
    add: (key, text) => {
      const before = byKey.get(key) ?? [];
      if (text.trim() === '' || before.includes(text.trim())) return;
      byKey.delete(key);
      byKey.set(key, [...before, text.trim()].slice(-PER_KEY));
      const [oldest] = byKey.keys();
      if (byKey.size > KEYS_MAX && oldest !== undefined) byKey.delete(oldest);
    },
    of: (key) => byKey.get(key) ?? [],
  };
}
