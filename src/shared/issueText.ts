// Turns the faults of a value that a person wrote into everyday words.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const KIND_LABELS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** One issue on one line: which value, as a person would point at it, and what it has to be. */
export function issueText(issue: Issue): string {
  const place = placeText(issue.path);
  const named = place === '' ? 'it' : place;
  const bound = boundText(issue);
  if (bound !== null) return `${named} ${bound}`;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `${named} must not have ${keys}`;
  }
  if (issue.code === 'invalid_type') {
    return issue.message.endsWith('received undefined')
      ? `${named} is missing`
      : `${named} has to be ${KIND_LABELS[issue.expected] ?? issue.expected}`;
  }
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}

/** Of a bound without words of its own. */
function boundText(issue: Issue): string | null {
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return `has to be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small' && issue.message.startsWith('Too small'))
    return `has to be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
  return null;
}

const unitOf = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : '';

/** `experts.0.skills` is `"skills" of number 1 of "experts"`. */
const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `number ${String(part + 1)}` : JSON.stringify(String(part))))
    .toReversed()
    .join(' of ');
