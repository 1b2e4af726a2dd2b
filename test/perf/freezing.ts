// How long main is held by a text of 1 to 8 MiB of each hostile alphabet, at every way in: the processor time of one reading.
import { ALPHABETS, ENTRIES, processorTime, repeated } from '../support/freezing.ts';
import { ms } from './figures.ts';

const MIB = 1024 * 1024;
const SIZES = [1, 2, 4, 8];

export function measureFreezing(say: (what: string, figure: string) => void): void {
  say('longest hold by a text of 1, 2, 4, 8 MiB, of the slowest alphabet', Object.keys(ALPHABETS).join(', '));
  for (const [name, read] of Object.entries(ENTRIES)) {
    const longest = SIZES.map((size) => {
      const holds = Object.entries(ALPHABETS).map(([alphabet, unit]) => {
        const text = repeated(unit, size * MIB);
        const from = processorTime();
        try {
          read(text);
        } catch (thrown) {
          if (!(thrown instanceof RangeError)) throw thrown;
          return { alphabet: `${alphabet}: ${thrown.message}`, took: processorTime() - from };
        }
        return { alphabet, took: processorTime() - from };
      });
      return holds.toSorted((a, b) => b.took - a.took)[0];
    });
    const figures = longest.map((one) => ms(one?.took ?? 0)).join(', ');
    say(name, `${figures} (${longest.at(-1)?.alphabet ?? ''})`);
  }
}
