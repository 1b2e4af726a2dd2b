// Limits of a key: how often it may come, and how much of it may be open at once. Kept in memory: a restart forgives.
import { once } from '../../shared/once.ts';

/** Of a key, or of one that bounds it. Null for no limit. */
export type KeyLimit = { id: string; perMinute: number | null; atOnce: number | null };
export type AdmissionResult =
  { isAdmitted: true; release: () => void } | { isAdmitted: false; retryAfterS: number; why: string };

export type KeyLimits = {
  /** Only where every one of them lets it in. */
  admit(limits: readonly KeyLimit[]): AdmissionResult;
  /**
   * How long what cannot be refused is to wait, in ms: a rollout cannot go on without its answer. It is counted in any
   * case: whoever comes next waits behind it.
   */
  holdUp(limits: readonly KeyLimit[]): number;
};

const LIMIT_WINDOW_MS = 60_000;
/** Nobody knows when something open ends; asking again after this is polite. */
const AT_ONCE_WAIT_S = 5;

type KeyBucket = { left: number; at: number; open: number };
/** The counts, as a refusal names them. */
type CountedWords = { open: string; rate: string };

/** A bucket per key that fills evenly: bursts up to a minute's worth, and no more than that over any minute for long. */
export function createKeyLimits(
  monotonic: () => number,
  words: CountedWords = { open: 'requests', rate: 'requests' },
): KeyLimits {
  const buckets = new Map<string, KeyBucket>();
  const bucketOf = ({ id, perMinute }: KeyLimit): KeyBucket => {
    const now = monotonic();
    const known = buckets.get(id) ?? { left: perMinute ?? 0, at: now, open: 0 };
    if (perMinute !== null) {
      const gained = ((now - known.at) / LIMIT_WINDOW_MS) * perMinute;
      known.left = Math.min(perMinute, known.left + gained);
    }
    known.at = now;
    buckets.set(id, known);
    return known;
  };
  const admitOne = (limit: KeyLimit): AdmissionResult => {
    const { perMinute, atOnce } = limit;
    const bucket = bucketOf(limit);
    if (atOnce !== null && bucket.open >= atOnce) {
      const why = `${String(atOnce)} ${words.open} at once are open already`;
      return { isAdmitted: false, retryAfterS: AT_ONCE_WAIT_S, why };
    }
    if (perMinute !== null) {
      if (bucket.left < 1) {
        const retryAfterS = Math.max(1, Math.ceil(((1 - bucket.left) * 60) / perMinute));
        return { isAdmitted: false, retryAfterS, why: `over ${String(perMinute)} ${words.rate} a minute` };
      }
      bucket.left -= 1;
    }
    bucket.open += 1;
    return { isAdmitted: true, release: once(() => (bucket.open -= 1)) };
  };
  return {
    admit: (limits) => admitEach(limits, admitOne),
    holdUp: (limits) =>
      Math.max(
        0,
        ...limits.map((limit) => {
          if (limit.perMinute === null) return 0;
          const bucket = bucketOf(limit);
          bucket.left -= 1;
          return bucket.left >= 0 ? 0 : (-bucket.left * LIMIT_WINDOW_MS) / limit.perMinute;
        }),
      ),
  };
}

/** If one is refused, those before it are given back. */
function admitEach(
  limits: readonly KeyLimit[],
  admitOne: (limit: KeyLimit) => AdmissionResult,
): AdmissionResult {
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const one of releases) one();
  };
  for (const limit of limits) {
    const admitted = admitOne(limit);
    if (!admitted.isAdmitted) {
      release();
      return admitted;
    }
    releases.push(admitted.release);
  }
  return { isAdmitted: true, release };
}
