// Writes what a client's model wrote into the log of its tapped episode.
import { AGENT, type Actor } from '../../../shared/events/actor.ts';
import { toldMessages } from '../../../shared/episode/gateway.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { EventOf } from '../../../shared/events/vocabulary.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { alignReplies, type SaidReply } from './align.ts';

type TranscribedTurns = { transcribed: number[]; unmatched: number[] };

/** Writes the words of turns that have none yet. What is told again changes nothing. */
export async function writeReplies(
  log: EventLog,
  episode: string,
  said: readonly SaidReply[],
  by: 'client' | 'proxy',
): Promise<TranscribedTurns> {
  const wordless = (): Set<number> =>
    new Set(log.record(episode).turns.flatMap(({ turn, hasText }) => (hasText ? [] : [turn])));
  const { placed, unmatched } = alignReplies(log.record(episode), said);
  const free = wordless();
  const entries = placed
    .filter(({ turn }) => free.delete(turn))
    .map(({ turn, reply }) => ({
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
    }));
  const ahead = log.cover(episode).ahead(entries.map(({ event }) => event));
  if (ahead !== null) await ahead;
  // Others may have been told meanwhile.
  const left = wordless();
  const fresh = entries.filter(({ event }) => left.has(event.turn));
  if (fresh.length > 0) log.appendAll(episode, fresh);
  return { transcribed: fresh.map(({ event }) => event.turn), unmatched };
}

type Conversation = Pick<EventOf<'conversation.told'>, 'by' | 'no_other_expert'> & {
  messages: readonly unknown[];
  tools: unknown;
};

/**
 * Writes what a client's agent read and wrote so far. Of a conversation that goes on from the one told before, only what
 * is new is written: a client that tells it after every turn does not make the log grow with its square.
 */
export async function writeConversation(
  log: EventLog,
  episode: string,
  { messages, ...given }: Conversation,
): Promise<void> {
  const { conversation } = log.record(episode);
  const loadText = (text: Text): string => log.texts.loadText(text);
  const told = { ...given, tools: given.tools === null ? null : JSON.stringify(given.tools) };
  const before = conversation === null ? undefined : toldMessages(conversation, loadText);
  const follows = before?.every((message, at) => JSON.stringify(message) === JSON.stringify(messages[at]));
  const fresh = follows === true ? messages.slice(before?.length) : messages;
  const isSame =
    conversation?.no_other_expert === told.no_other_expert &&
    (conversation?.tools ? loadText(conversation.tools) : null) === told.tools;
  if (isSame && fresh.length === 0) return;
  const event: EventOf<'conversation.told'> = {
    kind: 'conversation.told',
    messages: JSON.stringify(fresh),
    ...(follows === true ? { follows } : {}),
    ...told,
  };
  const ahead = log.cover(episode).ahead([event]);
  if (ahead !== null) {
    await ahead;
    // Told once more meanwhile: what is new of it is another part.
    if (log.record(episode).conversation !== conversation)
      return writeConversation(log, episode, { messages, ...given });
  }
  log.append(episode, AGENT, event);
}
