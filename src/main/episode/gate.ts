// Owns: what may reach the environment. A proposed call goes through here, whoever proposed it.
import type { Move } from '../../shared/events/turns.ts';
import { ASK_EXPERT, RESERVED_TOOLS } from '../../shared/wire.ts';

export type Refusal = { reason: 'reserved' | 'budget' | 'condition'; toolName: string };
export type Budget = { canAsk: boolean; asked: number; limit: number };

/**
 * Why a move may not go on, or null when it may. `verify`, `done` and `__list_scenarios__` belong to the host: an agent
 * that could call them would read its reward while it acts.
 */
export function refusalOf(move: Move, budget: Budget): Refusal | null {
  if (move.type === 'call_tool' && RESERVED_TOOLS.has(move.tool_name)) {
    return { reason: 'reserved', toolName: move.tool_name };
  }
  if (move.type !== 'ask_expert') return null;
  if (!budget.canAsk) return { reason: 'condition', toolName: ASK_EXPERT };
  return budget.asked >= budget.limit ? { reason: 'budget', toolName: ASK_EXPERT } : null;
}
