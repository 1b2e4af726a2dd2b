// Owns: the small changes every part of the fold makes to a record.
import type { Recorded } from '../events/vocabulary.ts';
import type { EpisodeRecord, Item, Turn } from './record.ts';

type Unstamped<I> = I extends Item ? Omit<I, 'n' | 'at' | 'actor'> : never;

/** The record with one more timeline line, stamped from the event it came from. */
export const withItem = (
  record: EpisodeRecord,
  { n, at, actor }: Recorded,
  item: Unstamped<Item>,
): EpisodeRecord => ({ ...record, timeline: [...record.timeline, { ...item, n, at, actor }] });

/** The record with the newest matching turn changed. */
export function changeTurn(
  record: EpisodeRecord,
  isIt: (turn: Turn) => boolean,
  change: (turn: Turn) => Turn,
): EpisodeRecord {
  const index = record.turns.findLastIndex(isIt);
  const turn = record.turns[index];
  return turn === undefined ? record : { ...record, turns: record.turns.with(index, change(turn)) };
}

/** Counts the act when a person did it; a scripted answer is never counted as human. */
export const countHuman = (record: EpisodeRecord, recorded: Recorded): EpisodeRecord =>
  recorded.actor.type === 'human'
    ? { ...record, counts: { ...record.counts, humanActs: record.counts.humanActs + 1 } }
    : record;
