// Which decisions were kept back when their page went: nothing was sent, and the next page says so.
import * as z from 'zod/mini';
import type { TabStorage } from './kept.ts';

const HELD_PREFIX = 'held/';
const HeldSince = z.number();
/** A mark this old belongs to a question that is gone. */
const HELD_KEEP_MS = 24 * 3600 * 1000;

/** For the moment in which a decision can be taken back. */
export const markHeld = (own: TabStorage, key: string, now: number): boolean =>
  own.write(HELD_PREFIX + key, now);
export const unmarkHeld = (own: TabStorage, key: string): void => own.remove(HELD_PREFIX + key);

/** Whether a decision about it was kept back by a page that then went. */
export const wasHeld = (own: TabStorage, key: string): boolean => atOf(own, HELD_PREFIX + key) !== 0;

/** Those nobody was told of yet, for a page that has just begun; old ones are dropped. */
export function heldBefore(own: TabStorage, now: number): string[] {
  const names = own.names(HELD_PREFIX);
  const untold = names.filter((name) => atOf(own, name) > 0);
  for (const name of names) {
    const at = Math.abs(atOf(own, name));
    if (now - at > HELD_KEEP_MS) own.remove(name);
    // Told once; the line beside the words stays.
    else own.write(name, -at);
  }
  return untold.map((name) => name.slice(HELD_PREFIX.length));
}

const atOf = (own: TabStorage, name: string): number => own.read(name, HeldSince, 0);
