// The interface of a policy, which decides an agent's next turn: a chat model, a rehearsal, a log.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { ChatMessage, LlmReply } from '../llm/port.ts';

export type TurnRequest = {
  messages: ChatMessage[];
  /** What the agent is offered, as `conversation.offered(tools)` gives it. */
  tools: ToolSpec[];
  protocol: 'native' | 'xml';
  /** False when nobody may advise, or when the asks are used up. */
  canAsk: boolean;
};

/** State lives in the messages alone: the same messages give the same kind of turn, also after a restart. */
export type Policy = { next(request: TurnRequest, signal: AbortSignal): Promise<LlmReply> };
