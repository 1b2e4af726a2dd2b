// Takes the time of every way in on a thread of its own: what other tests left in memory is not collected meanwhile.
import { parentPort } from 'node:worker_threads';
import { ALPHABETS, ENTRIES, MIXES, repeated, timed, type WayIn } from './freezing.ts';

const KIB = 1024;
const LENGTHS = [4 * KIB, 16 * KIB, 64 * KIB];
/** A text four times as long may take four times the time; more than this is the square of it. */
const GROWTH_MAX = 9;
const NOTICED_MS = 100;
const MS_PER_MIB = 2_000;
const TRIES = 5;

/**
 * How a reader takes a text that grows: null where it takes no longer than the text is. It stops where it is too slow. What
 * only grew too fast is looked at with a text four times as long again: a busy machine may stumble, and a square grows on.
 */
async function slownessOn(way: WayIn, unit: string): Promise<string | null> {
  const tell = (took: number, length: number): string =>
    `${JSON.stringify(unit)}: ${took.toFixed(0)} ms for ${String(length / KIB)} KiB`;
  let before = Infinity;
  for (const length of LENGTHS) {
    const took = await leastOf(way, repeated(unit, length), NOTICED_MS);
    if (took > 2 * NOTICED_MS + (MS_PER_MIB * length) / KIB / KIB) return tell(took, length);
    if (grewTooFast(took, before)) {
      const longer = await leastOf(way, repeated(unit, 4 * length), NOTICED_MS);
      if (grewTooFast(longer, took)) return tell(longer, 4 * length);
    }
    before = Math.max(took, 1);
  }
  return null;
}

const grewTooFast = (took: number, before: number): boolean =>
  took > NOTICED_MS && took > GROWTH_MAX * before;

/** The least of a few readings that take longer than is allowed: one may meet the collection of what others left behind. */
async function leastOf(way: WayIn, text: string, allowedMs: number): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > allowedMs; tries += 1)
    least = Math.min(least, (await timed(way, text)).whole);
  return least;
}

/** Texts that a way in takes too long for as they grow. */
async function growthOf(way: WayIn): Promise<string[]> {
  const slow: string[] = [];
  for (const unit of [...Object.values(ALPHABETS), ...MIXES]) {
    const found = await slownessOn(way, unit);
    if (found !== null) slow.push(found);
  }
  return slow;
}

export type WayTimes = { name: string; growth: string[] };

for (const [name, way] of Object.entries(ENTRIES))
  parentPort?.postMessage({ name, growth: await growthOf(way) } satisfies WayTimes);
