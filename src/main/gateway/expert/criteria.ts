// Finding, in a client's words, what tells the answer: success criteria, verifier code. Pure. It errs to covering too
// much: what is covered by mistake is one act away, what was seen cannot be unseen.
import { truncate } from '../../../shared/truncate.ts';

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

/** What tells the answer, in order and without overlap. `known` are texts that were given to this client as criteria. */
export function criteriaIn(text: string, known: readonly string[] = []): CriteriaSpan[] {
  const given = known.flatMap((one) => occurrences(text, one));
  const named = CRITERIA_WORD.test(text)
    ? [...verifierCode(text), ...spansOf(text, TAGGED), ...jsonFields(text), ...sections(text, known)]
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

/** What begins at each match of a pattern. What stands inside a span that was found is part of it. */
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

/** Whether a field of this name holds criteria, whatever is written in it. */
export const isCriteriaName = (name: string): boolean => name.length < 80 && CRITERIA_NAME.test(name);

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

/** Fields of JSON in the text, with their whole value. */
const jsonFields = (text: string): CriteriaSpan[] =>
  spansAfter(text, JSON_KEY, ({ index, 0: key }) => ({
    start: index,
    end: valueEnd(text, index + key.length),
  }));

/** Where a JSON value ends; the end of the text for one that is not closed. */
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

/** From a heading to the section that is about something else; without one, to the end. */
const sections = (text: string, known: readonly string[]): CriteriaSpan[] =>
  spansAfter(text, HEADING, ({ index, 0: heading }) => sectionAt(text, index + heading.length, known));

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

type RequestTurn = { role: string; text: string };

/** Whether a request asks what a verifier checks, rather than for advice: one message, code, no tools, no attempts.
 * Of a long one the beginning says it. */
export function isAnalysis(messages: readonly RequestTurn[], toolNames: readonly string[]): boolean {
  const users = messages.filter(({ role }) => role === 'user');
  const isOneTurn =
    users.length === 1 && messages.every(({ role }) => /^(system|developer|user)$/.test(role));
  const text = truncate(users[0]?.text ?? '');
  const code = verifierCode(text);
  if (!isOneTurn || toolNames.length > 0 || code.length === 0) return false;
  const beside = code.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return beside.length <= BESIDE_MAX && DISTILS.test(beside) && !ADVISES.test(beside);
}
