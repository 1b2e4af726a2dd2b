// The small changes every part of the fold makes to a record.
import type { Recorded } from '../events/vocabulary.ts';
import type { EpisodeRecord, Item, Turn } from './record.ts';

/**
 * Changes of lists while folding. One event at a time they are copied, so that whoever holds the old record keeps it; a
 * whole stream is folded in place, because nobody has seen the lists yet and copying them would cost its square.
 */
export type Lists = {
  append<T>(list: T[], item: T): T[];
  replace<T>(list: T[], index: number, item: T): T[];
};

export const COPIED: Lists = {
  append: (list, item) => [...list, item],
  replace: (list, index, item) => list.with(index, item),
};

export const IN_PLACE: Lists = {
  append: (list, item) => {
    list.push(item);
    return list;
  },
  replace: (list, index, item) => {
    list[index] = item;
    return list;
  },
};

type WithoutStamp<I> = I extends Item ? Omit<I, 'n' | 'at' | 'actor'> : never;

export type FoldStep = { recorded: Recorded; lists: Lists };

/** The record with one more timeline line, stamped from the event it came from. */
export const withItem = (
  record: EpisodeRecord,
  { recorded: { n, at, actor }, lists }: FoldStep,
  item: WithoutStamp<Item>,
): EpisodeRecord => ({
  ...record,
  timeline: lists.append(record.timeline, { ...item, n, at, actor } as Item),
});

export function changeTurn(
  record: EpisodeRecord,
  { lists }: FoldStep,
  isIt: (turn: Turn) => boolean,
  change: (turn: Turn) => Turn,
): EpisodeRecord {
  const index = record.turns.findLastIndex(isIt);
  const turn = record.turns[index];
  return turn === undefined ? record : { ...record, turns: lists.replace(record.turns, index, change(turn)) };
}

/** Counts the act when a person did it; a scripted answer is never counted as human. */
export const countHuman = (record: EpisodeRecord, { recorded }: FoldStep): EpisodeRecord =>
  recorded.actor.type === 'human'
    ? { ...record, counts: { ...record.counts, humanActs: record.counts.humanActs + 1 } }
    : record;
