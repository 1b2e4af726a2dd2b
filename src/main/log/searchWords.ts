// What a word is when texts are taken in and looked for. Scripts written without spaces have no words that could be
// told: each of their letters is a word of its own, and what is looked for is found as letters that stand together.
import { escapeRegExp } from '../../shared/escapeRegExp.ts';

const UNSPACED_LETTER =
  /(?=\p{L})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;
const HAS_UNSPACED =
  /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud8ff]/;

export const spaceUnspaced = (text: string): string =>
  HAS_UNSPACED.test(text) ? text.replace(UNSPACED_LETTER, ' $& ') : text;

/** Whether a word is a letter of a script without spaces. */
const isUnspaced = (word: string): boolean => spaceUnspaced(word) !== word;

export type Phrase = { words: string[]; isPrefix: boolean };

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

export function mayBePrefix(phrases: readonly Phrase[]): boolean {
  const last = phrases.at(-1);
  return last !== undefined && !last.isPrefix && (last.words.at(-1) ?? '').length >= SHORTEST_PREFIX;
}

/** A phrase where it stands in a text as it was written, not inside of a longer word. */
export const matchPattern = (words: readonly string[]): string =>
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
