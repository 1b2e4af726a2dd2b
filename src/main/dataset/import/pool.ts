// Owns: items that stand once in a pool and are named by ranges.
import { listOf } from './values.ts';

/** The items of a half-open range `[from, to]`; none for anything else. */
export function poolRange(pool: readonly unknown[], range: unknown): unknown[] {
  const [from, to] = listOf(range);
  return typeof from === 'number' && typeof to === 'number'
    ? pool.slice(Math.max(0, from), Math.max(0, to))
    : [];
}
