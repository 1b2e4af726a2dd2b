// Ids that sort by the time they were made. It stands alone: a thread needs them and nothing else of a host.
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const [TIME, CHANCE] = [9, 10];

/** Chance for so many ids is fetched at once: to ask the system for each took as long as all the rest of reading a row. */
const chance = new Uint8Array(CHANCE * 400);
let used = chance.length;

/** Ids that sort by the time they were made: 9 characters of UTC ms, 10 of chance. */
export function newId(now: number = Date.now()): string {
  let id = '';
  for (let rest = now, place = 0; place < TIME; place += 1, rest = Math.floor(rest / 32))
    id = `${ALPHABET[rest % 32] ?? '0'}${id}`;
  if (used === chance.length) {
    randomFillSync(chance);
    used = 0;
  }
  for (const last = used + CHANCE; used < last; used += 1) id += ALPHABET[(chance[used] ?? 0) % 32] ?? '0';
  return id;
}
