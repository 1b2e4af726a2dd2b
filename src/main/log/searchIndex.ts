// Taking events into the search index, in the background: small batches off the append path, where it stopped kept
// beside them, so that a restart goes on and nothing is taken in twice.
import type { SearchProgress } from '../../shared/contract/library.ts';
import type { HitKind } from '../../shared/events/kind.ts';
import { escapeRegExp } from '../../shared/escapeRegExp.ts';
import { searched, type SearchTexts } from '../../shared/events/kind.ts';
import type { Text } from '../../shared/events/text.ts';
import { type Kind, KINDS, LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';
import type { EventLog } from './eventLog.ts';
import { createMarks } from './sourceMarks.ts';

export type SearchIndex = {
  progress(): SearchProgress;
  /** Takes in one batch; whether there may be more. */
  step(): boolean;
  catchUp(): void;
  close(): void;
};

export type Searching = { search: Search; searchIndex: SearchIndex };
type SearchIndexEdges = Pick<SearchIndexDependencies, 'schedule' | 'report'>;

/** Search over a log, and its index, which begins to take in what is new. */
export function openSearch(db: Database, log: EventLog, { schedule, report }: SearchIndexEdges): Searching {
  const loadText = (text: Text): string => log.texts.loadText(text);
  const marks = createMarks(db);
  // An index that calls other things words is made anew, in the background as ever.
  if (marks.read(FORM_MARK) !== FORM)
    db.transaction(() => {
      clearSearch(db);
      marks.write({ name: FORM_MARK, value: FORM });
    }).immediate();
  return {
    search: createSearch(db, (stream, after, limit) => log.read(stream, after, limit), loadText),
    searchIndex: createSearchIndex({
      db,
      loadText,
      subscribe: (listener) => log.subscribe(listener),
      schedule,
      report,
      isBusy: () => log.importing.isBusy(),
    }),
  };
}

type SearchIndexDependencies = {
  db: Database;
  loadText: (text: Text) => string;
  /** Hears of every commit; returns its undo. */
  subscribe: (listener: () => void) => () => void;
  schedule: (delayMs: number, run: () => void) => () => void;
  report: (thrown: unknown) => void;
  /** While much comes in the index waits: it follows. */
  isBusy?: () => boolean;
};

/** A batch ends with whichever comes first: the log waits for it, a few milliseconds, more when SQLite merges. */
const BATCH_EVENTS = 400;
const BATCH_CHARS = 262_144;
/** Nor does it go on for longer than this, however slow the machine is. */
const BATCH_MS = 8;
/** Between batches while there is much to do, and before the first after news. */
const BATCH_PAUSE_MS = 12;
const COMMIT_DELAY_MS = 150;
const INDEX_RETRY_MS = 5_000;
const BUSY_MS = 500;
const SEARCH_MARK = 'search';
/** Raise it when `spread` changes. */
const FORM_MARK = 'search_form';
const FORM = 1;

type IndexRow = { seq: number; body: string };
type Room = { chars: number; until: number };

function createSearchIndex({
  db,
  loadText,
  subscribe,
  schedule,
  report,
  isBusy,
}: SearchIndexDependencies): SearchIndex {
  const step = createStep(db, loadText);
  const marks = createMarks(db);
  const last = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM events');
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const arm = (delayMs: number): void => {
    if (isClosed) return;
    cancel ??= schedule(delayMs, run);
  };
  const run = (): void => {
    cancel = null;
    if (isBusy?.() === true) return arm(BUSY_MS);
    try {
      if (step()) arm(BATCH_PAUSE_MS);
    } catch (thrown) {
      // The log goes on without it; what was not taken in is taken in later.
      report(thrown);
      arm(INDEX_RETRY_MS);
    }
  };
  const unsubscribe = subscribe(() => arm(COMMIT_DELAY_MS));
  arm(COMMIT_DELAY_MS);
  return {
    progress: () => {
      const total = last.get()?.seq ?? 0;
      return { indexed: Math.min(total, Math.floor(marks.read(SEARCH_MARK) / PARTS)), total };
    },
    step,
    catchUp: () => {
      while (step());
    },
    close: () => {
      isClosed = true;
      unsubscribe();
      cancel?.();
    },
  };
}

/** Forgets every word; the index is made anew from what the log holds now. Call it when texts were taken out. */
export function clearSearch(db: Database): void {
  db.exec(`INSERT INTO search_words (search_words) VALUES ('delete-all')`);
  createMarks(db).write({ name: SEARCH_MARK, value: 0 });
}

/** Forgets what stands at a place of the log or after it; it is taken in anew. */
export function forgetFrom(db: Database, seq: number): void {
  const marks = createMarks(db);
  if (marks.read(SEARCH_MARK) <= seq * PARTS) return;
  db.prepare('DELETE FROM search_words WHERE rowid >= ?').run(seq * PARTS);
  marks.write({ name: SEARCH_MARK, value: seq * PARTS });
}

/** Takes in events that are back in the log; those that the index has not come to yet it takes in by itself. */
export function takeWords(db: Database, rows: readonly IndexRow[], loadText: (text: Text) => string): void {
  const mark = createMarks(db).read(SEARCH_MARK);
  const take = createTake(db, loadText);
  for (const row of rows)
    if ((row.seq + 1) * PARTS <= mark) take(row, 0, { chars: Infinity, until: Infinity });
}

/**
 * The mark is the first place not yet taken in: `seq * PARTS + part`, or the end of the last event. Bodies are read one
 * by one: of events of a MiB each a batch takes in a part of the first.
 */
function createStep(db: Database, loadText: (text: Text) => string): () => boolean {
  const marks = createMarks(db);
  const take = createTake(db, loadText);
  const next = db.prepare<[number, number], { seq: number; kind: string }>(
    'SELECT seq, kind FROM events WHERE seq >= ? ORDER BY seq LIMIT ?',
  );
  const bodyOf = db.prepare<[number], string>('SELECT body FROM events WHERE seq = ?').pluck();
  const batch = db.transaction((): boolean => {
    let isCut = false;
    let place = marks.read(SEARCH_MARK);
    const rows = next.all(Math.floor(place / PARTS), BATCH_EVENTS);
    const room = { chars: BATCH_CHARS, until: performance.now() + BATCH_MS };
    for (const { seq, kind } of rows) {
      isCut = room.chars <= 0 || (seq !== rows[0]?.seq && performance.now() > room.until);
      if (isCut) break;
      const isSame = Math.floor(place / PARTS) === seq;
      place = isWordless(kind)
        ? (seq + 1) * PARTS
        : take({ seq, body: bodyOf.get(seq) ?? '' }, isSame ? place % PARTS : 0, room);
    }
    if (rows.length > 0) marks.write({ name: SEARCH_MARK, value: place });
    // The last of them may have had more words than there was room for.
    return isCut || place % PARTS !== 0 || room.chars <= 0 || rows.length === BATCH_EVENTS;
  });
  return () => batch.immediate();
}

/** Most events of a crowd have no words of their own: they are not even read. */
const isWordless = (kind: string): boolean =>
  Object.hasOwn(KINDS, kind) && KINDS[kind as Kind].search === null;

/** Takes in stretches of one event while there is room, one at least; the place after the last. */
function createTake(db: Database, loadText: (text: Text) => string) {
  const insert = db.prepare('INSERT INTO search_words (rowid, kind, text) VALUES (?, ?, ?)');
  /** The last event that had more words than there was room for: it is read once, not once a stretch. */
  let unfinished: { seq: number; body: string; kind: string; text: string } | null = null;
  const read = ({ seq, body }: IndexRow): { kind: string; text: string } | null => {
    if (unfinished?.seq === seq && unfinished.body === body) return unfinished;
    const parsed = LogEvent.safeParse(parseJson(body));
    const found = parsed.success ? searchTexts(parsed.data) : null;
    return found === null ? null : { kind: found.kind, text: joinedText(found.texts, loadText) };
  };
  return (row: IndexRow, fromPart: number, room: Room): number => {
    const { seq, body } = row;
    const after = (seq + 1) * PARTS;
    const found = read(row);
    unfinished = null;
    if (found === null) return after;
    const count = partCount(found.text);
    for (let part = fromPart; part < count; part += 1) {
      const isFull = room.chars <= 0 || performance.now() > room.until;
      if (part > fromPart && isFull) {
        unfinished = { seq, body, ...found };
        return seq * PARTS + part;
      }
      const words = spaceUnspaced(partOf(found.text, part));
      insert.run(seq * PARTS + part, found.kind, words);
      room.chars -= words.length;
    }
    return after;
  };
}

// The texts of an event that a search looks through, and the kind of hit they are.
export function searchTexts(event: LogEvent): SearchTexts | null {
  const { search } = KINDS[event.kind];
  if (search === null) return null;
  const fields: Record<string, unknown> = event;
  if (typeof search === 'function') return search(fields);
  const [kind, ...names] = search;
  return searched(
    kind,
    names.map((name) => fields[name] as Text | null),
  );
}

/** A long text is indexed in stretches, each a row: `place` is `seq * PARTS + part`. */
const PARTS = 4096;
const PART_LENGTH = 262_144;

export type FoundText = { place: number; seq: number; kind: HitKind; recorded: Recorded; text: string };
type SearchQuery = {
  query: string;
  kinds: readonly HitKind[];
  before: number | null;
  limit: number;
};
export type Search = {
  find(query: SearchQuery): { found: FoundText[]; hasMore: boolean; isPrefix: boolean };
};

type SearchRow = { stream: string; n: number };

function createSearch(
  db: Database,
  read: (stream: string, after: number, limit: number) => Recorded[],
  loadText: (text: Text) => string,
): Search {
  const select = db.prepare<[string, number, number], { place: number }>(
    `SELECT rowid AS place FROM search_words WHERE search_words MATCH ? AND rowid < ?
     ORDER BY rowid DESC LIMIT ?`,
  );
  const where = db.prepare<[number], SearchRow>('SELECT stream, n FROM events WHERE seq = ?');
  const at = (place: number): FoundText[] => {
    const seq = Math.floor(place / PARTS);
    const row = where.get(seq);
    const [recorded] = row === undefined ? [] : read(row.stream, row.n - 1, 1);
    const texts = recorded === undefined ? null : searchTexts(recorded.event);
    if (recorded === undefined || texts === null) return [];
    const text = partOf(joinedText(texts.texts, loadText), place % PARTS);
    return [{ place, seq, kind: texts.kind, recorded, text }];
  };
  return {
    find: ({ query, kinds, before, limit }) => {
      const words = phrasesOf(query);
      if (words.length === 0) return { found: [], hasMore: false, isPrefix: false };
      const run = (isPrefix: boolean): number[] =>
        select
          .all(matchOf(words, kinds, isPrefix), before ?? Number.MAX_SAFE_INTEGER, limit + 1)
          .map(({ place }) => place);
      const exact = run(false);
      const isPrefix = exact.length === 0 && before === null && mayBePrefix(words);
      const places = isPrefix ? run(true) : exact;
      const found = places.slice(0, limit).flatMap(at);
      return { found, hasMore: places.length > limit, isPrefix: isPrefix && found.length > 0 };
    },
  };
}

/** All texts of an event as one, and its stretches. */
const joinedText = (texts: readonly Text[], loadText: (text: Text) => string): string =>
  texts.map(loadText).join('\n');
const partCount = (text: string): number => Math.min(PARTS, Math.ceil(text.length / PART_LENGTH));
/** Stretches overlap, so that a phrase across a border is in one of them. */
const OVERLAP = 256;
const partOf = (text: string, part: number): string =>
  text.slice(Math.max(0, part * PART_LENGTH - OVERLAP), (part + 1) * PART_LENGTH);

function matchOf(phrases: readonly Phrase[], kinds: readonly HitKind[], isLastPrefix: boolean): string {
  const words = phrases.map(
    ({ words: phrase, isPrefix }, index) =>
      `"${phrase.join(' ')}"${isPrefix || (isLastPrefix && index === phrases.length - 1) ? ' *' : ''}`,
  );
  const text = `text : (${words.join(' AND ')})`;
  return kinds.length === 0 ? text : `kind : (${kinds.map((kind) => `"${kind}"`).join(' OR ')}) AND ${text}`;
}

const BEFORE = 60;
const AFTER = 180;

/** Some of a text around the first of the words, on one line, and where they stand in it. */
export function snippetOf(text: string, query: string): { snippet: string; marks: [number, number][] } {
  const phrases = phrasesOf(query).map(({ words }) => matchPattern(words));
  if (phrases.length === 0) return { snippet: singleLine(text.slice(0, BEFORE + AFTER)), marks: [] };
  const pattern = new RegExp(phrases.join('|'), 'giu');
  const first = text.search(pattern);
  const start = first === -1 ? 0 : wordStart(text, Math.max(0, first - BEFORE));
  const end = Math.min(text.length, Math.max(first, 0) + AFTER);
  const cut = singleLine(text.slice(start, end));
  const snippet = `${start > 0 ? '… ' : ''}${cut}${end < text.length ? ' …' : ''}`;
  const marks = [...snippet.matchAll(pattern)].map(({ index, 0: word }): [number, number] => [
    index,
    index + word.length,
  ]);
  return { snippet, marks };
}

const singleLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const wordStart = (text: string, at: number): number => {
  const space = text.slice(at, at + 20).search(/\s/);
  return at === 0 || space === -1 ? at : at + space;
};

// The words of texts that are taken in and looked for. Scripts written without spaces have no words that could be told:
// each of their letters is a word of its own, and what is looked for is found as letters that stand together.
const UNSPACED_LETTER =
  /(?=\p{L})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;
const HAS_UNSPACED =
  /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8ff]/;

const spaceUnspaced = (text: string): string =>
  HAS_UNSPACED.test(text) ? text.replace(UNSPACED_LETTER, ' $& ') : text;

/** True if a word is a letter of a script without spaces. */
const isUnspaced = (word: string): boolean => spaceUnspaced(word) !== word;

type Phrase = { words: string[]; isPrefix: boolean };

/** Words to look for, each a phrase of what the index calls words; a quoted stretch is one phrase. */
export function phrasesOf(query: string): Phrase[] {
  const pieces = query.match(/"[^"]*"|\S+/g) ?? [];
  return pieces.flatMap((piece) => {
    const words = spaceUnspaced(piece).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
    return words.length === 0 ? [] : [{ words, isPrefix: piece.endsWith('*') }];
  });
}

/** Beginnings shorter than this stand for too much. */
const SHORTEST_PREFIX = 3;

function mayBePrefix(phrases: readonly Phrase[]): boolean {
  const last = phrases.at(-1);
  return last !== undefined && !last.isPrefix && (last.words.at(-1) ?? '').length >= SHORTEST_PREFIX;
}

/** A phrase where it stands in a text as it was written, not inside of a longer word. */
const matchPattern = (words: readonly string[]): string =>
  words
    .map((word, index) => {
      const before = words[index - 1];
      const isFree = isUnspaced(word) || (before !== undefined && isUnspaced(before));
      const gap = before === undefined ? '' : `[^\\p{L}\\p{N}]${isFree ? '*' : '+'}`;
      const border = before === undefined && !isUnspaced(word) ? BORDER : '';
      return `${border}${gap}${escapeRegExp(word)}`;
    })
    .join('');
// A short word must not be marked inside a longer one, but a beginning may be what was asked for.
const BORDER = `(?<![\\p{L}\\p{N}])`;
