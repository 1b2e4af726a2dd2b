// Owns: how many connections a key may have, at once and in a minute.
import type { TapKey } from '../link.ts';

export type KeyRates = {
  /** Null when the key has to wait; else what to call when its connection ends. */
  enter(key: TapKey): (() => void) | null;
};

const MINUTE_MS = 60_000;

export function createKeyRates(clock: () => number): KeyRates {
  const open = new Map<string, number>();
  const entered = new Map<string, number[]>();
  return {
    enter: ({ sha256, at_once, per_minute }) => {
      const now = clock();
      const count = open.get(sha256) ?? 0;
      const recent =
        per_minute === null ? [] : (entered.get(sha256) ?? []).filter((at) => at > now - MINUTE_MS);
      if (at_once !== null && count >= at_once) return null;
      if (per_minute !== null && recent.length >= per_minute) return null;
      if (per_minute !== null) entered.set(sha256, [...recent, now]);
      open.set(sha256, count + 1);
      return () => void open.set(sha256, (open.get(sha256) ?? 1) - 1);
    },
  };
}
