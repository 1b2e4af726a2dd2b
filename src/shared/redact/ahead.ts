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

/** What a cover knows of its secrets. */
type Known = {
  marks: ReturnType<typeof createMarks>;
  echoes: {
    count(): number;
    state(): Pick<CoverRequest, 'echoes' | 'most'>;
    add(secrets: readonly string[]): void;
  };
};

/** Values of more characters are covered on another thread. */
const LARGE = 1024 * 1024;
/** Begun anew so often where something else was learnt meanwhile. */
const TRIES = 3;

/** `cover` with what was covered ahead of it; `here` covers on this thread. */
export function coverAhead(here: <T>(value: T) => T, { marks, echoes }: Known, elsewhere: CoverElsewhere) {
  const ready = new Map<unknown, unknown>();
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
      values.forEach((value, at) => ready.set(value, answer.covered[at] ?? value));
      readyAt = version();
      return;
    }
  };
  let before: Promise<unknown> = Promise.resolve();
  return {
    cover: <T>(value: T): T => {
      if (!ready.has(value)) return here(value);
      const covered = ready.get(value);
      ready.delete(value);
      return readyAt === version() ? (covered as T) : here(value);
    },
    ahead: (values: readonly object[]): Promise<void> | null => {
      if (sizeOf(values) <= LARGE) return null;
      const done = before.then(() => prepare(values)).catch(() => undefined);
      before = done;
      return done;
    },
  };
}

/** About how many characters a value has as JSON, counted until it is large. */
function sizeOf(value: unknown, before = 0): number {
  if (typeof value === 'string') return before + value.length;
  if (typeof value !== 'object' || value === null) return before + 1;
  let size = before;
  for (const one of Object.values(value)) {
    size = sizeOf(one, size + 1);
    if (size > LARGE) break;
  }
  return size;
}
