// Counts what waits on people, the same for a title, a badge and a list. Pure.
import type { DeskPush } from './contract/envelope.ts';

type Desk = Pick<DeskPush, 'items' | 'total' | 'holds'>;

/** Cards that wait. A stop beside a question of the same episode is one card with it. */
export function waitingCount({ items, total, holds }: { [K in keyof Desk]: Readonly<Desk[K]> }): number {
  const asking = new Set(items.map(({ episode }) => episode));
  return total + holds.filter(({ episode }) => !asking.has(episode)).length;
}
