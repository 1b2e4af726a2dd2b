// Owns: ids that sort by the time they were made. It stands alone: a thread needs them and nothing else of a host.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const [TIME, CHANCE] = [9, 10];

/** Ids that sort by the time they were made: 9 characters of UTC ms, 10 of chance. */
export function newId(now: number = Date.now()): string {
  let id = '';
  for (let rest = now, place = 0; place < TIME; place += 1, rest = Math.floor(rest / 32))
    id = `${ALPHABET[rest % 32] ?? '0'}${id}`;
  for (const byte of randomBytes(CHANCE)) id += ALPHABET[byte % 32] ?? '0';
  return id;
}
