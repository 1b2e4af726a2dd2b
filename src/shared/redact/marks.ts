// The marks that stand in a record in place of secrets, each for one, and what stands behind them.
import { once } from '../once.ts';
import { jsonIn, redactedOf } from './redact.ts';

/** More have marks of no number, and cannot be put back. */
const MARKS_MAX = 10_000;

/** Marks in a record that are not this cover's own. */
export type ForeignMarks = {
  /** For secrets that nobody knows any more. */
  taken: ReadonlySet<string>;
  /** Another process covers the same record: marks of this one are told apart by a 0. */
  isShared: boolean;
};

/** The secret of a mark: its spelling in the texts where the mark stands, and its value. */
type Covered = { spelt: string; value: string | number };

/** State for another thread to go on giving marks; of long texts it is not known there that they have one. */
export type MarkState = {
  marks: ReadonlyMap<string, string>;
  counts: ReadonlyMap<string, number>;
  foreign: ForeignMarks;
};
export type GivenMark = { mark: string; key: string | null } & Covered;

const SENT_MAX = 16_384;
const ANY_MARK = /\[redacted(?::\d+)+\]/g;

/** The place of a mark with the quotes around it, where both are there: a number had none. */
function withQuotes(text: string, start: number, end: number): [start: number, end: number] {
  const [open = ''] = /\\{0,16}"$/.exec(text.slice(Math.max(0, start - 17), start)) ?? [];
  return open !== '' && text.startsWith(open, end) ? [start - open.length, end + open.length] : [start, end];
}

/** The text with what stands behind each mark, as it is spelt in such a text or as it is. */
function withSecrets(
  text: string,
  secretsByMark: ReadonlyMap<string, Covered>,
  isSpelt: () => boolean,
): string {
  let clean = '';
  let from = 0;
  for (const { 0: found, index } of text.includes('[redacted:') ? text.matchAll(ANY_MARK) : []) {
    const covered = secretsByMark.get(found);
    if (covered === undefined) continue;
    const [start, end] =
      typeof covered.value === 'number'
        ? withQuotes(text, index, index + found.length)
        : [index, index + found.length];
    clean += `${text.slice(from, start)}${covered.spelt !== covered.value && isSpelt() ? covered.spelt : String(covered.value)}`;
    from = end;
  }
  return from === 0 ? text : clean + text.slice(from);
}

/** `[redacted:24]`, or `[redacted:24:2]` for the second secret of that length. */
function freeMark(length: string, counts: Map<string, number>, isFree: (mark: string) => boolean): string {
  for (let n = (counts.get(length) ?? 0) + 1; ; n += 1) {
    const mark = n === 1 ? `[redacted:${length}]` : `[redacted:${length}:${String(n)}]`;
    if (!isFree(mark)) continue;
    counts.set(length, n);
    return mark;
  }
}

/** Gives marks, and says what stands behind each. `before`: goes on from what another thread had given. */
export function createMarks(foreign: () => ForeignMarks, before: MarkState | null = null) {
  const marks = new Map(before?.marks);
  const secretsByMark = new Map<string, Covered>();
  const counts = new Map(before?.counts);
  const given: GivenMark[] = [];
  let known: ForeignMarks | null = before?.foreign ?? null;
  const note = (mark: string, key: string | null, { spelt, value }: Covered): void => {
    if (key !== null) marks.set(key, mark);
    // What was covered within it before comes back with it.
    const text = typeof value === 'number' ? value : putBack(value, () => false);
    secretsByMark.set(mark, { spelt: putBack(spelt, () => true), value: text });
    if (before !== null) given.push({ mark, key, spelt, value });
  };
  const isFree = (mark: string): boolean => !secretsByMark.has(mark) && known?.taken.has(mark) !== true;
  const putBack = (text: string, isSpelt: () => boolean): string => withSecrets(text, secretsByMark, isSpelt);
  return {
    has: (spelt: string): boolean => marks.has(spelt),
    /** From now on no mark is given that stands in the record for something else. */
    heedForeign: (): void => {
      known ??= foreign();
    },
    /** The mark of a secret, or of one as it is spelt in texts of JSON. */
    markOf: (spelt: string, value: string = spelt): string => {
      const there = marks.get(spelt);
      if (there !== undefined) return there;
      if (marks.size >= MARKS_MAX) return redactedOf(spelt);
      const mark = freeMark(`${String(spelt.length)}${known?.isShared === true ? ':0' : ''}`, counts, isFree);
      note(mark, spelt, { spelt, value });
      return mark;
    },
    noteNumber: (mark: string, value: number): void => note(mark, null, { spelt: String(value), value }),
    count: (): number => marks.size,
    state: (): MarkState => ({
      marks: new Map([...marks].filter(([spelt]) => spelt.length <= SENT_MAX)),
      counts: new Map(counts),
      foreign: {
        taken: new Set([...secretsByMark.keys(), ...(known ??= foreign()).taken]),
        isShared: known.isShared,
      },
    }),
    given: (): GivenMark[] => given,
    adopt: (all: readonly GivenMark[], newest: ReadonlyMap<string, number>): void => {
      for (const { mark, key, ...covered } of all) note(mark, key, covered);
      for (const [length, n] of newest) counts.set(length, n);
    },
    counts: (): ReadonlyMap<string, number> => counts,
    reveal: (text: string): unknown =>
      text.includes('[redacted:')
        ? (secretsByMark.get(text)?.value ??
          putBack(
            text,
            once(() => jsonIn(text) !== undefined),
          ))
        : text,
  };
}
