// What may reach the environment. A proposed call goes through here, whoever proposed it.
import type { Move } from '../../shared/events/turns.ts';
import { ASK_EXPERT } from '../../shared/wire.ts';

type GateRefusal = { reason: 'reserved' | 'budget' | 'condition'; toolName: string };
type Budget = { reservedTools: ReadonlySet<string>; canAsk: boolean; asked: number; limit: number };

/**
 * Why a move may not go on, or null when it may. Reserved tools belong to the host: an agent that could call them would
 * read its reward while it acts.
 */
export function gateRefusal(move: Move, budget: Budget): GateRefusal | null {
  if (move.type === 'call_tool' && budget.reservedTools.has(move.tool_name)) {
    return { reason: 'reserved', toolName: move.tool_name };
  }
  if (move.type !== 'ask_expert') return null;
  if (!budget.canAsk) return { reason: 'condition', toolName: ASK_EXPERT };
  return budget.asked >= budget.limit ? { reason: 'budget', toolName: ASK_EXPERT } : null;
}
