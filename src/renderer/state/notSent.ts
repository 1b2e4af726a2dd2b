// Owns: which decisions were kept back when their page went: nothing was sent, and the next page says so.
import { z } from 'zod';
import type { Kept } from './kept.ts';

const PREFIX = 'held/';
const At = z.number();
/** A mark this old belongs to a question that is gone. */
const KEEP_MS = 24 * 3600 * 1000;

/** For the moment in which a decision can be taken back. */
export const markHeld = (own: Kept, key: string, now: number): boolean => own.write(PREFIX + key, now);
export const unmarkHeld = (own: Kept, key: string): void => own.remove(PREFIX + key);

/** Whether a decision about it was kept back by a page that then went. */
export const wasHeld = (own: Kept, key: string): boolean => atOf(own, PREFIX + key) !== 0;

/** Those nobody was told of yet, for a page that has just begun; old ones are dropped. */
export function heldBefore(own: Kept, now: number): string[] {
  const names = own.names(PREFIX);
  const untold = names.filter((name) => atOf(own, name) > 0);
  for (const name of names) {
    const at = Math.abs(atOf(own, name));
    if (now - at > KEEP_MS) own.remove(name);
    // Told once; the line beside the words stays.
    else own.write(name, -at);
  }
  return untold.map((name) => name.slice(PREFIX.length));
}

const atOf = (own: Kept, name: string): number => own.read(name, At, 0);
