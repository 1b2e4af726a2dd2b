// How ages, durations and moments read.
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in at most two units: `42 s`, `3 min 05 s`, `2 h 10 min`, `3 d`. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < SECOND) return `${String(Math.round(whole))} ms`;
  if (whole < MINUTE) return `${String(Math.floor(whole / SECOND))} s`;
  if (whole < HOUR)
    return `${String(Math.floor(whole / MINUTE))} min ${two(Math.floor((whole % MINUTE) / SECOND))} s`;
  if (whole < DAY)
    return `${String(Math.floor(whole / HOUR))} h ${two(Math.floor((whole % HOUR) / MINUTE))} min`;
  return `${String(Math.floor(whole / DAY))} d`;
}

/** How long ago, in one unit, for a dense column: `now`, `42 s`, `3 min`, `2 h`, `3 d`. */
export function formatAge(ms: number): string {
  if (ms < 2 * SECOND) return 'now';
  if (ms < MINUTE) return `${String(Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${String(Math.floor(ms / MINUTE))} min`;
  if (ms < DAY) return `${String(Math.floor(ms / HOUR))} h`;
  return `${String(Math.floor(ms / DAY))} d`;
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The moment itself, local time to the second, with the date and the zone. */
export const formatMoment = (at: number): string => moment.format(at);

const two = (value: number): string => String(value).padStart(2, '0');
