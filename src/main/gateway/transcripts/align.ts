// Owns: which turn of a tapped episode each of a client's replies belongs to: told, or found by the calls in order. Pure.
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { readMove } from '../../agent/readMove.ts';
import type { LlmReply } from '../../llm/port.ts';

/** A reply of the client's model, and the place of its message in what was sent. */
export type SaidReply = { index: number; turn: number | null; reply: LlmReply };
export type Placed = { turn: number; reply: LlmReply };
export type Alignment = {
  placed: Placed[];
  /** Messages that ask for a call which the environment never saw in that order. */
  unmatched: number[];
};

/** Tools that an orchestrator uses: the wire shows them, the agent never asked for them. */
const ORCHESTRATOR: ReadonlySet<string> = new Set(['verify', 'done', '__list_scenarios__']);

/** Places replies at the client's turns, in order. Replies that ask for no call of the environment belong to none. */
export function align(record: EpisodeRecord, said: readonly SaidReply[]): Alignment {
  const turns = record.turns.filter(({ actor }) => actor.type !== 'human');
  const placed: Placed[] = [];
  const unmatched: number[] = [];
  let next = 0;
  for (const { index, turn, reply } of said.flatMap(callsApart)) {
    if (turn !== null) {
      if (turns.some((one) => one.turn === turn)) placed.push({ turn, reply });
      else unmatched.push(index);
      continue;
    }
    const tool = calledTool(record, reply);
    if (tool === null) continue;
    const at = nextOf(turns, next, tool);
    const found = turns[at];
    if (found === undefined) {
      unmatched.push(index);
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

function calledTool(record: EpisodeRecord, reply: LlmReply): string | null {
  const protocol = reply.toolCalls.length > 0 ? 'native' : 'xml';
  const { move } = readMove(reply, { protocol, tools: record.tools });
  return move.type === 'call_tool' ? move.tool_name : null;
}

/** The next turn that made this call; only what an orchestrator did may lie between. -1 when there is none. */
function nextOf(turns: readonly Turn[], from: number, tool: string): number {
  for (let at = from; at < turns.length; at += 1) {
    const { move } = turns[at] ?? {};
    const made = move?.type === 'call_tool' ? move.tool_name : null;
    if (made === tool) return at;
    if (made !== null && !ORCHESTRATOR.has(made)) return -1;
  }
  return -1;
}
