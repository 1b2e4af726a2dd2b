// Covering large values on another thread before they are asked for, so that the thread of the log only holds them.
import type { createMarks, GivenMark, MarkState } from './marks.ts';

/** Covers values on another thread; rejects where that cannot be. */
export type CoverElsewhere = (asked: CoverRequest) => Promise<CoverAnswer>;
export type CoverRequest = {
  values: readonly object[];
  marks: MarkState;
  echoes: readonly string[];
  most: number;
};
export type CoverAnswer = {
  /** Null for a value in which nothing was covered. */
  covered: readonly (object | null)[];
  given: readonly GivenMark[];
  counts: ReadonlyMap<string, number>;
  echoes: readonly string[];
};

type Known = {
  marks: ReturnType<typeof createMarks>;
  echoes: {
    count(): number;
    state(): Pick<CoverRequest, 'echoes' | 'most'>;
    add(secrets: readonly string[]): void;
  };
};

/** Values of more characters are covered, and more bytes parsed, on another thread. */
export const LARGE = 256 * 1024;
const LONG = LARGE / 4;
/** Begun anew so often where something else was learnt meanwhile. */
const TRIES = 3;

/** `cover` with what was covered ahead of it; `here` covers on this thread, but for texts that are clean. */
export function coverAhead(
  here: <T>(value: T, isClean?: (text: string) => boolean) => T,
  { marks, echoes }: Known,
  elsewhere: CoverElsewhere,
) {
  const ready = new Map<unknown, unknown>();
  /** Long texts of the value that was ready last: it is covered again with the event that is made of it. */
  const clean = new Set<string>();
  let readyAt = '';
  /** What another value taught changes how a text is covered. */
  const version = (): string => `${String(marks.count())} ${String(echoes.count())}`;
  const prepare = async (values: readonly object[]): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const asked = version();
      const answer = await elsewhere({ values, marks: marks.state(), ...echoes.state() });
      if (asked !== version()) continue;
      marks.adopt(answer.given, answer.counts);
      echoes.add(answer.echoes);
      if (readyAt !== asked) ready.clear();
      clean.clear();
      values.forEach((value, at) => ready.set(value, answer.covered[at] ?? value));
      readyAt = version();
      return;
    }
  };
  const withoutClean = <T>(value: T): T => {
    let isMet = false;
    const covered = here(value, (text) => {
      const isKnown = clean.has(text);
      isMet ||= isKnown;
      return isKnown;
    });
    if (isMet) clean.clear();
    return covered;
  };
  let before: Promise<void> = Promise.resolve();
  let pending = 0;
  return {
    cover: <T>(value: T): T => {
      const isCurrent = readyAt === version();
      if (!ready.has(value) || !isCurrent)
        return clean.size > 0 && isCurrent ? withoutClean(value) : here(value);
      const covered = ready.get(value) as T;
      ready.delete(value);
      collectLong(covered, clean);
      return covered;
    },
    ahead: (values: readonly object[]): Promise<void> | null => {
      // What is small does not overtake what is large.
      if (sizeOf(values) <= LARGE) return pending === 0 ? null : before;
      pending += 1;
      before = before
        .then(() => prepare(values))
        .catch(() => undefined)
        .finally(() => (pending -= 1));
      return before;
    },
  };
}

function collectLong(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' && value.length > LONG) into.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const one of Object.values(value)) collectLong(one, into);
}

/** About how many characters a value has as JSON, counted until it is large. */
export function sizeOf(value: unknown, before = 0): number {
  if (value instanceof Uint8Array) return before + value.byteLength;
  if (typeof value === 'string') return before + value.length;
  if (typeof value !== 'object' || value === null) return before + 1;
  let size = before;
  for (const one of Object.values(value)) {
    size = sizeOf(one, size + 1);
    if (size > LARGE) break;
  }
  return size;
}
