// An argument of a call as a sentence needs it, and the pieces that a sentence is put together from. Pure.
import { kindOfId, singularWords, wordsOf } from './words.ts';

type ClausePart =
  { type: 'text'; text: string } | { type: 'code'; text: string } | { type: 'argument'; name: string };
export type Clause = ClausePart[];

export type Argument = {
  name: string;
  words: string[];
  /** What its id points at; null where it is no id. */
  kind: string[] | null;
  value: unknown;
};

export const argumentOf = (name: string, value: unknown): Argument => {
  const kind = kindOfId(name);
  return { name, words: wordsOf(name), kind: kind === null ? null : singularWords(kind), value };
};

/** What the argument is about: the record its id points at, or its own words. */
export const nounOf = ({ kind, words }: Argument): string[] => kind ?? words;

export const textPart = (words: string): ClausePart => ({ type: 'text', text: words });
export const argumentPart = ({ name }: Pick<Argument, 'name'>): ClausePart => ({ type: 'argument', name });
