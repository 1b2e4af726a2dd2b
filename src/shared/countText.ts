/** `1 step`, `2 steps`: for nouns that take an s. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
