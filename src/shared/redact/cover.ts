// Covers secrets in what is recorded of one episode, those it was given and those it comes upon, and puts them back where
// the record is read to act on it: what the model reads and what the environment gets are what they would be without any
// redaction.
import { isRecord, tryExactJson } from '../json.ts';
import { once } from '../once.ts';
import { coverAhead, type CoverAnswer, type CoverElsewhere, type CoverRequest } from './ahead.ts';
import { coverAssigned, mayName } from './assigned.ts';
import { createMarks, type ForeignMarks } from './marks.ts';
import { createNameReader } from './names.ts';
import { echoesOf, jsonIn, redactJson, redactText, spellingsOf } from './redact.ts';
import { needlesIn } from './shapes.ts';

export type Cover = {
  /**
   * A copy of a JSON value in which no secret stands: by shape anywhere, by name in the arguments of calls and where a
   * text names it, and those known by now wherever they come up again. The value itself where there is none.
   */
  cover: <T>(value: T) => T;
  /** The same of a value that is arguments as a whole. */
  coverArguments: <T>(value: T) => T;
  /** The same with the secrets back in their places. */
  reveal: <T>(value: T) => T;
  /**
   * Covers values on another thread where they are large, so that `cover` of these very values has it at once. Null where
   * there is nothing to wait for. Never rejects: what is not ready is covered when it is asked for.
   */
  ahead: (values: readonly object[]) => Promise<void> | null;
};

const ARGUMENTS: ReadonlySet<string> = new Set(['arguments', 'args', 'input']);
/** More are covered where a shape or a name tells them, and not wherever else they come up. */
const ECHOES_MAX = 64;
/** In a value with more different secrets, what stands side by side becomes one. */
const SECRETS_MAX = 1_000;
/** In one text there are no more then: those that are closest together become one, which can be put back. */
const STRETCHES_MAX = 4_000;
/** Stands for each character of a secret where it is only looked for. */
const MASK = '\uE000';
const masked = (secret: string): string => MASK.repeat(secret.length);

/** `core`: what stands in every spelling of the secret, and is looked for first. */
type Echo = { secret: string; core: string; spellings: string[] };
function echoOf(secret: string): Echo {
  const runs = secret.split(/[^A-Za-z0-9_.-]+/).toSorted((a, b) => b.length - a.length);
  return { secret, core: runs[0] ?? '', spellings: [...spellingsOf(secret)] };
}

/** Finds secrets that are known by now, in every spelling. */
function createEchoes(markOf: (spelt: string, secret: string) => string, most = ECHOES_MAX) {
  let echoes: Echo[] = [];
  return {
    count: (): number => echoes.length,
    state: () => ({ echoes: echoes.map(({ secret }) => secret), most }),
    isFull: (): boolean => echoes.length >= most,
    add: (secrets: readonly string[], isGiven = false): void => {
      const fresh = secrets.filter((one) => !echoes.some(({ secret }) => secret === one));
      if (isGiven) most += fresh.length;
      const added = fresh.slice(0, Math.max(0, most - echoes.length));
      const all = [...echoes, ...added.map(echoOf)];
      echoes = all.toSorted((a, b) => b.secret.length - a.secret.length);
    },
    cover: (text: string): string => {
      let clean = text;
      for (const { secret, core, spellings } of echoes) {
        if (!clean.includes(core)) continue;
        for (const spelt of spellings)
          if (clean.includes(spelt)) clean = clean.replaceAll(spelt, markOf(spelt, secret));
      }
      return clean;
    },
  };
}

/** Covers the texts of one value after another: what stands in each by its shape or a name, up to a number of secrets. */
function createTextCover(marks: ReturnType<typeof createMarks>, echoes: ReturnType<typeof createEchoes>) {
  /** How many secrets the value at hand had so far. */
  let found = 0;
  const learnIn =
    (isJson: () => boolean) =>
    (secret: string): string => {
      if (marks.has(secret)) return marks.markOf(secret);
      found += 1;
      marks.heedForeign();
      const value = secret.includes('\\') && isJson() ? unescaped(secret) : secret;
      if (!echoes.isFull()) echoes.add(echoesOf([value]));
      return marks.markOf(secret, value);
    };
  const coverText = (text: string): string => {
    if (found > SECRETS_MAX) return coverMany(text);
    const isJson = once(() => jsonIn(text) !== undefined);
    const learn = (secret: string): string => {
      if (found > SECRETS_MAX) throw new TooMany();
      return learnIn(isJson)(secret);
    };
    try {
      return coverAssigned(redactText(echoes.cover(text), learn), learn);
    } catch (thrown) {
      if (!(thrown instanceof TooMany)) throw thrown;
      return coverMany(text);
    }
  };
  /** Where there are too many to tell one by one. A text of JSON stays one, for whoever reads its fields. */
  const coverMany = (text: string): string => {
    if (!mayHold(text)) return text;
    const value = jsonIn(text);
    if (value === undefined || hasSecretKey(value))
      return coverStretches(
        text,
        learnIn(() => false),
      );
    const isName = createNameReader();
    const mark = (one: string): string => marks.markOf(JSON.stringify(one).slice(1, -1), one);
    const clean = mapTexts(
      value,
      (one) => (mayHold(one) ? coverStretches(one, mark) : one),
      (key, one) => (typeof one === 'string' && one !== '' && isName(key) ? mark(one) : undefined),
    );
    return JSON.stringify(clean);
  };
  /** What lies between the secrets stays. */
  const coverStretches = (text: string, mark: (stretch: string) => string): string => {
    let clean = '';
    let end = 0;
    for (const [from, to] of secretStretches(text, echoes.state().echoes)) {
      clean += text.slice(end, from) + mark(text.slice(from, to));
      end = to;
    }
    return clean + text.slice(end);
  };
  const startOver = (): void => {
    found = 0;
  };
  return { learnIn, coverText, startOver };
}

/**
 * `foreign` is asked for once, when there is something to cover that was not given. Without `elsewhere` everything is
 * covered here.
 */
export function createCover(
  secrets: readonly string[],
  foreign: () => ForeignMarks = () => ({ taken: new Set(), isShared: false }),
  elsewhere: CoverElsewhere | null = null,
): Cover {
  const marks = createMarks(foreign);
  const echoes = createEchoes(marks.markOf);
  const given = echoesOf(secrets);
  echoes.add(given, true);
  for (const secret of given) marks.markOf(secret);
  const here = coverWith({ marks, echoes });
  return elsewhere === null
    ? { ...here, ahead: () => null }
    : { ...here, ...coverAhead(here.cover, { marks, echoes }, elsewhere) };
}

/** The other thread's part. */
export function answerCover({ values, marks: before, echoes: known, most }: CoverRequest): CoverAnswer {
  const marks = createMarks(() => before.foreign, before);
  const echoes = createEchoes(marks.markOf, most);
  echoes.add(known);
  const { cover } = coverWith({ marks, echoes });
  const covered = values.map((value) => {
    const clean = cover(value);
    return clean === value ? null : clean;
  });
  return { covered, given: marks.given(), counts: marks.counts(), echoes: echoes.state().echoes };
}

function coverWith({
  marks,
  echoes,
}: {
  marks: ReturnType<typeof createMarks>;
  echoes: ReturnType<typeof createEchoes>;
}) {
  const { learnIn, coverText, startOver } = createTextCover(marks, echoes);
  const named = (value: unknown): unknown => {
    const covered = redactJson(
      value,
      learnIn(() => false),
    );
    noteNumbers(value, covered, marks.noteNumber);
    return covered;
  };
  /** Arguments as a text: every byte beside the secrets stays, unless one is a word that only its name tells. */
  const coverJsonText = (text: string): string => {
    const value = jsonIn(text);
    if (value === undefined) return coverText(text);
    const isNamed = named(value) !== value;
    const covered = coverText(text);
    if (covered === text && !isNamed) return text;
    const left = tryExactJson(covered);
    const clean = named(left);
    return clean === left ? covered : coverText(JSON.stringify(clean));
  };
  const coverArguments = (value: unknown): unknown =>
    typeof value === 'string' ? coverJsonText(value) : coverAll(named(value));
  let isClean: (text: string) => boolean = () => false;
  const coverAll = (value: unknown): unknown =>
    mapTexts(
      value,
      (text) => (isClean(text) ? text : coverText(text)),
      (key, one) =>
        ARGUMENTS.has(key) && (isRecord(one) || typeof one === 'string') ? coverArguments(one) : undefined,
    );
  /** What is found on the way may stand in what was looked at before. */
  const withLearnt = (value: unknown, change: (value: unknown) => unknown): unknown => {
    const before = echoes.count();
    startOver();
    const covered = change(value);
    return echoes.count() === before ? covered : mapTexts(covered, echoes.cover);
  };
  return {
    cover: <T>(value: T, known: (text: string) => boolean = () => false) => {
      isClean = known;
      return withLearnt(value, coverAll) as T;
    },
    coverArguments: <T>(value: T) => withLearnt(value, coverArguments) as T,
    reveal: <T>(value: T) => mapTexts(value, marks.reveal) as T,
  };
}

const MASKS = new RegExp(`${MASK}+`, 'g');

/** The secrets in a text; those that are closest together are one where there would be too many. */
function secretStretches(text: string, known: readonly string[]): [from: number, to: number][] {
  const echoes = createEchoes(masked, Infinity);
  echoes.add(known);
  const clean = coverAssigned(redactText(echoes.cover(text), masked), masked);
  const all = [...clean.matchAll(MASKS)].map(({ 0: one, index }) => ({
    from: index,
    to: index + one.length,
  }));
  const gaps = all.slice(1).map(({ from }, n) => ({ n: n + 1, length: from - (all[n]?.to ?? 0) }));
  const shortest = gaps
    .toSorted((a, b) => a.length - b.length)
    .slice(0, Math.max(0, all.length - STRETCHES_MAX));
  const isJoined = new Set(shortest.map(({ n }) => n));
  const stretches: [number, number][] = [];
  for (const [n, { from, to }] of all.entries()) {
    const last = stretches.at(-1);
    if (last !== undefined && isJoined.has(n)) last[1] = to;
    else stretches.push([from, to]);
  }
  return stretches;
}

/** Ends the search for single secrets in a text. */
class TooMany extends Error {}

/** True if a text is worth a closer look. */
const mayHold = (text: string): boolean =>
  mayName(text) || text.includes('://') || /[?&#]/.test(text) || needlesIn(text).size > 0;

/** Keys stay as they are, unless one may be a secret itself. */
const hasSecretKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([key, one]) => (key.length >= 16 && needlesIn(key).size > 0) || hasSecretKey(one),
  );

/** Tells of every number that a mark took the place of. */
function noteNumbers(before: unknown, after: unknown, note: (mark: string, value: number) => void): void {
  if (before === after) return;
  if (typeof before === 'number' && typeof after === 'string') note(after, before);
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return;
  for (const [key, one] of Object.entries(before))
    noteNumbers(one, (after as Record<string, unknown>)[key], note);
}

function unescaped(secret: string): string {
  const value = secret.includes('\\') ? tryExactJson(`"${secret}"`) : secret;
  return typeof value === 'string' ? value : secret;
}

/**
 * A copy with every text in it changed; what nothing changes in is the very value. `field` changes what stands under a
 * key as a whole, unless it gives undefined.
 */
function mapTexts(
  value: unknown,
  change: (text: string) => unknown,
  field: (key: string, value: unknown) => unknown = () => undefined,
): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((one: unknown) => mapTexts(one, change, field));
    return list.some((one, at) => one !== value[at]) ? list : value;
  }
  const entries = Object.entries(value).map(
    ([key, one]) => [key, field(key, one) ?? mapTexts(one, change, field)] as const,
  );
  const isChanged = entries.some(([key, one]) => one !== (value as Record<string, unknown>)[key]);
  return isChanged ? Object.fromEntries(entries) : value;
}
