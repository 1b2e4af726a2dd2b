// Taking events into the search index, in the background: small batches off the append path, where it stopped kept
// beside them, so that a restart goes on and nothing is taken in twice.
import type { SearchProgress } from '../../shared/contract/library.ts';
import type { Text } from '../../shared/events/text.ts';
import { KINDS, LogEvent, type Kind } from '../../shared/events/vocabulary.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';
import { createMarks } from './sourceMarks.ts';
import type { EventLog } from './eventLog.ts';
import { createSearch, partOf, PARTS, partCount, joinedText, type Search } from './search.ts';
import { searchTexts } from './searchTexts.ts';
import { spaceUnspaced } from './searchWords.ts';

export type SearchIndex = {
  progress(): SearchProgress;
  /** Takes in one batch; whether there may be more. */
  step(): boolean;
  /** Takes in everything there is now. */
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

type IndexRow = { seq: number; body: string; kind?: string };
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
  const next = db.prepare<[number, number], Required<Omit<IndexRow, 'body'>>>(
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
        : take({ seq, kind, body: bodyOf.get(seq) ?? '' }, isSame ? place % PARTS : 0, room);
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
    const { seq, kind, body } = row;
    const after = (seq + 1) * PARTS;
    if (kind !== undefined && isWordless(kind)) return after;
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
