// Owns: from where an episode can be taken up again. Pure.
import type { EpisodeRecord } from './record.ts';

/**
 * The last turn, up to `turn`, whose answer the agent has read: the furthest an episode can be taken up again; 0 before
 * the first.
 */
export const lastAnsweredTurn = (
  { turns, messages }: EpisodeRecord,
  turn: number = Number.POSITIVE_INFINITY,
): number =>
  turns.findLast(
    (one) =>
      one.turn <= turn &&
      messages.some((message) => message.turn === one.turn && message.role !== 'assistant'),
  )?.turn ?? 0;
