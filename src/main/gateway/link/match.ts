// Which of several episodes a request can only have come from, by what it quotes. Anything short of that is no match.
// Pure.
import type { History, QuotedHistory, HistoryStep } from './history.ts';

type Match =
  | { episode: string }
  | {
      episode: null;
      /** Nothing that an episode did is quoted, or what is quoted fits several, or none as it is. */
      why: 'quotes_nothing' | 'ambiguous';
    };

/**
 * The one episode whose own calls and results the request quotes. `histories` holds every episode that could have asked,
 * those that have ended too: what fits two of them is nobody's.
 */
export function matchHistory(histories: readonly History[], quoted: QuotedHistory): Match {
  return quoted.steps.length > 0 ? byMessages(histories, quoted.steps) : byWords(histories, quoted.text);
}

const decideMatch = (winners: readonly History[], others: number): Match => {
  const [only, ...more] = winners;
  if (only === undefined) return { episode: null, why: others === 0 ? 'quotes_nothing' : 'ambiguous' };
  return more.length === 0 && only.mayAsk ? { episode: only.episode } : { episode: null, why: 'ambiguous' };
};

/** The request's messages are a conversation: its calls are the newest of the episode, with nothing made since. */
function byMessages(histories: readonly History[], steps: readonly HistoryStep[]): Match {
  const known = new Set(histories.flatMap((history) => history.steps.map(({ tool }) => tool)));
  // A client answers a call of a tool that does not exist itself.
  const made = steps.filter(({ tool }) => known.has(tool));
  const fitting = histories.filter(
    (history) => endsWith(history.steps, made) && agree(history.steps.slice(-made.length), made),
  );
  return decideMatch(fitting, made.length);
}

const endsWith = (steps: readonly HistoryStep[], made: readonly HistoryStep[]): boolean =>
  made.length > 0 &&
  made.length <= steps.length &&
  steps.slice(-made.length).every(({ key }, i) => key === made[i]?.key);

/** Clients cut what their agents read, and put words around it. */
const agree = (steps: readonly HistoryStep[], made: readonly HistoryStep[]): boolean =>
  steps.every(({ result }, i) => {
    const read = made[i]?.result ?? '';
    return containsWords(read, result) || (read.length >= CUT_MIN && result.includes(withoutMark(read)));
  });

/** Whether it stands there, and not as the beginning of a longer number. White space, which parts words, is gone. */
const containsWords = (text: string, words: string): boolean =>
  words === '' ||
  [...occurrences(text, words)].some(
    (at) => !(/\d$/.test(words) && /\d/.test(text[at + words.length] ?? '')),
  );

/** A shorter beginning of a result could be that of another. */
const CUT_MIN = 40;
const CUT_MARK = /(?:\.{3}|…|\[?\(?(?:truncated|cut)\b.{0,40})$/;
const withoutMark = (read: string): string => read.replace(CUT_MARK, '');

/** A result that is quoted without its call: shorter ones are said by chance. */
const RESULT_MIN = 24;
/** Between a tool's name, its arguments and its result: `(`, `with arguments`, `returned`. */
const ARGUMENTS_GAP = 40;
const RESULT_GAP = 60;

type QuoteSpan = [number, number];

/**
 * The request tells in words what was tried. An episode is the one when all that any other could have told of itself is
 * told of this one too, something more is, and its last result is among it. A call without its result is no evidence:
 * agents ask whether they should make one.
 */
function byWords(histories: readonly History[], text: string): Match {
  const find = createFinder(text);
  const told = histories.map((history) => ({
    history,
    spans: mergeQuotes(history.steps.flatMap((step) => find(step))),
    isLastTold: history.steps.length > 0 && find(history.steps.at(-1) as HistoryStep).length > 0,
  }));
  const seen = told.filter(({ spans }) => spans.length > 0);
  const winners = seen.filter(
    ({ history, spans, isLastTold }) =>
      isLastTold &&
      told.every((other) => other.history === history || isWithin(other.spans, spans)) &&
      told.every((other) => other.history === history || !isWithin(spans, other.spans)),
  );
  return decideMatch(
    winners.map(({ history }) => history),
    seen.length,
  );
}

/** Rollouts of one task make the same calls, which are the same objects: each is looked for once. */
function createFinder(text: string): (step: HistoryStep) => readonly QuoteSpan[] {
  const known = new Map<HistoryStep, readonly QuoteSpan[]>();
  return (step) => {
    const found = known.get(step) ?? spansOf(text, step);
    known.set(step, found);
    return found;
  };
}

function spansOf(text: string, { tool, args, result }: HistoryStep): QuoteSpan[] {
  const spans: QuoteSpan[] = [];
  for (const at of occurrences(text, tool)) {
    const argsAt = args === '' ? at + tool.length : near(text, args, at + tool.length, ARGUMENTS_GAP);
    if (argsAt === -1) continue;
    const after = argsAt + args.length;
    const end = result === '' ? -1 : endOfResult(text, result, after, RESULT_GAP);
    if (end !== -1) spans.push([at, end]);
  }
  if (result.length >= RESULT_MIN) {
    for (const at of occurrences(text, result.slice(0, RESULT_MIN))) {
      const end = endOfResult(text, result, at, 0);
      if (end !== -1) spans.push([at, end]);
    }
  }
  return spans;
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

function* occurrences(text: string, words: string): Generator<number> {
  if (words === '') return;
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) yield at;
}

/** Where `words` begin, at most `gap` characters on, not inside of longer ones; -1 where they do not. */
function near(text: string, words: string, from: number, gap: number): number {
  const at = text.slice(from, from + gap + words.length).indexOf(words);
  const isWhole = at !== -1 && !isWord(text[from + at + words.length]);
  return isWhole ? from + at : -1;
}

/** The end of a result that begins near, whole or cut off with a mark; -1 where it is another one. */
function endOfResult(text: string, result: string, from: number, gap: number): number {
  const head = result.slice(0, RESULT_MIN);
  const begins = text.slice(from, from + gap + head.length).indexOf(head);
  if (begins === -1) return -1;
  const start = from + begins;
  let length = head.length;
  while (length < result.length && text[start + length] === result[length]) length += 1;
  const rest = text.slice(start + length, start + length + 60);
  if (length === result.length) return isWord(rest[0]) && result.length < CUT_MIN ? -1 : start + length;
  return length >= CUT_MIN && (rest === '' || /^(?:\.{3}|…|\[|\()/.test(rest)) ? start + length : -1;
}

function mergeQuotes(spans: readonly QuoteSpan[]): QuoteSpan[] {
  const sorted = spans.toSorted(([a], [b]) => a - b);
  const all: QuoteSpan[] = [];
  for (const [from, to] of sorted) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** Whether all of the one lies inside of the other. */
const isWithin = (inner: readonly QuoteSpan[], outer: readonly QuoteSpan[]): boolean =>
  inner.every(([from, to]) => outer.some((span) => span[0] <= from && to <= span[1]));
