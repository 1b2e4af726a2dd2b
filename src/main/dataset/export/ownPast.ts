// Which of an episode's inherited turns count as its own: none for a branch, all for an episode that continues
// one that broke off and gives no rows itself.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

/** The record with the turns of the episode it resumes as its own, with the labels they were given there. */
export function withOwnPast(
  record: EpisodeRecord,
  read: (episode: string) => EpisodeRecord,
  known: ReadonlySet<string> = new Set(),
): EpisodeRecord {
  const { forked, id } = record;
  // A log that was imported may name episodes that go on with each other.
  if (forked?.why !== 'resume' || known.has(forked.from)) return record;
  const source = withOwnPast(read(forked.from), read, new Set([...known, id]));
  const before = new Map(source.turns.map((turn) => [turn.turn, turn]));
  const turns = record.turns.map((turn) => {
    const there = turn.isCopied ? before.get(turn.turn) : undefined;
    return there === undefined ? turn : { ...turn, isCopied: there.isCopied, label: there.label };
  });
  // The resumed one may itself have been a branch: its first turns are still another's.
  const first = turns.find(({ isCopied }) => !isCopied);
  const copiedN = first === undefined ? record.copiedN : first.n - 1;
  return { ...record, turns, copiedN: Math.min(copiedN, record.copiedN) };
}
