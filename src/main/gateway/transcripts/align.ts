// Which turn of a tapped episode each of a client's replies belongs to: stated by the client, or found by its calls.
import { isAtSeat } from '../../../shared/events/actor.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { readMove } from '../../agent/readMove.ts';
import type { LlmReply } from '../../llm/port.ts';
import { ASK_EXPERT } from '../../../shared/wire.ts';

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
export function alignReplies(record: EpisodeRecord, said: readonly SaidReply[]): TranscriptAlignment {
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
