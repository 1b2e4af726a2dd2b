// Formats ages, durations and moments.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/lengthOfTime.ts';

/** A length of time in at most two units: `42 s`, `3 min 05 s`, `2 h 10 min`, `3 d`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < SECOND_MS) return `${String(Math.round(whole))} ms`;
  if (whole < MINUTE_MS) return `${String(Math.floor(whole / SECOND_MS))} s`;
  if (whole < HOUR_MS)
    return `${String(Math.floor(whole / MINUTE_MS))} min ${two(Math.floor((whole % MINUTE_MS) / SECOND_MS))} s`;
  if (whole < DAY_MS)
    return `${String(Math.floor(whole / HOUR_MS))} h ${two(Math.floor((whole % HOUR_MS) / MINUTE_MS))} min`;
  return `${String(Math.floor(whole / DAY_MS))} d`;
}

/** The age in one unit, for a dense column: `now`, `42 s`, `3 min`, `2 h`, `3 d`. */
export function formatAge(ms: number): string {
  if (ms < 2 * SECOND_MS) return 'now';
  if (ms < MINUTE_MS) return `${String(Math.floor(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${String(Math.floor(ms / MINUTE_MS))} min`;
  if (ms < DAY_MS) return `${String(Math.floor(ms / HOUR_MS))} h`;
  return `${String(Math.floor(ms / DAY_MS))} d`;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The moment itself, local time to the second, with the date and the zone. */
export const formatMoment = (at: number): string => moment.format(at);

const two = (value: number): string => String(value).padStart(2, '0');
