// Owns: ids that sort by the time they were made. It stands alone: a thread needs them and nothing else of a host.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ids that sort by the time they were made: 9 characters of UTC ms, 10 of chance. */
export function newId(now: number = Date.now()): string {
  const stamp = [...Array(9).keys()]
    .map((place) => ALPHABET[Math.floor(now / 32 ** (8 - place)) % 32] ?? '0')
    .join('');
  const chance = [...randomBytes(10)].map((byte) => ALPHABET[byte % 32] ?? '0').join('');
  return `${stamp}${chance}`;
}
