// How often a key may knock and how many of its requests may be open at once. Kept in memory: a restart forgives.
import { once } from '../../shared/once.ts';

type KeyLimits = { perMinute: number | null; atOnce: number | null };
export type AdmissionResult =
  { isAdmitted: true; release: () => void } | { isAdmitted: false; retryAfterS: number; why: string };

const LIMIT_WINDOW_MS = 60_000;
/** Nobody knows when an open request ends; asking again after this is polite. */
const AT_ONCE_WAIT_S = 5;

type KeyBucket = { left: number; at: number; open: number };

/** A bucket per key that fills evenly: bursts up to a minute's worth, and no more than that over any minute for long. */
export function createKeyLimits(monotonic: () => number): {
  admit: (id: string, limits: KeyLimits) => AdmissionResult;
  /** Only where every one of them lets it in: a key, and those that bound it. */
  admitAll: (keys: readonly (KeyLimits & { id: string })[]) => AdmissionResult;
} {
  const buckets = new Map<string, KeyBucket>();
  const bucketOf = (id: string, perMinute: number | null): KeyBucket => {
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
  const admit = (id: string, { perMinute, atOnce }: KeyLimits): AdmissionResult => {
    const bucket = bucketOf(id, perMinute);
    if (atOnce !== null && bucket.open >= atOnce) {
      return {
        isAdmitted: false,
        retryAfterS: AT_ONCE_WAIT_S,
        why: `${String(atOnce)} requests at once are open already`,
      };
    }
    if (perMinute !== null) {
      if (bucket.left < 1) {
        const retryAfterS = Math.max(1, Math.ceil(((1 - bucket.left) * 60) / perMinute));
        return { isAdmitted: false, retryAfterS, why: `over ${String(perMinute)} requests a minute` };
      }
      bucket.left -= 1;
    }
    bucket.open += 1;
    return { isAdmitted: true, release: once(() => (bucket.open -= 1)) };
  };
  return { admit, admitAll: (keys) => admitEach(keys, (key) => admit(key.id, key)) };
}

function admitEach<K>(keys: readonly K[], admit: (key: K) => AdmissionResult): AdmissionResult {
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const one of releases) one();
  };
  for (const key of keys) {
    const admitted = admit(key);
    if (!admitted.isAdmitted) {
      release();
      return admitted;
    }
    releases.push(admitted.release);
  }
  return { isAdmitted: true, release };
}
