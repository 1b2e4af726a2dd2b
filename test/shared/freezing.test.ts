import { describe, expect, it } from 'vitest';
import { ALPHABETS, ENTRIES, MIXES, processorTime, repeated } from '../support/freezing.ts';

const KIB = 1024;
const LENGTHS = [4 * KIB, 16 * KIB, 64 * KIB];
/** A text four times as long may take four times the time; more than this is the square of it. */
const GROWTH_MAX = 9;
const NOTICED_MS = 100;
const MS_PER_MIB = 2_000;

/** How a reader takes a text that grows: null where it takes no longer than the text is. It stops where it is too slow. */
function slownessOn(read: (text: string) => unknown, unit: string): string | null {
  let before = Infinity;
  for (const length of LENGTHS) {
    const text = repeated(unit, length);
    const took = leastTimeOf(read, text);
    if (
      took > 2 * NOTICED_MS + (MS_PER_MIB * length) / KIB / KIB ||
      (took > NOTICED_MS && took > GROWTH_MAX * before)
    )
      return `${JSON.stringify(unit)}: ${took.toFixed(0)} ms for ${String(length / KIB)} KiB`;
    before = Math.max(took, 1);
  }
  return null;
}

/** One reading may meet the collection of what others left behind. */
function leastTimeOf(read: (text: string) => unknown, text: string): number {
  let least = timeOf(read, text);
  for (let tries = 0; tries < 3 && least > NOTICED_MS; tries += 1)
    least = Math.min(least, timeOf(read, text));
  return least;
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const from = processorTime();
  read(text);
  return processorTime() - from;
}

describe('text from outside does not freeze main', () => {
  it.each(Object.entries(ENTRIES))('%s', (_name, read) => {
    const slow = [...Object.values(ALPHABETS), ...MIXES].flatMap((unit) => slownessOn(read, unit) ?? []);

    expect(slow).toEqual([]);
  });
});
