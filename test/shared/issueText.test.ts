import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueText } from '../../src/shared/issueText.ts';

const Shape = z.strictObject({
  list: z.array(z.strictObject({ name: z.string().max(3), count: z.int().min(1) })).max(1),
});
const wrong = (value: unknown): string | undefined => {
  const [issue] = Shape.safeParse(value).error?.issues ?? [];
  return issue && issueText(issue);
};
const one = (over: object): object => ({ list: [{ name: 'a', count: 1, ...over }] });

it.each([
  [[], 'it has to be an object'],
  [{}, '"list" is missing'],
  [{ list: 'a' }, '"list" has to be a list'],
  [{ list: [], more: 1 }, 'it must not have "more"'],
  [one({ name: 5 }), '"name" of number 1 of "list" has to be a text'],
  [one({ name: 'four' }), '"name" of number 1 of "list" has to be at most 3 characters long'],
  [one({ count: 0 }), '"count" of number 1 of "list" has to be at least 1'],
  [one({ count: 0.5 }), '"count" of number 1 of "list" has to be a whole number'],
])('what is wrong with a value is said in everyday words, with its place (%j)', (value, text) => {
  expect(wrong(value)).toBe(text);
});
