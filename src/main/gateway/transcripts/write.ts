// Owns: what a client's model wrote, into the log of its tapped episode.
import { AGENT, type Actor } from '../../../shared/events/actor.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { align, type SaidReply } from './align.ts';

export type Transcribed = { transcribed: number[]; unmatched: number[] };

/** Writes the words of turns that have none yet. What is told again changes nothing. */
export function writeReplies(
  log: EventLog,
  episode: string,
  said: readonly SaidReply[],
  by: 'client' | 'proxy',
): Transcribed {
  const record = log.record(episode);
  const wordless = new Set(record.turns.filter(({ hasText }) => !hasText).map(({ turn }) => turn));
  const { placed, unmatched } = align(record, said);
  const fresh = placed.filter(({ turn }) => wordless.delete(turn));
  log.appendAll(
    episode,
    fresh.map(({ turn, reply }) => ({
      actor: (reply.model === null ? AGENT : { type: 'agent', id: reply.model }) satisfies Actor,
      event: {
        kind: 'turn.transcribed' as const,
        turn,
        content: reply.content,
        reasoning: reply.reasoning,
        tool_calls: reply.toolCalls,
        model: reply.model,
        usage: reply.usage,
        by,
      },
    })),
  );
  return { transcribed: fresh.map(({ turn }) => turn), unmatched };
}
