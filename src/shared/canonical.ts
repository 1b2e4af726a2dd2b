// One text for the same JSON, in whatever order its keys were written.

import { isRecord } from './json.ts';

/** JSON with the keys of every object in order. What JSON cannot hold is `null`. */
export const canonical = (value: unknown): string => JSON.stringify(inOrder(value)) ?? 'null';

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  );
}
