// Owns: trying a turn again when the model's server says it may work later.
import type { Failure } from '../../shared/failure.ts';
import type { LlmReply } from '../llm/port.ts';
import type { Policy, TurnRequest } from './policy.ts';

export type RetryEdges = {
  /** Resolves after the time, rejects when the signal ends it. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1): spreads the retries of many episodes. */
  random(): number;
  /** Told before each wait, and once with null when it will not be tried again. */
  failed(failure: Failure, retryInMs: number | null): void;
};

/** One turn, tried again as the schedule allows. Throws the last failure. */
export const nextTurn = (
  policy: Policy,
  request: TurnRequest,
  _edges: RetryEdges,
  signal: AbortSignal,
): Promise<LlmReply> => policy.next(request, signal);
