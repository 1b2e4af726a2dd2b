// Finding words anywhere in the log, newest first: what is asked for, and what of a text is shown around it. The
// index holds words only (contentless): the texts stay where they are, so that what is erased there is gone.
import type { HitKind } from '../../shared/contract/library.ts';
import type { Text } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';
import { searchTexts } from './searchTexts.ts';
import { mayBePrefix, matchPattern, phrasesOf, type Phrase } from './searchWords.ts';

/** A long text is indexed in stretches, each a row: `place` is `seq * PARTS + part`. */
export const PARTS = 4096;
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

export function createSearch(
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
export const joinedText = (texts: readonly Text[], loadText: (text: Text) => string): string =>
  texts.map(loadText).join('\n');
export const partCount = (text: string): number => Math.min(PARTS, Math.ceil(text.length / PART_LENGTH));
/** Stretches overlap, so that a phrase across a border is in one of them. */
const OVERLAP = 256;
export const partOf = (text: string, part: number): string =>
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
