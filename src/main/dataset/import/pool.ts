// Resolves ranges that name items of a shared pool.
import { listFrom } from './values.ts';

/** The items of a half-open range `[from, to]`; none for anything else. */
export function poolRange(pool: readonly unknown[], range: unknown): unknown[] {
  const [from, to] = listFrom(range);
  return typeof from === 'number' && typeof to === 'number'
    ? pool.slice(Math.max(0, from), Math.max(0, to))
    : [];
}
