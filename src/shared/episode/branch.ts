// Owns: from where an episode can be taken up again. Pure.
import type { EpisodeRecord } from './record.ts';

/** The last turn whose answer the agent has read: the furthest an episode can be taken up again; 0 before the first. */
export const lastAnsweredTurn = ({ turns, messages }: EpisodeRecord): number =>
  turns.findLast(({ turn }) =>
    messages.some((message) => message.turn === turn && message.role !== 'assistant'),
  )?.turn ?? 0;
