// Which turn's state belongs to what is on screen. Pure.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

/** Null for the state as it is now; else the last turn whose call had come back: nothing after it changed anything. */
export const stateTurn = ({ turns, ended }: EpisodeRecord, isReplay: boolean): number | null =>
  ended === null && !isReplay ? null : lastReturned(turns);

const lastReturned = (turns: EpisodeRecord['turns']): number =>
  turns.findLast(({ call }) => (call?.returned ?? null) !== null)?.turn ?? 0;

/** Changes when the state may have changed: once per call that came back. */
export const stateRevision = ({ turns }: EpisodeRecord): number =>
  turns.reduce((count, { call }) => count + (call?.returned ? 1 : 0), 0);

/** Calls made again to rebuild the state after `turn`. */
export const callsUpTo = ({ turns }: EpisodeRecord, turn: number): number =>
  turns.filter((one) => one.turn <= turn && (one.call?.returned ?? null) !== null && one.call?.sent).length;
