// How long a person worked on one question: time with its card in front of them, the window visible, not idle. Pure:
// told what happened and when; knows no clock and no window.

export type HumanTime = {
  /** When the card was first in front of the person; null before. */
  firstSeenAt: number | null;
  /** Counted so far, up to `countedTo`. */
  activeMs: number;
  /** Since when it counts; null while the person is elsewhere. */
  countedTo: number | null;
  /** The last sign of life: a key, a movement, a scroll. */
  lastSignAt: number;
};

/** Without a sign of life for this long, the person is taken to be elsewhere. */
export const IDLE_MS = 30_000;

export const NO_TIME: HumanTime = { firstSeenAt: null, activeMs: 0, countedTo: null, lastSignAt: 0 };

/** The card came in front of the person. */
export function attend(time: HumanTime, at: number): HumanTime {
  if (time.countedTo !== null) return sign(time, at);
  return { ...time, firstSeenAt: time.firstSeenAt ?? at, countedTo: at, lastSignAt: at };
}

/** The person turned away: another card, another window. */
export const leave = (time: HumanTime, at: number): HumanTime => ({
  ...countedUpTo(time, at),
  countedTo: null,
});

/** A sign of life while the card is in front. After an idle stretch, counting starts anew from here. */
export function sign(time: HumanTime, at: number): HumanTime {
  if (time.countedTo === null) return time;
  return { ...countedUpTo(time, at), countedTo: at, lastSignAt: at };
}

/** The time with everything up to now counted, idle stretches left out. */
export function countedUpTo(time: HumanTime, at: number): HumanTime {
  if (time.countedTo === null) return time;
  const until = Math.min(at, time.lastSignAt + IDLE_MS);
  const more = Math.max(0, until - time.countedTo);
  return { ...time, activeMs: time.activeMs + more, countedTo: Math.max(time.countedTo, at) };
}

/** What is sent with a decision. */
export const timingOf = (
  time: HumanTime,
  at: number,
): { first_seen_at: number | null; active_ms: number | null } => ({
  first_seen_at: time.firstSeenAt,
  active_ms: time.firstSeenAt === null ? null : Math.round(countedUpTo(time, at).activeMs),
});
