// Repeatable text of words that are as unevenly common as those of a language.
import type { Condition } from '../../src/shared/events/lifecycle.ts';

export const SCENARIOS_PLAYED = [
  'loomline_workflows',
  'crm_2',
  'shop_3',
  'calendar_4',
  'billing_5',
  'mail_6',
];
export const CONDITIONS_PLAYED: readonly Condition[] = ['none', 'model', 'human', 'human+draft'];

const COUNT = 20_000;
const SYLLABLES = [
  'ba',
  'ke',
  'lo',
  'mi',
  'nu',
  'ra',
  'se',
  'to',
  'vi',
  'wu',
  'dan',
  'fer',
  'gol',
  'hin',
  'jup',
];

const wordOf = (index: number): string => {
  let [rest, word] = [index + 1, ''];
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
};

/** The word of a rank; rank 0 is the commonest, in about one of ten places. */
export const ranked = (rank: number): string => wordOf(rank);

export function createWords(seed: number) {
  const all = Array.from({ length: COUNT }, (_, index) => wordOf(index));
  let state = seed;
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  // Ranks by Zipf's law: equally likely between each power of the base.
  const word = (): string => all[Math.floor(COUNT ** next()) - 1] ?? '';
  return {
    below: (limit: number): number => Math.floor(next() * limit),
    sentence: (length: number): string => {
      let text = word();
      for (let i = 1; i < length; i += 1) text += ` ${word()}`;
      return text;
    },
  };
}
