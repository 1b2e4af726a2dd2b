// Text in figures: how wide it is about, where it breaks, and how numbers are written.
import { isBounded, type Bounds } from './scene.ts';

const NARROW = /[iljtfrI.,:;|!()[\]'’ ]/;
const WIDE = /[mwMW@%—]/;
const CAPITAL = /[A-Z0-9+=–−<>_&?]/;

/** An estimate on the generous side: nothing measures text outside of a browser. */
export function textWidth(text: string, size: number, isBold = false): number {
  let width = 0;
  for (const char of text) {
    if (NARROW.test(char)) width += 0.33;
    else if (WIDE.test(char)) width += 0.9;
    else width += CAPITAL.test(char) ? 0.66 : 0.56;
  }
  return width * size * (isBold ? 1.08 : 1.02);
}

/** Breaks at spaces, and inside of a word only where it alone is wider than a line. */
export function wrapText(text: string, size: number, width: number, isBold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size, isBold) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (textWidth(line, size, isBold) > width && line.length > 1) {
      const cut = Math.max(1, Math.floor((line.length * width) / textWidth(line, size, isBold)));
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** `−0.25`: the sign of typography, and no more digits than a reader can use. */
export const formatNumber = (value: number, digits = 3): string => {
  const rounded = Number(value.toPrecision(digits + (Math.abs(value) >= 1000 ? 3 : 0)));
  return (Object.is(rounded, -0) ? 0 : rounded)
    .toLocaleString('en', { maximumFractionDigits: 6 })
    .replace('-', '−');
};

/** A share from 0 to 1 as percent. */
export const formatPercent = (share: number): string => `${formatNumber(share * 100)} %`;

/** A number in the cell of a table; a dash where there is none. */
export const cellText = (
  value: number | null | undefined,
  write: (value: number) => string = formatNumber,
): string => (value === null || value === undefined ? '–' : write(value));

/** The interval of a share, in percent. */
export const intervalText = (interval: { low: number; high: number } | null): string =>
  interval === null ? '–' : `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`;

/** A share from 0 to 1 in percent, for an axis of percent. */
export const percentOf = (share: number | null | undefined): number | null =>
  typeof share === 'number' ? share * 100 : null;

/** Said where a reader would look for an interval and finds none. */
export const noIntervalNote = (numbers: readonly Bounds[]): string =>
  numbers.length === 0 || numbers.some(isBounded)
    ? ''
    : 'No interval is shown: each point is one measurement.';
