// Takes what gives the answer away, and secrets, out of a request before it is kept where a person may read it.
import type { CoveredSpan } from '../../../shared/events/consultations.ts';
import type { Cover } from '../../../shared/redact/cover.ts';
import type { Job } from '../../log/largeThread.ts';
import { bodyDigest } from './body.ts';
import { criteriaIn, isCriteriaName } from './criteria.ts';

export type CoveredRequest = {
  /** The request as JSON, marks in place of criteria. */
  request: string;
  /** The same as a value. */
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
  const cover = (text: string, field: string): string =>
    isCriteriaName(field) && text.trim() !== '' ? hide(text) : coverText(text, known, hide);
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
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change, key)]));
}

/** What is covered of a question. */
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
