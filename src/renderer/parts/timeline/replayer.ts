// The record at any event of an episode: the same fold over a prefix, from the nearest place already folded.
import { foldBatch } from '../../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';

type Replayer = {
  /** The record after the event with that n; the empty record at 0. */
  at: (n: number) => EpisodeRecord;
  /** The n of the last event. */
  last: number;
};

const CHECKPOINT = 200;
/** Records in between kept for stepping back and forth. */
const RECENT_MAX = 64;

/** `whole` is the record after the last event where it is known already: nothing is folded to show the end. */
export function createReplayer(
  id: string,
  events: readonly Recorded[],
  whole: EpisodeRecord | null = null,
): Replayer {
  const checkpoints: EpisodeRecord[] = [emptyRecord(id)];
  const recent = new Map<number, EpisodeRecord>();
  const last = events.length;

  // A stretch at a time: the record's lists are copied once for it, not once per event.
  const foldOn = (from: EpisodeRecord, start: number, end: number): EpisodeRecord =>
    start >= end ? from : foldBatch(from, events.slice(start, end));
  const checkpoint = (index: number): EpisodeRecord => {
    for (let at = checkpoints.length; at <= index; at += 1) {
      const before = checkpoints[at - 1] ?? emptyRecord(id);
      checkpoints.push(foldOn(before, (at - 1) * CHECKPOINT, at * CHECKPOINT));
    }
    return checkpoints[index] ?? emptyRecord(id);
  };
  return {
    last,
    at(n) {
      const end = Math.max(0, Math.min(last, n));
      if (whole !== null && end === last && whole.n === last) return whole;
      const known = recent.get(end);
      if (known !== undefined) return known;
      const index = Math.floor(end / CHECKPOINT);
      const near = recent.get(end - 1) ?? checkpoint(index);
      const record = foldOn(near, near.n, end);
      recent.set(end, record);
      for (const [oldest] of recent) {
        if (recent.size <= RECENT_MAX) break;
        recent.delete(oldest);
      }
      return record;
    },
  };
}
