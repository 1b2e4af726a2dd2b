// Lengths of time as people write and read them: `50 seconds`, `3 days`, `1 day 12 hours`.
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  { name: 'day', ms: DAY_MS },
  { name: 'hour', ms: HOUR_MS },
  { name: 'minute', ms: MINUTE_MS },
  { name: 'second', ms: SECOND_MS },
] as const;

/** `3 days`, `1 hour 30 minutes`; to the second. */
export function lengthText(ms: number): string {
  let left = Math.round(ms / SECOND_MS) * SECOND_MS;
  const parts = UNITS.flatMap(({ name, ms: unit }) => {
    const count = Math.floor(left / unit);
    left -= count * unit;
    return count === 0 ? [] : [`${String(count)} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
}

const PART = /^(\d{1,12}) ?(seconds?|sec|s|minutes?|min|m|hours?|h|days?|d)$/i;
const UNIT_MS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A written length never needs more characters. */
const WRITTEN_MAX = 80;

/** The ms of `3 days`, `1 h 30 min` or `90`, which are seconds; null for what is no length above zero. */
export function readLength(text: string): number | null {
  const words = text.slice(0, WRITTEN_MAX).trim().split(' ').filter(Boolean);
  const parts = words.join(' ').match(/\d+ ?[a-z]*/gi) ?? [];
  if (parts.join('').replaceAll(' ', '') !== words.join('')) return null;
  let sum = 0;
  for (const part of parts) {
    const written = parts.length === 1 && !/[a-z]/i.test(part) ? `${part.trim()} s` : part.trim();
    const found = PART.exec(written);
    const unit = UNIT_MS[(found?.[2] ?? '').charAt(0).toLowerCase()];
    if (found === null || unit === undefined) return null;
    sum += Number(found[1]) * unit;
  }
  return Number.isSafeInteger(sum) && sum > 0 ? sum : null;
}
