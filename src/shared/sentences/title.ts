// The short line that many tools' descriptions begin with: "Set the state of a workflow". Pure.
import { truncate } from '../truncate.ts';
import { isVerb, verbWord } from './verbs.ts';

export type TitleCommand = { verb: string; text: string };

const TITLE_LENGTH_MAX = 60;

/** The first line of a description where it is a short heading; null where it is prose. */
export function titleOf(description: string): string | null {
  const [line = ''] = truncate(description).trim().split('\n', 1);
  const title = line.trim().replace(/\.$/, '');
  const isShort = title !== '' && title.length <= TITLE_LENGTH_MAX;
  return isShort && !/[.:;!?]\s|[{}<>`*#]/.test(title) && /\p{L}/u.test(title) ? title : null;
}

/** The title as an order, "Set the state of a workflow", where it begins with a verb. */
export function commandOf(title: string | null): TitleCommand | null {
  if (title === null) return null;
  const [first = '', ...rest] = title.split(' ');
  const verb = first.toLowerCase();
  if (isVerb(verb)) return { verb, text: [verbWord(verb), ...rest].join(' ') };
  // "Gets a workflow" is the same order; "Orders of a customer" is none.
  const plain = verb.replace(/(?:(?<=ss|x|ch|sh|zz)es|s)$/, '');
  return plain !== verb && isVerb(plain) && rest.length > 0 && rest[0] !== 'of'
    ? { verb: plain, text: [verbWord(plain), ...rest].join(' ') }
    : null;
}

/** What a tool's description says in one line, for a list to choose from. */
export function descriptionLine(description: string): string {
  const [first = '', second = ''] = description.split('\n').filter((line) => line.trim() !== '');
  const isHeading = titleOf(description) !== null && !second.startsWith('#');
  return (isHeading && second !== '' ? second : first).trim();
}
