// How long main is held by a text of 1 to 8 MiB of each hostile alphabet, at every way in: the processor time of one reading.
import { ALPHABETS, ENTRIES, repeated, timed, type WayIn } from '../support/freezing.ts';
import { ms } from './figures.ts';

const MIB = 1024 * 1024;
const SIZES = [1, 2, 4, 8];

export async function measureFreezing(say: (what: string, figure: string) => void): Promise<void> {
  say('longest hold by a text of 1, 2, 4, 8 MiB, of the slowest alphabet', Object.keys(ALPHABETS).join(', '));
  for (const [name, way] of Object.entries(ENTRIES)) {
    const figures: string[] = [];
    let slowest = '';
    for (const size of SIZES) {
      const { took, alphabet } = await slowestOf(way, size * MIB);
      figures.push(ms(took));
      slowest = alphabet;
    }
    say(name, `${figures.join(', ')} (${slowest})`);
  }
}

async function slowestOf(way: WayIn, length: number): Promise<{ took: number; alphabet: string }> {
  let slowest = { took: -1, alphabet: '' };
  for (const [alphabet, unit] of Object.entries(ALPHABETS)) {
    const took = (await timed(way, repeated(unit, length))).longest;
    if (took > slowest.took) slowest = { took, alphabet };
  }
  return slowest;
}
