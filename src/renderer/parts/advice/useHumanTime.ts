// Measuring the attention a question gets, from the window and the person's activity; kept over a reload.
import { useCallback, useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import type { Timing } from '../../../shared/events/actor.ts';
import { useSession } from '../../state/hooks.ts';
import type { TabStorage } from '../../state/kept.ts';

const KeptTime = z.strictObject({ first_seen_at: z.number(), active_ms: z.number(), at: z.number() });
const TIMING_PREFIX = 'timing/';
const TIMING_KEEP_MS = 30 * 24 * 3600 * 1000;
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;

/** Time with this card in front; `isInFront` is false while it is closed or covered. `end` forgets it once decided. */
export function useHumanTime(
  consultation: string,
  isInFront: boolean,
): { read: () => z.infer<typeof Timing>; end: () => void; restart: () => void } {
  const { kept } = useSession();
  const time = useRef<HumanTime>(NO_TIME);
  const isEnded = useRef(false);
  useEffect(() => {
    time.current = readTime(kept, consultation);
    isEnded.current = false;
    const keep = (): void => {
      if (!isEnded.current) writeTime(kept, consultation, time.current, Date.now());
    };
    const look = (): void => {
      const isHere = isInFront && document.visibilityState === 'visible' && document.hasFocus();
      time.current = isHere ? attend(time.current, Date.now()) : leave(time.current, Date.now());
      keep();
    };
    const live = (): void => {
      time.current = sign(time.current, Date.now());
    };
    look();
    for (const event of ACTIVITY_EVENTS) window.addEventListener(event, live, { passive: true });
    for (const event of ['focus', 'blur', 'pagehide']) window.addEventListener(event, look);
    document.addEventListener('visibilitychange', look);
    return () => {
      for (const event of ACTIVITY_EVENTS) window.removeEventListener(event, live);
      for (const event of ['focus', 'blur', 'pagehide']) window.removeEventListener(event, look);
      document.removeEventListener('visibilitychange', look);
      time.current = leave(time.current, Date.now());
      keep();
    };
  }, [kept, consultation, isInFront]);
  const read = useCallback(() => timingOf(time.current, Date.now()), []);
  const end = useCallback(() => {
    isEnded.current = true;
    kept.remove(TIMING_PREFIX + consultation);
  }, [kept, consultation]);
  /** For acts that follow one another under one name: the next one begins now. */
  const restart = useCallback(() => {
    kept.remove(TIMING_PREFIX + consultation);
    time.current = isInFront ? attend(NO_TIME, Date.now()) : NO_TIME;
  }, [kept, consultation, isInFront]);
  return { read, end, restart };
}

function readTime(kept: TabStorage, consultation: string): HumanTime {
  const known = kept.read(TIMING_PREFIX + consultation, z.nullable(KeptTime), null);
  return known === null
    ? NO_TIME
    : { ...NO_TIME, firstSeenAt: known.first_seen_at, activeMs: known.active_ms };
}

function writeTime(kept: TabStorage, consultation: string, time: HumanTime, at: number): void {
  const { firstSeenAt } = time;
  if (firstSeenAt === null) return;
  kept.write(TIMING_PREFIX + consultation, {
    first_seen_at: firstSeenAt,
    active_ms: countedUpTo(time, at).activeMs,
    at,
  });
}

/** Drops what belongs to questions nobody came back to. */
export function forgetOldTimes(kept: TabStorage, now: number): void {
  for (const name of kept.names(TIMING_PREFIX)) {
    const known = kept.read(name, z.nullable(KeptTime), null);
    if (known === null || now - known.at > TIMING_KEEP_MS) kept.remove(name);
  }
}

type HumanTime = {
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

/** Times sent with a decision. */
export const timingOf = (
  time: HumanTime,
  at: number,
): { first_seen_at: number | null; active_ms: number | null } => ({
  first_seen_at: time.firstSeenAt,
  active_ms: time.firstSeenAt === null ? null : Math.round(countedUpTo(time, at).activeMs),
});
