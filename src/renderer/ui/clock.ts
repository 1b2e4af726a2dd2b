// The one clock of the screen, ticking each second while something on screen shows an age.
import { useSyncExternalStore } from 'react';

type Clock = { now: () => number; subscribe: (listener: () => void) => () => void };

/** A clock whose `now` moves in whole seconds, so that everything on screen ages at the same moment. */
export function createClock(readMs: () => number = Date.now): Clock {
  const listeners = new Set<() => void>();
  let now = readMs();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    now = readMs();
    for (const tell of listeners) tell();
  };
  return {
    now: () => {
      if (timer === undefined && readMs() - now >= 1000) now = readMs();
      return now;
    },
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(tick, 1000);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const clock = createClock();

/** UTC ms, moving each second. */
export const useClock = (): number => useSyncExternalStore(clock.subscribe, clock.now, clock.now);

/** The result of `read` on the time; draws again only when that changes. */
export const useClockValue = <T extends string | number | boolean | null>(read: (now: number) => T): T =>
  useSyncExternalStore(
    clock.subscribe,
    () => read(clock.now()),
    () => read(clock.now()),
  );
