// One turn of a policy, tried again when the model's server says it may work later.
import type { LlmReply } from '../llm/port.ts';
import { type RetryEdges, withRetries } from '../llm/retry.ts';
import type { Policy, TurnRequest } from './policy.ts';

export type { RetryEdges };

/** One turn, tried again as the schedule allows; each failure is told before the wait. Throws the last failure. */
export const nextTurn = (
  policy: Policy,
  request: TurnRequest,
  edges: RetryEdges,
  signal: AbortSignal,
): Promise<LlmReply> => withRetries(() => policy.next(request, signal), edges, signal);
