import { describe, expect, it } from 'vitest';
import {
  ALPHABETS,
  COVERED_ON_A_WORKER,
  ENTRIES,
  MIXES,
  processorTime,
  repeated,
  timed,
  type WayIn,
} from '../support/freezing.ts';

const KIB = 1024;
const LENGTHS = [4 * KIB, 16 * KIB, 64 * KIB];
/** A text four times as long may take four times the time; more than this is the square of it. */
const GROWTH_MAX = 9;
const NOTICED_MS = 100;
const MS_PER_MIB = 2_000;
const TRIES = 5;

/** How a reader takes a text that grows: null where it takes no longer than the text is. It stops where it is too slow. */
async function slownessOn(way: WayIn, unit: string): Promise<string | null> {
  let before = Infinity;
  for (const length of LENGTHS) {
    const took = await leastOf(way, repeated(unit, length), 'whole', NOTICED_MS);
    if (
      took > 2 * NOTICED_MS + (MS_PER_MIB * length) / KIB / KIB ||
      (took > NOTICED_MS && took > GROWTH_MAX * before)
    )
      return `${JSON.stringify(unit)}: ${took.toFixed(0)} ms for ${String(length / KIB)} KiB`;
    before = Math.max(took, 1);
  }
  return null;
}

/** The least of a few readings that take longer than is allowed: one may meet the collection of what others left behind. */
async function leastOf(
  way: WayIn,
  text: string,
  what: 'whole' | 'longest',
  allowedMs: number,
): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > allowedMs; tries += 1)
    least = Math.min(least, (await timed(way, text))[what]);
  return least;
}

describe('text from outside does not freeze main', () => {
  it.each(Object.entries(ENTRIES))('%s', async (_name, way) => {
    const slow: string[] = [];
    for (const unit of [...Object.values(ALPHABETS), ...MIXES]) {
      const found = await slownessOn(way, unit);
      if (found !== null) slow.push(found);
    }

    expect(slow).toEqual([]);
  });
});

const promised = Object.entries(ENTRIES).map(([name, way]) => ({
  name,
  way,
  limits: typeof way === 'function' ? COVERED_ON_A_WORKER : way.limits,
}));

/** What `reference` takes on the machine that the promise is made of: a slower one has so much more time. */
const REFERENCE_MS = 90;
function reference(): number {
  const text = repeated('a "b": ', KIB * KIB);
  const from = processorTime();
  for (let n = 0; n < 4; n += 1) JSON.parse(JSON.stringify({ text: text.replaceAll('"', "'") }));
  return processorTime() - from;
}
const slower = Math.max(1, Math.min(reference(), reference(), reference()) / REFERENCE_MS);

describe('1 MiB from outside holds main for 50 ms at most, and 8 MiB where it is only looked at for 100', () => {
  it.each(promised)('$name', async ({ way, limits: { oneMib, eightMib } }) => {
    const slow: string[] = [];
    for (const [alphabet, unit] of Object.entries(ALPHABETS))
      for (const [mib, allowed] of [
        [1, oneMib],
        [8, eightMib],
      ] as const) {
        if (allowed === null) continue;
        const most = allowed * slower;
        const took = await leastOf(way, repeated(unit, mib * KIB * KIB), 'longest', most);
        if (took > most) slow.push(`${alphabet}: ${took.toFixed(0)} ms for ${String(mib)} MiB`);
      }

    expect(slow).toEqual([]);
  });
});
