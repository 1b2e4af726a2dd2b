// How many connections a key may have at once, and how many new ones and steps in a minute.
import type { TapLinkKey } from '../linkProtocol.ts';

type RateResult = { leave: () => void } | { why: string; retryAfterS: number };
export type KeyRates = {
  /** A new connection. */
  enter(key: TapLinkKey): RateResult;
  /**
   * A step: how long it is to wait, in ms. It is held up and never refused: a rollout cannot go on without its answer.
   */
  step(key: TapLinkKey): number;
};

const RATE_WINDOW_MS = 60_000;
/** Nobody knows when a connection ends; asking again after this is polite. */
const BUSY_RETRY_S = 5;

type RateBucket = { left: number; at: number };

/** A bucket per key that fills evenly: bursts up to a minute's worth, and no more than that over any minute for long. */
export function createKeyRates(monotonic: () => number): KeyRates {
  const open = new Map<string, number>();
  const buckets = new Map<string, RateBucket>();
  const bucketOf = (sha256: string, perMinute: number): RateBucket => {
    const now = monotonic();
    const bucket = buckets.get(sha256) ?? { left: perMinute, at: now };
    const gained = ((now - bucket.at) / RATE_WINDOW_MS) * perMinute;
    bucket.left = Math.min(perMinute, bucket.left + gained);
    bucket.at = now;
    buckets.set(sha256, bucket);
    return bucket;
  };
  const enter = ({ sha256, at_once, per_minute }: KeyLimit): RateResult => {
    const count = open.get(sha256) ?? 0;
    if (at_once !== null && count >= at_once) {
      return {
        why: `${String(at_once)} connections at once are open already`,
        retryAfterS: BUSY_RETRY_S,
      };
    }
    if (per_minute !== null) {
      const bucket = bucketOf(sha256, per_minute);
      if (bucket.left < 1) {
        const retryAfterS = Math.max(1, Math.ceil(((1 - bucket.left) * 60) / per_minute));
        return { why: `over ${String(per_minute)} connections and steps a minute`, retryAfterS };
      }
      bucket.left -= 1;
    }
    open.set(sha256, count + 1);
    return { leave: () => void open.set(sha256, (open.get(sha256) ?? 1) - 1) };
  };
  const step = ({ sha256, per_minute }: KeyLimit): number => {
    if (per_minute === null) return 0;
    const bucket = bucketOf(sha256, per_minute);
    // Taken in any case: whoever comes next waits behind this one.
    bucket.left -= 1;
    return bucket.left >= 0 ? 0 : (-bucket.left * RATE_WINDOW_MS) / per_minute;
  };
  return {
    enter: (key) => {
      const entered: (() => void)[] = [];
      const leave = (): void => {
        for (const one of entered) one();
      };
      for (const limit of limitsOf(key)) {
        const result = enter(limit);
        if ('why' in result) {
          leave();
          return result;
        }
        entered.push(result.leave);
      }
      return { leave };
    },
    step: (key) => Math.max(...limitsOf(key).map(step)),
  };
}

type KeyLimit = Pick<TapLinkKey, 'sha256' | 'at_once' | 'per_minute'>;

const limitsOf = (key: TapLinkKey): KeyLimit[] => [key, ...(key.within ?? [])];
