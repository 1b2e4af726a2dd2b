// Writes what a client's model wrote into the log of its tapped episode.
import { toldMessages } from '../../../shared/episode/gateway.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { type Actor, AGENT, isAtSeat } from '../../../shared/events/actor.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { EventOf } from '../../../shared/events/vocabulary.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { readMove } from '../../agent/readMove.ts';
import type { LlmReply } from '../../llm/port.ts';
import type { EventLog } from '../../log/eventLog.ts';

/** Writes the words of turns that have none yet. What is told again changes nothing. */
export async function writeReplies(
  log: EventLog,
  episode: string,
  said: readonly SaidReply[],
  by: 'client' | 'proxy',
): Promise<{ transcribed: number[]; unmatched: number[] }> {
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

/** A reply of the client's model, and the place of its message in what was sent. */
export type SaidReply = { index: number; turn: number | null; reply: LlmReply };
type AlignedReply = { turn: number; reply: LlmReply };
type TranscriptAlignment = {
  placed: AlignedReply[];
  /** Messages that ask for a call which the environment never saw in that order. */
  unmatched: number[];
};

/** Tools that an orchestrator uses: the wire shows them, the agent never asked for them. */
const ORCHESTRATOR: ReadonlySet<string> = new Set(['verify', 'done', '__list_scenarios__']);

/** Places replies at the client's turns, in order. Replies that ask for no call of the environment belong to none. */
function alignReplies(record: EpisodeRecord, said: readonly SaidReply[]): TranscriptAlignment {
  const turns = record.turns.filter(({ actor }) => !isAtSeat(actor));
  const placed: AlignedReply[] = [];
  const unmatched: number[] = [];
  let next = 0;
  for (const { index, turn, reply } of said.flatMap(callsApart)) {
    const tool = replyTool(record, reply);
    if (
      turn !== null &&
      (tool === null || turns.some((one) => one.turn === turn && turnTool(one) === tool))
    ) {
      if (turns.some((one) => one.turn === turn)) placed.push({ turn, reply });
      else unmatched.push(index);
      continue;
    }
    // A turn that made another call was counted differently by its client: the calls in order say more.
    if (tool === null) continue;
    const at = nextTurn(turns, next, tool);
    const found = turns[at];
    if (found === undefined) {
      // A question that did not reach this episode is no call of the environment.
      if (tool !== ASK_EXPERT) unmatched.push(index);
      continue;
    }
    placed.push({ turn: found.turn, reply });
    next = at + 1;
  }
  return { placed, unmatched: [...new Set(unmatched)] };
}

/** A reply may hold several calls, each a turn of the wire: its words stand with the first. */
function callsApart(said: SaidReply): SaidReply[] {
  const { toolCalls } = said.reply;
  if (said.turn !== null || toolCalls.length < 2) return [said];
  return toolCalls.map((call, i) => ({
    ...said,
    reply: { ...said.reply, content: i === 0 ? said.reply.content : '', toolCalls: [call] },
  }));
}

function replyTool(record: EpisodeRecord, reply: LlmReply): string | null {
  const protocol = reply.toolCalls.length > 0 ? 'native' : 'xml';
  const { move } = readMove(reply, { protocol, tools: record.tools });
  return move.type === 'call_tool' ? move.tool_name : move.type === 'ask_expert' ? ASK_EXPERT : null;
}

const turnTool = ({ move }: Turn): string | null =>
  move?.type === 'call_tool' ? move.tool_name : move?.type === 'ask_expert' ? ASK_EXPERT : null;

/**
 * The next turn that made this call; only what an orchestrator did, and questions, may lie between. -1 when there is
 * none.
 */
function nextTurn(turns: readonly Turn[], from: number, tool: string): number {
  for (let at = from; at < turns.length; at += 1) {
    const turn = turns[at];
    const made = turn === undefined ? null : turnTool(turn);
    if (made === tool) return at;
    if (made !== null && made !== ASK_EXPERT && !ORCHESTRATOR.has(made)) return -1;
  }
  return -1;
}
